package mechanism

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Eviction is a pod that the kubelet evicted, for want of something on its node or for a limit of its own: status.reason Evicted
// (kubernetes pkg/kubelet/eviction/eviction_manager.go@v1.36.3). What is evicted through the API is a Drain.
type Eviction struct {
	Server    bool   // it was the server of Spark Connect, not a driver
	Lost      Lost   // executors; zero: it was the driver
	Node      string // of a driver whose pod is there
	Container string // that Spark runs in there
	For       Shortage
	Volume    Outgrown    // the emptyDir that exceeded its sizeLimit; zero: it was for something else
	Unfit     *ImageUnfit // the image that filled the disk before its container ran; nil: it was for something else
	Says      string      // by the kubelet
}

// Outgrown is an emptyDir that was written beyond its sizeLimit. The kubelet says the limit, and not how much was written.
type Outgrown struct {
	Name  string
	Limit resource.Quantity
	// Tasks is how far the work was when the first executor was lost: so much of it filled the volume. Zero: not known.
	Tasks logs.Tasks
}

// emptyDirFull matches what a kubelet says of it (kubernetes pkg/kubelet/eviction/eviction_manager.go@v1.36.3, emptyDirMessageFmt).
var emptyDirFull = lazyregexp.New(`^Usage of EmptyDir volume "([^"]+)" exceeds the limit "([^"]+)"`)

func outgrownBy(says string) Outgrown {
	if m := emptyDirFull.FindStringSubmatch(strings.TrimSpace(says)); m != nil {
		if q, err := resource.ParseQuantity(m[2]); err == nil {
			return Outgrown{Name: m[1], Limit: q}
		}
	}
	return Outgrown{}
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
	d := Eviction{Server: v.IsConnect(), Node: p.Spec.NodeName, Container: app.MainName(p), For: ShortageOf(says),
		Volume: outgrownBy(says), Says: says}
	unfit, seen := v.imageUnfit(p.Name, says)
	d.Unfit = unfit
	c := v.endedBy(end, d, d.For.topics(), append(seen, v.nodeEvents(p.Spec.NodeName, "EvictionThresholdMet")...)...)
	return ofImage(&c, unfit)
}

// ofImage is an eviction for want of disk, or for an image that filled it.
func ofImage(c *cause.Cause, unfit *ImageUnfit) cause.Cause {
	if unfit != nil {
		c.Class = cause.Storage
	}
	return *c
}

func goneEvicted(v *View, e app.Event, pod string) cause.Cause {
	unfit, seen := v.imageUnfit(pod, e.Message)
	d := Eviction{For: ShortageOf(e.Message), Volume: outgrownBy(e.Message), Unfit: unfit, Says: e.Message}
	c := v.goneBy(e, pod, d, d.For.topics(), seen...)
	return ofImage(&c, unfit)
}

// executorsEvicted also returns what else shows it.
func executorsEvicted(v *View, lost Lost, first End) (Eviction, []cause.Proof) {
	unfit, seen := v.imageUnfit(first.Pod.Name, first.Message)
	d := Eviction{Lost: lost, For: ShortageOf(first.Message), Volume: outgrownBy(first.Message), Unfit: unfit, Says: first.Message}
	if d.Volume.Name != "" {
		d.Volume.Tasks = v.Work.AtLoss
	}
	return d, seen
}
