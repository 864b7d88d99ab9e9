package mechanism

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ExecutorsMissing is a driver that runs for minutes and has no executors, for a reason that no object tells. Executors that the API
// server refuses are not there either, and those that were there and ended are told of elsewhere. The driver creates their pods itself
// (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/ExecutorPodsAllocator.scala@v3.5.5).
type ExecutorsMissing struct {
	Server  bool // it is the server of Spark Connect
	Asked   int  // executors
	Running time.Duration
}

// Mechanism returns its ID.
func (ExecutorsMissing) Mechanism() cause.ID { return "executors-missing" }

// noExecutors is about a driver that runs for minutes and has none.
func noExecutors(v *View) []cause.Cause {
	asked := v.Spec.Asked()
	if !v.DriverRuns() || asked == 0 || v.Running()+len(v.pendingExecutors()) > 0 || v.Now.Sub(v.Driver.CreationTimestamp.Time).Minutes() < 5 {
		return nil
	}
	if len(v.Names()) > 0 {
		return nil // they were there: what ended them is said elsewhere
	}
	if v.IsConnect() {
		_, down := v.serverEnd()
		serverAlone := v.isPartial("pods") && len(v.Pods) < 2
		if down || serverAlone {
			return nil // they follow the server, or are as likely to be missing from the input
		}
	}
	if c, refused := executorsRefused(v, asked, Others{}); refused {
		return []cause.Cause{c}
	}
	return []cause.Cause{{Class: cause.Unknown, Role: cause.ExecutorRole, Certainty: check.Likely, Effect: true, Trust: cause.ByPod,
		Subject: Ref(v.Driver), At: v.Driver.CreationTimestamp.UTC(),
		Detail: ExecutorsMissing{Server: v.IsConnect(), Asked: asked, Running: v.Now.Sub(v.Driver.CreationTimestamp.Time)},
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.executor.instances", Value: fmt.Sprint(asked)},
			{Object: v.AppRef(), Field: v.ExecutorsField(), Value: "empty"}}}}
}

// ended reports whether an executor is in a state by the operator's status.
func (v *View) ended(state string) bool {
	for _, s := range v.Names() {
		if s == state {
			return true
		}
	}
	return false
}
