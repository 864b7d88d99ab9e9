package mechanism

import (
	"cmp"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// GPUShared is an executor that finds too little free memory on a GPU, which its node shares among pods by time-slicing: each of them sees
// all of its memory, and another executor of the application has most of it (docs/user-guide of NVIDIA/gpu-feature-discovery and README.md
// of NVIDIA/k8s-device-plugin@v0.17.0). A GPU that other applications use looks alike, and so does one that MPS divides.
type GPUShared struct {
	Node        string
	Replicas    int     // pods that a GPU is offered to
	Holder      string  // executor that runs on the node and got its memory, by its number
	Pool        float64 // of the holder, in MB; 0: its log does not say
	Free, Least float64 // MB
	Together    int     // executors that ran on the node, for each of its GPUs; at least two
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
	holder, line := d.find(v, pod, about.At)
	if holder == nil || d.Replicas < 2 {
		return cause.Cause{}, false
	}
	gpus, _ := strconv.Atoi(node.Labels[gpuCount])
	d.Together = max(2, min(d.Replicas, (d.Together+max(1, gpus)-1)/max(1, gpus)))
	ref := snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name}
	out := cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: cause.ExecutorRole, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Topics: cause.Memory, Detail: d, Evidence: []cause.Proof{
			{Object: ref, Field: "metadata.labels[" + gpuSharing + "]", Value: "time-slicing"},
			{Object: ref, Field: "metadata.labels[" + gpuReplicas + "]", Value: node.Labels[gpuReplicas]},
		}}
	if line != "" {
		out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(holder), Field: "log " + app.MainName(holder), Value: line})
	}
	return out, true
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
