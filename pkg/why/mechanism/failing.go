package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// notReady is the condition of a driver that runs and is not ready; nil: it is ready, or its name resolves all the same. DNS names only
// ready pods for a headless Service, unless that publishes all, so that executors do not find such a driver
// (kubernetes.io/docs/concepts/services-networking/dns-pod-service).
func notReady(v *View) *corev1.PodCondition {
	if !v.DriverRuns() || v.Driver.DeletionTimestamp != nil {
		return nil
	}
	for i := range v.Services {
		if s := &v.Services[i]; headless(s) && s.Spec.PublishNotReadyAddresses &&
			s.Spec.Selector["spark-app-selector"] == v.Driver.Labels["spark-app-selector"] {
			return nil
		}
	}
	if c := condition(v.Driver, corev1.PodReady); c != nil && c.Status == corev1.ConditionFalse {
		return c
	}
	return nil
}

// failed is how many executors failed by the operator's status. The recorder of events lets 25 of one object pass, then one in five
// minutes (client-go tools/record/events_cache.go@v0.36.3), so that events do not count them.
func (v *View) failed() int {
	n := 0
	for _, state := range v.Names() {
		if state == "FAILED" {
			n++
		}
	}
	return n
}

// Failing reports whether executors fail one after the other for a reason that is not recorded, at least twice as many as were asked for.
func (v *View) Failing() bool {
	return v.Spec.Asked() > 0 && v.unexplained() >= max(3, 2*v.Spec.Asked())
}

// unexplained is how many executors failed that nothing else ended.
func (v *View) unexplained() int {
	n := v.failed()
	for _, e := range v.Ends {
		if e.Killed() {
			n--
		}
	}
	return n
}

// Relapsing reports whether executors failed for an unknown reason, and those that run now say nothing yet: as many failed as were asked
// for and lived as long as those that run, or at least half as many failed, three or more, and none of their pods is left to tell.
func (v *View) Relapsing() bool {
	asked, failed := v.Spec.Asked(), v.unexplained()
	if asked == 0 || failed < min(3, asked) || 2*failed < asked {
		return false
	}
	var lived, runs time.Duration
	seen := false
	for _, p := range v.Executors {
		c := app.Container(p)
		switch {
		case c == nil, slices.ContainsFunc(v.Ends, func(e End) bool { return e.Pod.Name == p.Name && e.Killed() }):
		case c.State.Terminated != nil && c.State.Terminated.ExitCode != 0:
			seen = true
			lived = max(lived, c.State.Terminated.FinishedAt.Sub(c.State.Terminated.StartedAt.Time))
		case c.State.Running != nil:
			runs = max(runs, v.Now.Sub(c.State.Running.StartedAt.Time))
		}
	}
	if !seen {
		return failed >= 3
	}
	return failed >= asked && runs < lived
}
