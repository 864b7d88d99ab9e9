package mechanism

import (
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// DoesNotExit is about a driver that finished its job and stopped its SparkContext, and whose process runs on: most likely a thread that is
// no daemon. A driver that is still cleaning up looks alike for minutes.
type DoesNotExit struct {
	Ago time.Duration // since the SparkContext stopped
}

// Mechanism names it.
func (DoesNotExit) Mechanism() cause.ID { return "does-not-exit" }

const exitsWithin = 10 * time.Minute

func doesNotExit(v *View) []cause.Cause {
	w := &v.Work
	if !workDone(v) {
		return nil
	}
	c := app.Container(v.Driver)
	if c == nil || c.State.Running == nil || w.Ended.IsZero() || v.Now.Sub(w.Ended) <= exitsWithin {
		return nil
	}
	return []cause.Cause{{Class: cause.CodeFailed, Certainty: check.Likely, Role: cause.DriverRole, Subject: Ref(v.Driver), At: w.Ended,
		Trust: cause.ByContainer, Detail: DoesNotExit{Ago: v.Now.Sub(w.Ended)}, Evidence: endProofs(v)}}
}

// EndedAfterWork is about a driver that got a signal after its job had finished and its SparkContext had stopped: the exit code is that of
// the signal alone, and the operator recorded a failure. A driver that Spark's shutdown hook stopped, for a signal that came before, looks
// alike: its log has no end of its own (logs.Ending.WorkDone).
type EndedAfterWork struct {
	Code    int
	Late    time.Duration // between the end of the work and that of the process; 0: not known
	Stopped string        // what the kubelet said of it: "Stopping container …"; empty: no event tells
}

// Mechanism names it.
func (EndedAfterWork) Mechanism() cause.ID { return "ended-after-work" }

func endedAfterWork(v *View) []cause.Cause {
	w := &v.Work
	if !workDone(v) {
		return nil
	}
	t := app.Termination(v.Driver)
	if t == nil || !ofStop(int(t.ExitCode)) {
		return nil
	}
	if t.ExitCode == 137 && t.Reason == snapshot.OOMKilled {
		return nil
	}
	pod, found := Ref(v.Driver), EndedAfterWork{Code: int(t.ExitCode)}
	if d := t.FinishedAt.Sub(w.Ended); !w.Ended.IsZero() && d > 0 {
		found.Late = d
	}
	// "Killing" is also said of a container that fails its probe (pkg/kubelet/kuberuntime/kuberuntime_container.go of kubernetes@v1.36.3,
	// killContainer).
	for i := range v.Events {
		if e := &v.Events[i]; e.Reason == "Killing" && e.Involved.Kind == "Pod" && e.Involved.Name == pod.Name &&
			strings.HasPrefix(e.Message, "Stopping container ") {
			found.Stopped = e.Message
			break
		}
	}
	var topics cause.Topics
	if found.Code == 137 {
		topics = cause.OwnLimit
	}
	return []cause.Cause{{Class: cause.ObserverMissed, Role: cause.DriverRole, Topics: topics, Subject: pod, At: t.FinishedAt.UTC(),
		Trust: cause.ByContainer, Detail: found,
		Evidence: append(endProofs(v), cause.Proof{Object: pod, Field: "status.containerStatuses",
			Value: t.Reason + " (exit code " + strconv.Itoa(int(t.ExitCode)) + ")"})}}
}

// workDone reports whether the driver did its work and stopped Spark itself.
func workDone(v *View) bool {
	w := &v.Work
	return w.Seen && w.Stopped != "" && w.WorkDone && w.Wrote != ""
}

// endProofs are the lines that say so.
func endProofs(v *View) []cause.Proof {
	w := &v.Work
	pod, field := Ref(v.Driver), v.logField()
	proofs := []cause.Proof{{Object: pod, Field: field, Value: w.Stopped, At: w.Ended},
		{Object: pod, Field: field, Value: w.Wrote, At: w.WroteAt}}
	for _, line := range w.After {
		proofs = append(proofs, cause.Proof{Object: pod, Field: field, Value: line})
	}
	return proofs
}
