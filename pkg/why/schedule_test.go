package why_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// runOf is a run of the schedule nightly, created in an hour of the day.
func runOf(name, owner, hour, state string) string {
	return `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: ` + name + `, namespace: jobs, uid: ` + name + `, creationTimestamp: "2026-11-23T` + hour + `:00:00Z",
  ownerReferences: [{apiVersion: sparkoperator.k8s.io/v1beta2, kind: ScheduledSparkApplication, name: ` + owner + `, uid: u}]}
spec: {driver: {memory: 1g}}
status: {lastSubmissionAttemptTime: "2026-11-23T` + hour + `:00:01Z", terminationTime: "2026-11-23T` + hour + `:30:00Z", applicationState: {state: ` + state + `}}`
}

// TestScheduleIsJudgedByItsLastFailure: by the last run that failed, whatever ran since, and by no run of another schedule.
func TestScheduleIsJudgedByItsLastFailure(t *testing.T) {
	const killed = `FAILED, errorMessage: "driver container failed with ExitCode: 137, Reason: OOMKilled"`
	nightly := `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: {name: nightly, namespace: jobs, uid: u}
spec: {schedule: "@daily"}
status: {scheduleState: Scheduled, lastRunName: n-3, nextRun: "2026-11-24T00:00:00Z"}`
	for name, c := range map[string]struct {
		docs  []string
		class cause.Class
		also  string
	}{
		"the one before the last failed": {[]string{runOf("n-1", "nightly", "01", "COMPLETED"), runOf("n-2", "nightly", "02", killed),
			runOf("n-3", "nightly", "03", "COMPLETED")},
			cause.ClusterKilled, "about run n-2, the last one that failed; the newest run n-3 is COMPLETED, created 9 h ago"},
		"two failed": {[]string{runOf("n-1", "nightly", "01", `FAILED, errorMessage: "driver pod not found"`), runOf("n-2", "nightly", "02", killed), runOf("n-3", "nightly", "03", "RUNNING")},
			cause.ClusterKilled, "about run n-2, the last one that failed; the newest run n-3 is RUNNING, created 9 h ago"},
		"the newest failed": {[]string{runOf("n-2", "nightly", "02", "COMPLETED"), runOf("n-3", "nightly", "03", killed)},
			cause.ClusterKilled, "about run n-3, the newest one, which failed"},
		"two completed since": {[]string{runOf("n-1", "nightly", "01", killed), runOf("n-2", "nightly", "02", "COMPLETED"),
			runOf("n-3", "nightly", "03", "COMPLETED")},
			cause.Succeeded, "about run n-3, the newest one; run n-1 failed before, and others completed since"},
		"the newest runs after two completed": {[]string{runOf("n-0", "nightly", "00", killed), runOf("n-1", "nightly", "01", "COMPLETED"),
			runOf("n-2", "nightly", "02", "COMPLETED"), runOf("n-3", "nightly", "03", killed)},
			cause.ClusterKilled, "about run n-3, the newest one, which failed"},
		"none failed": {[]string{runOf("n-2", "nightly", "02", "COMPLETED"), runOf("n-3", "nightly", "03", "COMPLETED")},
			cause.Succeeded, "about run n-3, the newest one; no run that is left failed"},
		"one of another schedule failed": {[]string{runOf("n-3", "nightly", "03", "COMPLETED"), runOf("w-1", "weekly", "04", killed)},
			cause.Succeeded, "about run n-3, the newest one; no run that is left failed"},
	} {
		t.Run(name, func(t *testing.T) {
			open := func(docs []string) why.CaseFile {
				var list []unstructured.Unstructured
				for _, text := range docs {
					var o unstructured.Unstructured
					require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
					list = append(list, o)
				}
				return why.Open(app.FromObjects(list, nil,
					snapshot.Ref{Kind: "ScheduledSparkApplication", Namespace: "jobs", Name: "nightly"},
					time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)))
			}
			f := open(append([]string{nightly}, c.docs...))
			require.Equal(t, c.class, f.Verdict().Class, corpus.Text(f.Verdict()))
			require.Equal(t, c.also, f.Also[0])
			turned := []string{nightly}
			for i := range c.docs {
				turned = append(turned, c.docs[len(c.docs)-1-i])
			}
			require.Equal(t, f, open(turned), "in any order")
			alone := open([]string{nightly})
			require.False(t, strings.Contains(strings.Join(alone.Also, " "), "about run"))
		})
	}
}
