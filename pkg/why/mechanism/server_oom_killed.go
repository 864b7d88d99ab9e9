package mechanism

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerOOMKilled is a server that exceeded its memory limit. The operator passes spec.server.memory as the heap only: the limit is what
// the template says (driverConfOption in internal/controller/sparkconnect/options.go, mutateServerPod in reconciler.go@v2.5.2).
type ServerOOMKilled struct {
	Container string
	Limit     resource.Quantity // of the container; zero: it has none of its own
	Heap      string            // as it is set; empty: Spark's default
	HeapField string            // where
}

// Mechanism names it.
func (ServerOOMKilled) Mechanism() cause.ID { return "server-oom-killed" }

func serverOOM(v *View, p *corev1.Pod) ServerOOMKilled {
	killed := ServerOOMKilled{Container: app.MainName(p)}
	for _, from := range []struct{ field, value string }{
		{"spec.server.memory", v.Spec.Server.Memory}, {"spark.driver.memory", v.Spec.Conf["spark.driver.memory"]},
	} {
		if from.value != "" {
			killed.Heap, killed.HeapField = from.value, from.field
			break
		}
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if q, has := c.Resources.Limits[corev1.ResourceMemory]; has && c.Name == app.MainName(p) {
			killed.Limit = q
		}
	}
	return killed
}
