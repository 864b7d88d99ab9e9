package casefile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Head names the application and says how it stands: "payments/nightly-etl FAILED 12 min ago (attempt 3 of 3), ran 41 min".
func (d *Document) Head() string { return d.Name() + " " + d.StateText() }

// Name is the application as users name it. All but a SparkApplication says its type; so does one of two that have the same name.
func (d *Document) Name() string {
	name := strings.TrimPrefix(d.Subject.Namespace+"/"+d.Subject.Name, "/")
	switch {
	case d.Subject.Kind == "":
		return name
	case d.Subject.Kind == "SparkApplication" && d.namesake:
		return strings.ToLower(d.Subject.Kind) + "." + d.Subject.Group() + " " + name
	case d.Subject.Kind == "SparkApplication":
		return name
	}
	return strings.ToLower(d.Subject.Kind) + " " + name
}

// stateWord is the state with its age.
func (d *Document) stateWord() string {
	s := d.State
	text := cmp.Or(map[string]string{"GONE": "is gone", "NOT_SEEN": "was not seen, only events about it",
		"NOT_READ": "is of spark.apache.org, of which only events were seen"}[s.State], s.State,
		"has no state yet")
	if !s.Deleted.IsZero() { // what the operator said last stays as it was
		return fmt.Sprintf("terminating for %s (%s)", phrase.Span(max(0, d.Metadata.CreationTimestamp.Sub(s.Deleted))), text)
	}
	if age := d.Metadata.CreationTimestamp.Sub(s.Since); !s.Since.IsZero() && age >= 0 && s.State != "" {
		if ended(s.State) {
			text += " " + phrase.Span(age) + " ago"
		} else {
			text += " for " + phrase.Span(age)
		}
	}
	if !s.DriverEnded.IsZero() {
		text += ", but its driver ended " + phrase.Span(d.Metadata.CreationTimestamp.Sub(s.DriverEnded)) + " ago"
	}
	return text
}

// StateText is the state with its age, its attempt, and how long it ran.
func (d *Document) StateText() string {
	s, text := d.State, d.stateWord()
	switch {
	case s.Attempt > 0 && s.MaxAttempts > 0:
		text += fmt.Sprintf(" (attempt %d of %d)", s.Attempt, s.MaxAttempts)
	case s.Attempt > 1:
		text += fmt.Sprintf(" (attempt %d)", s.Attempt)
	}
	if s.RanSeconds > 0 && (ended(s.State) || s.Since.IsZero()) {
		text += ", ran " + phrase.Span(time.Duration(s.RanSeconds)*time.Second)
	}
	return text
}

// ended reports whether a state of an application or the phase of a pod is its last one.
func ended(state string) bool {
	return slices.Contains([]string{"FAILED", "COMPLETED", "SUBMISSION_FAILED", "SUCCEEDED", "DELETED", "GONE"}, strings.ToUpper(state)) ||
		slices.Contains([]string{"DriverStartTimedOut", "DriverReadyTimedOut", "ExecutorsStartTimedOut", "SchedulingFailure",
			"DriverEvicted", "ResourceReleased"}, state) // of the Apache Spark Kubernetes Operator
}

// Title says in a few words what a class means.
func Title(class string) string {
	titles := map[cause.Class]string{
		cause.ClusterKilled:      "Killed by the cluster",
		cause.CodeFailed:         "The code failed",
		cause.Configuration:      "Wrong configuration",
		cause.Credentials:        "Missing or refused credentials",
		cause.Dependency:         "Missing or wrong dependency",
		cause.Image:              "Image problem",
		cause.Scheduling:         "Cannot be scheduled",
		cause.Quota:              "Held back by a quota",
		cause.Network:            "Network problem",
		cause.Storage:            "Storage problem",
		cause.Submission:         "Submission failed",
		cause.ObserverMissed:     "The recorded state is wrong",
		cause.StoppedByUser:      "Stopped by a user",
		cause.RunningNormally:    "Running normally",
		cause.SlowButProgressing: "Slow but progressing",
		cause.Suspended:          "Suspended",
		cause.Succeeded:          "Succeeded",
		cause.Unknown:            "Cannot tell",
	}
	return cmp.Or(titles[cause.Class(class)], class)
}

// title is that of the class, but for a job that does not go on.
func (v *Verdict) title() string {
	if v.Stalled && v.Class == string(cause.SlowButProgressing) {
		return "Stalled"
	}
	return Title(v.Class)
}

// Sentence is a cause as a line: "Killed by the cluster: driver exceeded its memory limit …". A message that says so itself stays as it is.
func (v *Verdict) Sentence() string {
	title := v.title()
	if rest, says := strings.CutPrefix(strings.TrimPrefix(v.Message, "the "), strings.ToLower(title)); says {
		return title + rest
	}
	return title + ": " + v.Message
}

// Sure is what stands beside a verdict: how certain it is. "Cannot tell" says so itself.
func (v *Verdict) Sure() string {
	if v.Class == string(cause.Unknown) {
		return ""
	}
	return v.Certainty
}

// Fault reports whether something is wrong, or may be.
func (v *Verdict) Fault() bool { return cause.Class(v.Class).Fault() }

// Alternatives are the causes that are as plausible as a verdict that is only likely.
func (d *Document) Alternatives() []Cause {
	if d.Verdict.Certainty != check.Likely.String() || !d.Answered() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.Causes[1:]), func(c Cause) bool {
		return c.Effect || !c.Fault() || c.Class == string(cause.Unknown) || c.Message == d.Verdict.Message
	})
}

// display names an object within the case file of an application: its namespace only where it is another one.
func (d *Document) display(o snapshot.Ref) string {
	text := strings.ToLower(o.Kind) + " " + o.Name
	if o.Namespace == d.Subject.Namespace || o.Namespace == "" {
		return text
	}
	return o.Namespace + " " + text
}

// line is a piece of evidence in a line.
func (d *Document) line(e *Evidence) string {
	text := oneLine(e.Value)
	if e.Field != "" {
		text = e.Field + " " + text
	}
	if e.Object.Name != "" {
		text = d.display(e.Object) + ": " + text
	}
	if !e.Time.IsZero() {
		text += " at " + d.clock(e.Time)
	}
	return text
}

// oneLine is a text with blanks for its line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// brief is a path within a pod without the list and the name of Spark's own container (BasicDriverFeatureStep and
// BasicExecutorFeatureStep of apache/spark@v3.5.5 name it so).
func brief(field string) string {
	for _, name := range []string{"spark-kubernetes-driver", "spark-kubernetes-executor"} {
		if rest, is := strings.CutPrefix(field, "log "+name); is {
			return "log" + rest
		}
		for _, list := range []string{"status.containerStatuses", "spec.containers"} {
			if field == list+"["+name+"]" {
				return "container"
			}
			if rest, is := strings.CutPrefix(field, list+"["+name+"]."); is {
				return rest
			}
		}
	}
	return field
}

// clock is a time of the day, with the day where it is another one.
func (d *Document) clock(t time.Time) string {
	if t.Format(time.DateOnly) == d.Metadata.CreationTimestamp.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// moments are the timeline: the first with its time, each later one with how long after the first it was.
func (d *Document) moments() []string {
	out := make([]string, 0, len(d.Timeline))
	for i, m := range d.Timeline {
		when := d.clock(m.Time) + " UTC"
		if i > 0 {
			when = d.after(i)
		}
		text := when + " " + oneLine(m.Text)
		if o := m.Object; o != nil && o.Name != "" && o.Key() != d.Subject.Key() && !strings.Contains(text, o.Name) {
			text += " (" + d.display(*o) + ")"
		}
		out = append(out, text)
	}
	return out
}

// after is how long after the first moment another one was.
func (d *Document) after(i int) string {
	return "+" + exact(d.Timeline[i].Time.Sub(d.Timeline[0].Time))
}

// Text counts executors: "40 asked, 40 ran, 3 lost (2 node drain, 1 OOMKilled), 0 pending".
func (e *Executors) Text() string {
	parts := []string{fmt.Sprintf("%d asked", e.Asked), fmt.Sprintf("%d ran", e.Ran)}
	for _, n := range []struct {
		count int
		word  string
	}{{e.Running, "running"}, {e.Completed, "completed"}, {e.Failed, "failed"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	lost := 0
	var why []string
	for _, l := range e.Lost {
		lost += l.Count
		why = append(why, fmt.Sprintf("%d %s", l.Count, l.Why))
	}
	if lost > 0 {
		parts = append(parts, fmt.Sprintf("%d lost (%s)", lost, strings.Join(why, ", ")))
	}
	return strings.Join(append(parts, fmt.Sprintf("%d pending", e.Pending)), ", ")
}

// attempt is one line of the attempts: "2: 03:00:01 to 03:12:44, OOMKilled (137), for the same reason".
func (d *Document) attempt(a Attempt) string {
	return fmt.Sprintf("attempt %d: ", a.Number) + d.course(a)
}

// course is when an attempt ran, and how it ended.
func (d *Document) course(a Attempt) string {
	text := ""
	switch {
	case !a.Started.IsZero() && !a.Ended.IsZero():
		text += d.clock(a.Started) + " to " + d.clock(a.Ended) + " UTC, "
	case !a.Started.IsZero():
		text += "since " + d.clock(a.Started) + " UTC, "
	}
	text += cmp.Or(a.Outcome, "outcome not known")
	if a.SameReason && len(d.Attempts) > 1 {
		text += ", for the same reason"
	}
	return text
}

// exact is a duration to the second, so that moments of one minute stay in order.
func exact(d time.Duration) string {
	d = d.Round(time.Second)
	var parts []string
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}} {
		if n := d / unit.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit.name))
			d -= n * unit.size
		}
	}
	return cmp.Or(strings.Join(parts, " "), "0 s")
}
