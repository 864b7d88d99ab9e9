package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerOOMKilled is a server that exceeded its memory limit. The operator passes spec.server.memory as the heap only: the limit is what
// the template says (driverConfOption in internal/controller/sparkconnect/options.go, mutateServerPod in reconciler.go@v2.5.2).
type ServerOOMKilled struct {
	Container string
	Limit     string // of the container; empty: it has none of its own
	Heap      string // as it is set; empty: Spark's default
	HeapField string // where
}

// Mechanism names it.
func (ServerOOMKilled) Mechanism() cause.ID { return "server-oom-killed" }

// ServerEvicted is a server that the kubelet evicted.
type ServerEvicted struct {
	Node, Container string
	Said            string // by the kubelet
}

// Mechanism names it.
func (ServerEvicted) Mechanism() cause.ID { return "server-evicted" }

// ServerPreempted is a server that the scheduler ended for a pod of higher priority.
type ServerPreempted struct{ Said string }

// Mechanism names it.
func (ServerPreempted) Mechanism() cause.ID { return "server-preempted" }

// ServerNodeLost is a server that ended with its node, or was drained from it.
type ServerNodeLost struct {
	Node, Said string
	Why        EndKind // NodeLost or Drained
}

// Mechanism names it.
func (ServerNodeLost) Mechanism() cause.ID { return "server-node-lost" }

// ServerDeadline is a server that ran longer than the activeDeadlineSeconds of its template.
type ServerDeadline struct{}

// Mechanism names it.
func (ServerDeadline) Mechanism() cause.ID { return "server-deadline" }

// ServerRejected is a server that the kubelet of its node did not take.
type ServerRejected struct{ Node, Reason, Said string }

// Mechanism names it.
func (ServerRejected) Mechanism() cause.ID { return "server-rejected" }

// serverTakenAway is about a server that something else than its own process ended, as its pod says.
func serverTakenAway(v *View, p *corev1.Pod, end End) (cause.Cause, bool) {
	c := cause.Cause{Class: cause.ClusterKilled, Role: cause.DriverRole, Subject: end.Pod, At: end.At, Trust: end.Trust,
		Evidence: []cause.Proof{end.Proof}}
	said := strings.TrimSpace(cmp.Or(end.Message, p.Status.Message))
	switch end.Why.Kind {
	case OOMKilled:
		c.Topics, c.Detail = cause.Memory|cause.OOMKilled|cause.OwnLimit, serverLimit(v, p)
	case Evicted:
		c.Topics, c.Detail = ShortageOf(said).topics(), ServerEvicted{Node: p.Spec.NodeName, Container: app.MainName(p), Said: said}
	case Preempted:
		c.Detail = ServerPreempted{Said: said}
	case Drained, NodeLost:
		c.Detail = ServerNodeLost{Node: p.Spec.NodeName, Said: said, Why: end.Why.Kind}
	case Deadline:
		c.Topics, c.Detail = cause.OwnLimit, ServerDeadline{}
	case Rejected:
		c.Class, c.Detail = cause.Scheduling, ServerRejected{Node: p.Spec.NodeName, Reason: p.Status.Reason, Said: said}
	default:
		return c, false
	}
	return c, true
}

func serverLimit(v *View, p *corev1.Pod) ServerOOMKilled {
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
			killed.Limit = q.String()
		}
	}
	return killed
}
