package why

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// mostTelling is how many lines are shown where no cause is known.
const mostTelling = 3

// telling returns the lines that tell most of a failure that no mechanism knows: what was raised and not caught, errors, what the operator
// and the scheduler say, warning events. What the verdict quotes is left out.
func telling(v *mechanism.View, verdict *Cause) []cause.Proof {
	var list []logs.Line
	for _, said := range v.OperatorSaid {
		list = append(list, logs.Line{Telling: logs.TellsRaised,
			Proof: cause.Proof{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At}})
	}
	list = append(list, logs.TellingLines(v.Evidence)...)
	for i := len(v.Events) - 1; i >= 0; i-- {
		// The operator's events repeat its status (pkg/common/event.go@v2.5.2).
		if e := &v.Events[i]; e.Type == corev1.EventTypeWarning && !strings.HasPrefix(e.Reason, "Spark") && !overcome(v, e) {
			list = append(list, logs.Line{Telling: logs.TellsError,
				Proof: cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last}})
		}
	}
	slices.SortStableFunc(list, func(a, b logs.Line) int { return cmp.Compare(b.Telling, a.Telling) })
	var out []cause.Proof
	if file, is := mechanism.FileOfLog(v); is {
		out = append(out, file.Evidence...)
	}
	for _, line := range list {
		quoted := slices.ContainsFunc(verdict.Evidence, func(p cause.Proof) bool {
			return p.Object.Name == line.Object.Name && p.Field == line.Field && p.At.Equal(line.At)
		})
		if line.Telling == logs.TellsSignal && !bySignal(v) {
			continue
		}
		again := slices.ContainsFunc(out, func(p cause.Proof) bool { return p.Value == line.Value })
		if worse := len(out) > 0 && line.Telling <= logs.TellsWarning; quoted || again || worse {
			continue
		}
		if out = append(out, line.Proof); len(out) == mostTelling {
			break
		}
	}
	return out
}

// overcome reports whether an event tells of what kept a container of Spark from starting, which started after it.
func overcome(v *mechanism.View, e *app.Event) bool {
	p := v.Pod(e.Involved.Name)
	if p == nil || !slices.Contains(beforeStart(), e.Reason) {
		return false
	}
	c := app.Container(p)
	if c == nil {
		return false
	}
	var started time.Time
	switch {
	case c.State.Running != nil:
		started = c.State.Running.StartedAt.Time
	case c.State.Terminated != nil:
		started = c.State.Terminated.StartedAt.Time
	}
	return !started.IsZero() && !started.Before(e.Last)
}

// beforeStart are reasons of events about what a pod needs before its containers start (pkg/kubelet/events/event.go and
// pkg/scheduler/schedule_one.go of kubernetes@v1.36.3).
func beforeStart() []string {
	return []string{"FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedScheduling", "FailedCreatePodSandBox", "Failed", "BackOff",
		"NotTriggerScaleUp"}
}

// bySignal reports whether SIGTERM ended the driver, by its exit code.
func bySignal(v *mechanism.View) bool {
	const sigterm = 128 + 15
	if v.Driver != nil {
		if t := app.Termination(v.Driver); t != nil {
			return t.ExitCode == sigterm
		}
	}
	return v.Recorded.Driver != nil && v.Recorded.Driver.Code == sigterm
}
