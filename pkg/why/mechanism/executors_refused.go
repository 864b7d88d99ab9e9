package mechanism

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// someMissing is about a job that runs with a part of its executors, while the API server refuses the others.
func someMissing(v *View) []cause.Cause {
	n := v.Running()
	missing := v.Spec.Asked() - n - len(v.pendingExecutors())
	if !v.DriverRuns() || n == 0 || missing <= 0 || v.ended("COMPLETED") || v.Now.Sub(v.Driver.CreationTimestamp.Time) < 2*time.Minute {
		return nil
	}
	if c, is := executorsRefused(v, missing, Others{Running: n, Of: v.Spec.Asked(), Stalled: v.stalledFor()}); is {
		return []cause.Cause{c}
	}
	return nil
}

// executorsRefused computes whether the API server refuses executors that are missing: by a limit below the request, a LimitRange or a
// quota. It leaves no trace of that where the objects of the application are: only the driver's log has its words.
func executorsRefused(v *View, missing int, others Others) (cause.Cause, bool) {
	r := &admission{View: v, asks: requestsOf(&v.Spec, "executor"), missing: missing, others: others}
	for _, find := range []func(*admission) (cause.Cause, bool){limitBelowRequest, aboveLimitRange, quotaRefuses} {
		if c, is := find(r); is {
			return c, true
		}
	}
	return cause.Cause{}, false
}

// admission is what is asked of the API server, and which executors it let pass.
type admission struct {
	*View

	asks    corev1.ResourceList // of one executor, in the words of a quota
	missing int
	others  Others
}

// class is that of the job, which gets on with the executors that run.
func (r *admission) class(of cause.Class) cause.Class {
	if r.others.Running > 0 {
		return cause.SlowButProgressing
	}
	return of
}
