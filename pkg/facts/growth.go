package facts

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxForecast is how far ahead a rate is believed.
const maxForecast = 10 * 365 * 24 * time.Hour

// Growth returns how many entries an hour were added to status.executorState since the submission, which starts with an empty map,
// and when the object reaches a limit in bytes at that rate. Both are zero for an application that does not run, or that runs for
// less than a time after which a rate means something; the time is zero too for an object that is full already or takes years to be.
func Growth(app *snapshot.SparkApplication, now time.Time, after time.Duration, limit int) (perHour float64, full time.Time) {
	entries, since := app.Executors.Total(), app.LastSubmissionAttempt
	if app.State != "RUNNING" || app.Terminating() || entries == 0 || since.IsZero() || now.Sub(since) < max(after, time.Minute) {
		return 0, time.Time{}
	}
	perHour = float64(entries) / now.Sub(since).Hours()
	left := float64(limit - app.Sizes.Object)
	hours := left / (perHour * float64(app.Sizes.ExecutorState) / float64(entries))
	if left <= 0 || hours > maxForecast.Hours() {
		return perHour, time.Time{}
	}
	return perHour, now.Add(time.Duration(hours * float64(time.Hour))).Truncate(time.Minute)
}
