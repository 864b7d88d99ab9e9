package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ExecutorExits are executors of whose end no more is known than the exit code, or a word at the pod. Spark deletes their pods unless
// spark.kubernetes.executor.deleteOnTermination says no (docs/running-on-kubernetes.md@v3.5.5).
type ExecutorExits struct {
	Lost  Lost
	Why   EndReason
	Pod   snapshot.Ref // one of them whose pod is left; zero: none is
	Keeps bool         // Spark was told to leave their pods
}

// Mechanism names what was found.
func (ExecutorExits) Mechanism() cause.ID { return "executor-exits" }

func executorExits(v *View, lost Lost, of []End) ExecutorExits {
	out := ExecutorExits{Lost: lost, Why: of[0].Why, Keeps: v.KeepsExecutors()}
	for _, e := range of {
		if v.Pod(e.Pod.Name) != nil {
			out.Pod = e.Pod
		}
	}
	return out
}

// KeepsExecutors reports whether Spark was told to leave the pods of executors that ended.
func (v *View) KeepsExecutors() bool {
	return v.Spec.Settings()[KeepsPods] == "false"
}
