package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// driverEnded is why a driver that is still there ended.
func driverEnded(v *View) []cause.Cause {
	p := v.Driver
	if p == nil {
		return nil
	}
	if one, failed := initFailed(v, p); failed {
		return []cause.Cause{one}
	}
	end, ended := PodEnd(p)
	if !ended {
		return lingering(v, p)
	}
	end = v.rebooted(p, end)
	if c, is := fromOutside(v, p, end); is {
		return []cause.Cause{c}
	}
	return driverExited(v, p, end)
}

// fromOutside is about a driver, or a server of Spark Connect, that something else than its own process ended, as its pod says.
func fromOutside(v *View, p *corev1.Pod, end End) (cause.Cause, bool) {
	by := map[EndKind]func(*View, *corev1.Pod, End) cause.Cause{OOMKilled: driverOOM, Evicted: driverEvicted, Preempted: driverPreempted,
		Drained: driverDrained, NodeLost: driverNodeLost, Deadline: driverDeadline, Rejected: driverRejected}[end.Why.Kind]
	if by == nil {
		return cause.Cause{}, false
	}
	return by(v, p, end), true
}

// endedBy is the cause of an end that the cluster brought to a driver that is still there.
func (v *View) endedBy(end End, d cause.Detail, about cause.Topics, more ...cause.Proof) cause.Cause {
	seen := []cause.Proof{end.Proof}
	if !v.IsConnect() { // the condition of a SparkConnect says only that the pod is not ready
		seen = v.alsoRecorded(end.Proof)
	}
	return cause.Cause{Class: cause.ClusterKilled, Role: cause.DriverRole, Topics: about, Detail: d, Subject: end.Pod, At: end.At,
		Trust: end.Trust, Evidence: append(seen, more...)}
}

// exited is a driver whose process ended by itself, or by a signal that nothing at the pod explains.
type exited struct {
	pod  *corev1.Pod
	end  End
	as   *corev1.ContainerStateTerminated
	seen []cause.Proof
}

// driverExited asks for what may have ended it, the surest first.
func driverExited(v *View, p *corev1.Pod, end End) []cause.Cause {
	t := app.Termination(p)
	if t == nil {
		return turnedAway(v, p, end)
	}
	d := &exited{pod: p, end: end, as: t, seen: v.alsoRecorded(end.Proof)}
	for _, is := range []func(*View, *exited) *cause.Cause{
		livenessProbe, driverUnstarted, nodeOutOfMemory, containerLost, deletedMeanwhile, noEntrypoint, noMainClass,
	} {
		if c := is(v, d); c != nil {
			return []cause.Cause{*c}
		}
	}
	return []cause.Cause{exitCode(d)}
}

// likely is a cause that the exit of a driver makes likely.
func (d *exited) likely(class cause.Class, trust cause.Trust, what cause.Detail, about cause.Topics) *cause.Cause {
	return &cause.Cause{Class: class, Role: cause.DriverRole, Topics: about, Detail: what, Certainty: check.Likely, Trust: trust,
		Subject: d.end.Pod, At: d.end.At, Evidence: d.seen}
}

// driverUnstarted is about a container that its runtime could not start.
func driverUnstarted(v *View, d *exited) *cause.Cause {
	start := startError(v, d.pod, d.as)
	if start == nil {
		return nil
	}
	start.At, start.Evidence = d.end.At, append(d.seen, start.Evidence...)
	return start
}

// ExitedByItself reports whether the driver's process chose its exit code: then its log says why.
func (v *View) ExitedByItself() bool {
	if v.Driver == nil {
		end := v.Recorded.Driver
		return end != nil && end.Reason != "OOMKilled" && byItself(end.Code)
	}
	t := app.Termination(v.Driver)
	return t != nil && t.Reason != "OOMKilled" && byItself(int(t.ExitCode)) && v.Driver.Status.Reason == ""
}

// byItself reports whether an exit code is neither success nor a signal's.
func byItself(code int) bool { return code != 0 && code < 129 }
