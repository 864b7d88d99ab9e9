package mechanism

import (
	"slices"
	"strconv"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// VolumesFull is a pod with claims for which the nodes that would take it have as many volumes attached as they can. Nodes that it does not
// tolerate or select are beside the point: the scheduler asks for these first (Placement.Beyond). Its words and where the limit is read
// from: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go of kubernetes@v1.36.3. Where more nodes lack CPU or memory, that is what
// the pod waits for.
type VolumesFull struct {
	Waiting

	Nodes    int           // that can attach no more
	Limit    VolumeLimit   // of these
	Claims   int           // that a pod of them has
	OnDemand ClaimOnDemand // by which each executor has them; zero: the settings say nothing of the kind
}

// VolumeLimit is how many volumes nodes can attach, by their CSINodes. Zero: not known.
type VolumeLimit struct {
	Driver      string
	Least, Most int32 // of these nodes
}

// ClaimOnDemand is a volume for which Spark makes a claim for each executor (docs/running-on-kubernetes.md@v3.5.5, claimName OnDemand).
type ClaimOnDemand struct {
	Volume   string
	Settings string // what the names of its settings begin with
	Scratch  bool   // Spark keeps its local directories on it
}

// Mechanism returns its ID.
func (VolumesFull) Mechanism() cause.ID { return "volumes-full" }

func (d VolumesFull) alike(string) waitingDetail {
	d.Waiting = d.since()
	return d
}

func volumesFull(w *waiter) (cause.Cause, bool) {
	n := w.says.nodes(VolumesMost)
	if w.refused == nil || n == 0 || n < w.says.nodes(RoomShort)+w.says.nodes(DiskShort) {
		return cause.Cause{}, false
	}
	d := VolumesFull{Waiting: w.Waiting, Nodes: n, Claims: len(w.claims()), OnDemand: claimOnDemand(w)}
	limit, proofs := volumeLimit(w)
	d.Limit = limit
	return w.cause(cause.Storage, cause.ByPod, d, append(w.byScheduler(), proofs...)...), true
}

// claimOnDemand is the first volume of the pod, by name, whose claim Spark makes for it.
func claimOnDemand(w *waiter) ClaimOnDemand {
	var out ClaimOnDemand
	before := "spark.kubernetes." + string(w.Who.Role) + ".volumes.persistentVolumeClaim."
	for setting, value := range w.Spec.Conf {
		name, is := strings.CutPrefix(setting, before)
		name, claims := strings.CutSuffix(name, ".options.claimName")
		if is && claims && value == "OnDemand" && (out.Volume == "" || name < out.Volume) {
			out = ClaimOnDemand{Volume: name, Settings: before + name + ".", Scratch: app.LocalDirVolume(name)}
		}
	}
	return out
}

// volumeLimit is what the nodes that would take the pod can attach, of the one driver that has a limit there: the class of a claim names
// another only where nodes have several.
func volumeLimit(w *waiter) (VolumeLimit, []cause.Proof) {
	_, nodes := placing(w.View, w.pod)
	var out VolumeLimit
	var proofs []cause.Proof
	for _, n := range nodes {
		at := slices.IndexFunc(w.CSINodes, func(c storagev1.CSINode) bool { return c.Name == n.Name })
		if at < 0 {
			continue
		}
		for _, driver := range w.CSINodes[at].Spec.Drivers {
			if driver.Allocatable == nil || driver.Allocatable.Count == nil {
				continue
			}
			if out.Driver != "" && out.Driver != driver.Name {
				return VolumeLimit{}, nil
			}
			count := *driver.Allocatable.Count
			if out.Driver == "" {
				out = VolumeLimit{Driver: driver.Name, Least: count, Most: count}
			}
			out.Least, out.Most = min(out.Least, count), max(out.Most, count)
			proofs = append(proofs, cause.Proof{Object: csiNodeRef(&w.CSINodes[at]), Field: "spec.drivers[" + driver.Name + "].allocatable.count",
				Value: strconv.Itoa(int(count))})
		}
	}
	return out, proofs
}

func csiNodeRef(c *storagev1.CSINode) snapshot.Ref {
	return snapshot.Ref{APIVersion: "storage.k8s.io/v1", Kind: "CSINode", Name: c.Name, UID: string(c.UID)}
}
