package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// timeline is what happened to the application, by time, each once.
func timeline(v *mechanism.View) []Moment {
	var out []Moment
	add := func(at time.Time, object snapshot.Ref, format string, args ...any) {
		if !at.IsZero() && at.Unix() > 0 {
			out = append(out, Moment{At: at.UTC(), Text: fmt.Sprintf(format, args...), Object: object})
		}
	}
	submitted, begun, main := v.Submitted, "submitted", v.Main()
	if v.IsConnect() {
		begun = "taken up by the operator"
	}
	if v.Driver != nil && !v.IsConnect() && v.Driver.CreationTimestamp.Time.Before(submitted) {
		submitted = v.Driver.CreationTimestamp.Time // the operator writes the time after spark-submit returned
	}
	add(submitted, v.AppRef(), "%s", begun)
	if p := v.Driver; p != nil {
		driver := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: string(p.UID)}
		for _, c := range p.Status.Conditions {
			if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionTrue {
				add(c.LastTransitionTime.Time, driver, main+" scheduled to %s", p.Spec.NodeName)
			}
			if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
				add(c.LastTransitionTime.Time, driver, main+" marked for disruption (%s)", c.Reason)
			}
		}
		if c := mechanism.Container(p); c != nil {
			if r := c.State.Running; r != nil {
				add(r.StartedAt.Time, driver, "%s running", main)
			}
			if t := mechanism.Termination(p); t != nil {
				add(t.StartedAt.Time, driver, "%s running", main)
				add(t.FinishedAt.Time, driver, main+" ended: %s (%d)", t.Reason, t.ExitCode)
			}
		}
		for _, e := range v.Events {
			if e.Involved.Name == p.Name && e.Reason == "Pulled" && strings.HasPrefix(e.Message, "Successfully pulled") {
				add(e.Last, driver, "%s's image pulled", main)
			}
		}
	} else {
		for _, e := range v.Events {
			if text := map[string]string{"Scheduled": "scheduled", "Started": "running", "Killing": "stopping", "Preempted": "preempted",
				"Evicted": "evicted"}[e.Reason]; text != "" && e.Involved.Kind == "Pod" && e.Involved.Name == v.DriverName {
				add(e.Last, e.Involved, "%s %s", main, text)
			}
		}
	}
	add(firstExecutor(v), v.AppRef(), "first executor running")
	losses := map[string]int{}
	for _, e := range v.Ends {
		if losses[e.Why]++; losses[e.Why] <= 3 {
			add(e.At, e.Pod, "executor lost: %s", e.Why)
		}
	}
	add(v.Ended, v.AppRef(), "%s", v.State)
	add(v.Since, v.AppRef(), "%s", v.State)
	// At the same second, they stand in the order in which such things happen.
	slices.SortStableFunc(out, func(a, b Moment) int { return a.At.Compare(b.At) })
	return slices.CompactFunc(out, func(a, b Moment) bool { return a.Text == b.Text && a.At.Equal(b.At) })
}

// firstExecutor is when the first one of the last attempt ran, zero where nothing tells.
func firstExecutor(v *mechanism.View) time.Time {
	first := time.Time{}
	for _, p := range v.Executors {
		if c := mechanism.Container(p); c != nil {
			at := time.Time{}
			switch t := mechanism.Termination(p); {
			case c.State.Running != nil:
				at = c.State.Running.StartedAt.Time
			case t != nil:
				at = t.StartedAt.Time
			}
			if !at.IsZero() && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	for _, e := range v.Events {
		if e.Reason == "SparkExecutorRunning" && !e.First.Before(v.Submitted) && (first.IsZero() || e.First.Before(first)) {
			first = e.First
		}
	}
	return first
}

// executors counts those of the last attempt.
func executors(v *mechanism.View) *Executors {
	names := v.Names()
	if len(names) == 0 && v.Asked() == 0 {
		return nil
	}
	out := &Executors{Asked: v.Asked()}
	for name, state := range names {
		switch state {
		case "RUNNING":
			out.Running++
			out.Ran++
		case "PENDING":
			out.Pending++
		case "FAILED":
			out.Failed++
			if !v.NeverStarted(name) {
				out.Ran++
			}
		case "COMPLETED", "SUCCEEDED":
			out.Completed++
			out.Ran++
		}
	}
	counts := map[string]int{}
	for _, e := range v.Ends {
		counts[e.Why]++
	}
	for why, n := range counts {
		out.Lost = append(out.Lost, Loss{Count: n, Why: why})
	}
	slices.SortFunc(out.Lost, func(a, b Loss) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Why, b.Why)) })
	return out
}

// attempts are the runs of which a driver is left, and the last one.
func attempts(v *mechanism.View, verdict *cause.Cause) []Attempt {
	var out []Attempt
	n := 0
	for i := range v.Pods {
		p := &v.Pods[i]
		if p.Labels["spark-role"] != "driver" {
			continue
		}
		n++
		a := Attempt{Number: n, Started: p.CreationTimestamp.UTC(), Outcome: strings.ToLower(string(p.Status.Phase))}
		if t := mechanism.Termination(p); t != nil {
			a.Ended, a.Outcome = t.FinishedAt.UTC(), fmt.Sprintf("%s (%d)", t.Reason, t.ExitCode)
		}
		if p.Status.Reason != "" {
			a.Outcome = p.Status.Reason
		}
		out = append(out, a)
	}
	if len(out) == 0 && !v.Submitted.IsZero() && !v.IsConnect() {
		out = append(out, Attempt{Number: max(1, v.Attempts), Started: v.Submitted, Ended: v.Ended, Outcome: v.State})
	}
	if len(out) > 0 {
		// Those before the last are numbered back from it, because older drivers are deleted.
		last := max(v.Attempts, len(out))
		for i := range out {
			out[i].Number = last - len(out) + 1 + i
			out[i].SameReason = out[i].Outcome == out[len(out)-1].Outcome && verdict.Class.Fault()
		}
	}
	return out
}

// also are facts beside the verdict.
func also(v *mechanism.View, f *CaseFile) []string {
	var out []string
	if text := whichRun(v); text != "" {
		out = append(out, text)
	}
	if n := v.Attempts; n > 1 {
		out = append(out, fmt.Sprintf("this is attempt %d", n))
	}
	for _, c := range f.Causes[1:] {
		if rank.HowItEnded(&c) && rank.Logged(f.Verdict()) {
			continue // how the driver ended stands beside the verdict
		}
		if len(out) < 6 && c.Class.Fault() && c.Message != "" && !strings.Contains(f.Verdict().Message, c.Message) {
			out = append(out, c.Message)
		}
	}
	if s := v.Schedule; s != nil {
		failed, _, _ := unstructured.NestedStringSlice(s.Object, "status", "pastFailedRunNames")
		good, _, _ := unstructured.NestedStringSlice(s.Object, "status", "pastSuccessfulRunNames")
		next, _, _ := unstructured.NestedString(s.Object, "status", "nextRun")
		text := fmt.Sprintf("of the schedule's recorded runs, %d failed and %d succeeded", len(failed), len(good))
		if at, err := time.Parse(time.RFC3339, next); err == nil && at.After(v.Now) {
			text += fmt.Sprintf("; the next run is in %s (%s UTC)", duration.HumanDuration(at.Sub(v.Now)), at.UTC().Format("15:04"))
		}
		out = append(out, text)
	}
	return out
}

// whichRun says which run of a schedule the case file is about, and how the newest one stands.
func whichRun(v *mechanism.View) string {
	if v.Schedule == nil || v.Subject.Kind != v.Schedule.GetKind() || v.Application == nil {
		return ""
	}
	name := v.Application.GetName()
	switch {
	case v.Newest != nil:
		state, _, _ := unstructured.NestedString(v.Newest.Object, "status", "applicationState", "state")
		created := v.Newest.GetCreationTimestamp()
		return fmt.Sprintf("about run %s, the last one that failed; the newest run %s is %s, created %s ago", name, v.Newest.GetName(),
			cmp.Or(state, "new"), v.Age(created.Time))
	case app.RunFailed(v.Application):
		return fmt.Sprintf("about run %s, the newest one, which failed", name)
	case v.Recovered != "":
		return fmt.Sprintf("about run %s, the newest one; run %s failed before, and others completed since", name, v.Recovered)
	default:
		return fmt.Sprintf("about run %s, the newest one; no run that is left failed", name)
	}
}
