package mechanism

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheFailed is an object of the Apache Spark Kubernetes Operator that this operator saw fail. Its own words say that a container failed
// and not why (apache/spark-kubernetes-operator spark-operator/src/main/java/org/apache/spark/k8s/operator/reconciler/observers/
// BaseAppDriverObserver.java@1.0.0): logs and pods come before it. Of a driver that is gone, the status that the operator saw last tells
// how its container ended. One that the kernel killed for memory has the reason OOMKilled there, and is no mere failure.
type ApacheFailed struct {
	Says    string
	Code    int    // exit code of the driver; 0: the status does not have it
	Reason  string // of that end
	Cluster bool
	Again   bool // the operator starts it again
}

// Mechanism names it.
func (ApacheFailed) Mechanism() cause.ID { return "apache-failed" }

func apacheFailed(v *View) []cause.Cause {
	t, is := v.apacheOutcome(app.ApacheFailed)
	if !is {
		return nil
	}
	d := ApacheFailed{Says: withoutTrace(t.Message), Cluster: v.Apache.IsCluster(), Again: v.Apache.Restarts()}
	var more []cause.Proof
	if name, end := failedIn(t.Driver); end != nil {
		d.Code, d.Reason = int(end.ExitCode), end.Reason
		more = append(more, cause.Proof{Object: v.Apache.Ref(),
			Field: t.Field + ".lastObservedDriverStatus.containerStatuses[" + name + "]",
			Value: fmt.Sprintf("%s (exit code %d)", d.Reason, d.Code), At: end.FinishedAt.UTC()})
	}
	c := v.apacheSays(t, cause.Unknown, d, more...)
	c.Certainty, c.Effect, c.Topics = check.Likely, true, ofCode(d.Code)
	if d.Reason == snapshot.OOMKilled && v.Driver == nil {
		c.Class, c.Effect, c.Certainty, c.Topics = cause.ClusterKilled, false, check.Proven, ofOOM
	}
	c.Detail = d
	return []cause.Cause{c}
}

// failedIn is the first container of a driver that ended with another code than 0, by the status that the operator saw last; nil: none did.
func failedIn(status *corev1.PodStatus) (string, *corev1.ContainerStateTerminated) {
	if status == nil {
		return "", nil
	}
	for _, s := range slices.Concat(status.InitContainerStatuses, status.ContainerStatuses) {
		for _, end := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
			if end != nil && end.ExitCode != 0 {
				return s.Name, end
			}
		}
	}
	return "", nil
}
