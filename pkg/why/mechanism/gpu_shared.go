package mechanism

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// GPUShared is an executor that finds too little free memory on a GPU, which its node shares among pods by time-slicing: each of them sees
// all of its memory, and another executor of the application has most of it, or pods of others run there with a part of it (docs/user-guide
// of NVIDIA/gpu-feature-discovery and README.md of NVIDIA/k8s-device-plugin@v0.17.0). One that MPS divides looks alike.
type GPUShared struct {
	Node        string
	Replicas    int     // pods that a GPU is offered to
	Holder      string  // executor that runs on the node and got its memory, by its number
	Pool        float64 // of the holder, in MB; 0: its log does not say
	Free, Least float64 // MB
	Together    int     // executors that ran on the node, for each of its GPUs; at least two
	// Others are the applications, or pods without one, that have a part of a GPU of the node; empty: the holder is an executor.
	Others []string
}

// Mechanism names it.
func (GPUShared) Mechanism() cause.ID { return "gpu-shared" }

// The labels of a node that say how its GPUs are shared (docs of NVIDIA GPU Operator, gpu-sharing.rst).
const (
	gpuSharing  = "nvidia.com/gpu.sharing-strategy"
	gpuReplicas = "nvidia.com/gpu.replicas"
	gpuCount    = "nvidia.com/gpu.count"
)

// gpuPool is what an executor says of the memory that it takes (sql-plugin/src/main/scala/com/nvidia/spark/rapids/GpuDeviceManager.scala of
// NVIDIA/spark-rapids@v24.04.1).
var gpuPool = lazyregexp.New(`Initializing RMM[^\n]{0,40} pool size = ([\d.]+) Mi?B`)

// SharedGPU says who has the memory of a GPU that an executor found taken.
func SharedGPU(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, _ := failed.Meaning.(logs.Known)
	if known.Signature.ID != "gpu-memory-taken" {
		return cause.Cause{}, false
	}
	pod := v.Pod(about.Subject.Name)
	if pod == nil {
		_, pod = actingPod(v, about, &failed)
	}
	if pod == nil {
		return cause.Cause{}, false
	}
	node := v.Node(pod.Spec.NodeName)
	if node == nil || node.Labels[gpuSharing] != "time-slicing" {
		return cause.Cause{}, false
	}
	d := GPUShared{Node: node.Name}
	d.Free, _ = strconv.ParseFloat(cmp.Or(known.Groups["free"], known.Groups["free2"]), 64)
	d.Least, _ = strconv.ParseFloat(known.Groups["least"], 64)
	d.Replicas, _ = strconv.Atoi(node.Labels[gpuReplicas])
	if d.Replicas < 2 {
		return cause.Cause{}, false
	}
	holder, line := d.find(v, pod, about.At)
	if holder == nil {
		return d.ofOthers(v, pod, about)
	}
	gpus, _ := strconv.Atoi(node.Labels[gpuCount])
	d.Together = max(2, min(d.Replicas, (d.Together+max(1, gpus)-1)/max(1, gpus)))
	ref := snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name}
	out := cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: cause.ExecutorRole, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Topics: cause.Memory, Detail: d, Evidence: shares(ref, node)}
	if line != "" {
		out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(holder), Field: "log " + app.MainName(holder), Value: line})
	}
	return out, true
}

// shares is what the labels of a node say of its GPUs.
func shares(ref snapshot.Ref, node *corev1.Node) []cause.Proof {
	return []cause.Proof{
		{Object: ref, Field: "metadata.labels[" + gpuSharing + "]", Value: "time-slicing"},
		{Object: ref, Field: "metadata.labels[" + gpuReplicas + "]", Value: node.Labels[gpuReplicas]},
	}
}

// ofOthers is the same where pods of others on the node asked for a part of its GPUs before the executor failed. Which of them has how much
// is not seen.
func (d *GPUShared) ofOthers(v *View, pod *corev1.Pod, about *cause.Cause) (cause.Cause, bool) {
	node := v.Node(d.Node)
	ref := snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: d.Node}
	out := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Role: cause.ExecutorRole, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Topics: cause.Memory, Evidence: shares(ref, node)}
	for i := range v.Neighbors {
		p := &v.Neighbors[i]
		name := asksGPU(p)
		if p.Spec.NodeName != d.Node || p.Status.Phase != corev1.PodRunning || name == "" || !p.CreationTimestamp.Time.Before(about.At) {
			continue
		}
		if who := cmp.Or(app.ApplicationOf(p), p.Name); !slices.Contains(d.Others, who) {
			d.Others = append(d.Others, who)
		}
		out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(p), Field: "spec.containers[].resources.limits[" + name + "]",
			Value: "on " + d.Node})
	}
	out.Detail = *d
	return out, len(d.Others) > 0 && asksGPU(pod) != ""
}

// asksGPU is the resource by which a pod asks for a GPU of NVIDIA, whose name may tell that it is shared; empty: it asks for none.
func asksGPU(p *corev1.Pod) string {
	for i := range p.Spec.Containers {
		for name := range p.Spec.Containers[i].Resources.Limits {
			if name == "nvidia.com/gpu" || name == "nvidia.com/gpu.shared" {
				return string(name)
			}
		}
	}
	return ""
}

// find looks for the executor that ran on the node at a time and has the memory, and counts those that ran there then.
func (d *GPUShared) find(v *View, pod *corev1.Pod, at time.Time) (holder *corev1.Pod, line string) {
	d.Together = 1
	for _, p := range v.Executors {
		if p.Name == pod.Name || p.Spec.NodeName != pod.Spec.NodeName || !ranAt(p, at) {
			continue
		}
		d.Together++
		for i := range v.Logs {
			m := gpuPool.FindStringSubmatch(v.Logs[i].Head + v.Logs[i].Tail)
			if v.Logs[i].Pod == p.Name && m != nil {
				holder, line = p, m[0]
				d.Pool, _ = strconv.ParseFloat(m[1], 64)
			}
		}
	}
	if holder != nil {
		d.Holder = executorID(v, holder.Name)
	}
	return holder, line
}

// ranAt reports whether the container of a pod ran at a time.
func ranAt(p *corev1.Pod, at time.Time) bool {
	s := app.Container(p)
	switch {
	case s == nil || at.IsZero():
		return false
	case s.State.Running != nil:
		return !s.State.Running.StartedAt.After(at)
	case s.State.Terminated != nil:
		t := s.State.Terminated
		return !t.StartedAt.After(at) && !t.FinishedAt.Time.Before(at)
	default:
		return false
	}
}
