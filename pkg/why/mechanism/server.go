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
// minutes between restarts, and starts again with a container that ran for ten
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
	end, ended := v.serverEndOf(p)
	c := app.Container(p)
	if !ended || c == nil || c.State.Running == nil || p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil {
		return end, ended
	}
	if isTrue(condition(p, corev1.DisruptionTarget)) {
		return end, true
	}
	return end, c.RestartCount >= manyRestarts && v.Now.Sub(c.State.Running.StartedAt.Time) < settled
}

// serverEndOf is how the last process of the server that ended did so: a server has no good end, whatever its exit code.
func (v *View) serverEndOf(p *corev1.Pod) (End, bool) {
	if end, ended := PodEnd(p); ended {
		return end, true
	}
	t := app.Termination(p)
	if t == nil {
		return End{}, false
	}
	return End{Pod: Ref(p), Why: EndReason{Kind: Exited}, Message: t.Message, At: t.FinishedAt.UTC(), Proof: cause.Proof{
		Object: Ref(p), Field: "status.containerStatuses[" + app.MainName(p) + "]", At: t.FinishedAt.UTC(),
		Value: t.Reason + " (exit code 0)"}}, true
}

// answersFor is for how long the end of a process of the server answers why the server is as it is: its sessions ended with it, which its
// clients notice when they come back (INVALID_HANDLE.SESSION_CHANGED in common/utils/src/main/resources/error/error-conditions.json of
// apache/spark@v4.0.0). Events that tell of it are kept as long (--event-ttl of kube-apiserver@v1.36.3).
const answersFor = time.Hour

// lastEnd is how the process ended that ran before the one that is up; false: it is the first, or none is up.
func (v *View) lastEnd() (End, bool) {
	p := v.Driver
	if p == nil || p.Status.Phase != corev1.PodRunning || v.serverStart().IsZero() {
		return End{}, false
	}
	end, ended := v.serverEndOf(p)
	return end, ended && app.Container(p).State.Terminated == nil
}

// restarted is lastEnd where that was a short time ago.
func (v *View) restarted() (End, bool) {
	end, ended := v.lastEnd()
	return end, ended && v.Now.Sub(v.serverStart()) < answersFor
}

// BeforeRestart reports whether a cause is why the process of the server ended that ran before the one that is up, by what that process
// logged: what it said of itself before it exited with an error a short time ago.
func (v *View) BeforeRestart(c *cause.Cause) bool {
	if !v.IsConnect() || !v.ExitedByItself() || c.At.IsZero() {
		return false
	}
	_, restarted := v.restarted()
	return restarted && c.Role == cause.DriverRole && c.At.Before(v.serverStart())
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
