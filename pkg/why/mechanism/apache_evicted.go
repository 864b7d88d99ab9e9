package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheEvicted is a driver that the kubelet evicted, of a SparkApplication of the Apache Spark Kubernetes Operator. That operator takes it
// from the reason of the pod, and keeps the status of the pod, which is gone then (apache/spark-kubernetes-operator spark-operator/src/
// main/java/org/apache/spark/k8s/operator/reconciler/observers/BaseAppDriverObserver.java@1.0.0). Where the pod is there it tells itself. A
// driver that failed by itself looks alike, and has the state Failed.
type ApacheEvicted struct {
	For  Shortage
	Says string // by the kubelet; empty: the status does not have it
}

// Mechanism names it.
func (ApacheEvicted) Mechanism() cause.ID { return "apache-evicted" }

func apacheEvicted(v *View) []cause.Cause {
	t, is := v.apacheOutcome(app.DriverEvicted)
	if !is || v.Driver != nil {
		return nil
	}
	d := ApacheEvicted{}
	var more []cause.Proof
	if t.Driver != nil {
		d.Says = strings.TrimSpace(t.Driver.Message)
		d.For = ShortageOf(d.Says)
		more = append(more, cause.Proof{Object: v.Apache.Ref(), Field: t.Field + ".lastObservedDriverStatus",
			Value: stated(t.Driver.Reason, d.Says), At: t.At})
	}
	c := v.apacheSays(t, cause.ClusterKilled, d, more...)
	c.Topics = d.For.topics()
	return []cause.Cause{c}
}
