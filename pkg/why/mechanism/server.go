package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// serverPending is about a server whose pod has not started.
func serverPending(v *View) []cause.Cause {
	if v.Driver == nil {
		return nil
	}
	if end, down := v.serverEnd(); down && end.Why.Kind != Unstarted {
		return nil // the kubelet says CrashLoopBackOff of a container that ended, and how it ended is said elsewhere
	}
	if c, is := pending(v, v.Driver, Who{Role: cause.DriverRole, Server: true}); is {
		return []cause.Cause{c}
	}
	return nil
}

// A server that restarted so often, the last time so lately, is not up: it runs until it ends the next time. The kubelet waits at most five
// minutes between restarts, and begins anew with a container that ran for ten
// (kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy).
const (
	manyRestarts = 3
	settled      = 10 * time.Minute
)

// serverEnd is how the server ended, if it is down: its container does not run, or runs between two ends.
func (v *View) serverEnd() (End, bool) {
	p := v.Driver
	if p == nil {
		return End{}, false
	}
	end, ended := PodEnd(p)
	if t := app.Termination(p); !ended && t != nil {
		end, ended = End{Pod: Ref(p), Why: EndReason{Kind: Exited}, Message: t.Message, At: t.FinishedAt.UTC(), Proof: cause.Proof{
			Object: Ref(p), Field: "status.containerStatuses[" + app.MainName(p) + "]", At: t.FinishedAt.UTC(),
			Value: t.Reason + " (exit code 0)"}}, true
	}
	c := app.Container(p)
	if !ended || c == nil || c.State.Running == nil || p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil {
		return end, ended
	}
	if isTrue(condition(p, corev1.DisruptionTarget)) {
		return end, true
	}
	return end, c.RestartCount >= manyRestarts && v.Now.Sub(c.State.Running.StartedAt.Time) < settled
}

// serverStart is when the process that runs now started; zero: none runs.
func (v *View) serverStart() time.Time {
	if v.Driver != nil {
		if c := app.Container(v.Driver); c != nil && c.State.Running != nil {
			return c.State.Running.StartedAt.UTC()
		}
	}
	return time.Time{}
}
