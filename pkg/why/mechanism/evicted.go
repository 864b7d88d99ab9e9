package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Eviction is a pod that the kubelet evicted, for want of something on its node or for a limit of its own: status.reason Evicted
// (kubernetes pkg/kubelet/eviction/eviction_manager.go@v1.36.3). What is evicted through the API is a Drain.
type Eviction struct {
	Server    bool   // it was the server of Spark Connect, not a driver
	Lost      Lost   // executors; zero: it was the driver
	Node      string // of a driver whose pod is there
	Container string // that Spark runs in there
	For       Shortage
	Says      string // by the kubelet
}

// Mechanism names what was found.
func (Eviction) Mechanism() cause.ID { return "evicted" }

// Shortage is what a kubelet evicts for.
type Shortage int

// What a kubelet evicts for.
const (
	OtherShortage Shortage = iota // of processes or inodes, or nothing tells
	MemoryShortage
	DiskShortage // of the node's ephemeral storage
	OwnDisk      // the pod wrote more than its own limit
)

// ShortageOf reads what the kubelet says of an eviction.
func ShortageOf(says string) Shortage {
	switch {
	case strings.Contains(says, "exceeds the total limit"), strings.Contains(says, "exceeded its local ephemeral"),
		strings.Contains(says, "exceeds the limit"):
		return OwnDisk
	case strings.Contains(says, "ephemeral-storage"):
		return DiskShortage
	case strings.Contains(strings.ToLower(says), "memory"):
		return MemoryShortage
	default:
		return OtherShortage
	}
}

// ofEviction reports whether the last words of a pod are those of an eviction (pkg/kubelet/eviction/helpers.go of kubernetes@v1.36.3).
func ofEviction(says string) bool {
	return strings.Contains(says, "ephemeral") || strings.Contains(says, "low on resource")
}

func (s Shortage) topics() cause.Topics {
	switch s {
	case MemoryShortage:
		return cause.Memory
	case OwnDisk:
		return cause.OwnLimit
	default:
		return 0
	}
}

func driverEvicted(v *View, p *corev1.Pod, end End) cause.Cause {
	says := strings.TrimSpace(cmp.Or(end.Message, p.Status.Message))
	d := Eviction{Server: v.IsConnect(), Node: p.Spec.NodeName, Container: app.MainName(p), For: ShortageOf(says), Says: says}
	return v.endedBy(end, d, d.For.topics(), v.nodeEvents(p.Spec.NodeName, "EvictionThresholdMet")...)
}

func goneEvicted(v *View, e app.Event, pod string) cause.Cause {
	d := Eviction{For: ShortageOf(e.Message), Says: e.Message}
	return v.goneBy(e, pod, d, d.For.topics())
}

func executorsEvicted(lost Lost, first End) Eviction {
	return Eviction{Lost: lost, For: ShortageOf(first.Message), Says: first.Message}
}
