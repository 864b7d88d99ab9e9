package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// OOM is a container that exceeded its memory limit, so that the kernel killed a process in it: the kubelet writes OOMKilled, and 137. The
// same code without that reason is any SIGKILL, as of a pod that was evicted or deleted, and a JVM whose heap is full ends by itself. The
// reason is the runtime's (internal/cri/server/events.go@v2.1.4 of containerd).
type OOM struct {
	Lost  Lost // executors; zero: it was the driver
	Limit MemoryLimit
	Tmpfs Tmpfs // what else takes of the same memory
	// Spilled is what one of the executors wrote there; zero: nothing is in memory, or no log tells of it.
	Spilled Spilled
	Gone    bool // the pod is gone: the operator recorded it
}

// Mechanism names what was found.
func (OOM) Mechanism() cause.ID { return "oom-killed" }

const ofOOM = cause.Memory | cause.OOMKilled | cause.OwnLimit

func driverOOM(v *View, p *corev1.Pod, end End) cause.Cause {
	if v.IsConnect() {
		return v.endedBy(end, serverOOM(v, p), ofOOM)
	}
	return v.endedBy(end, OOM{Limit: v.limit(p, "driver"), Tmpfs: tmpfs(v, p)}, ofOOM)
}

func executorsOOM(v *View, lost Lost, first End) (d OOM, seen []cause.Proof) {
	p := v.Pod(first.Pod.Name)
	d = OOM{Lost: lost, Limit: v.limit(p, "executor"), Tmpfs: tmpfs(v, p)}
	if d.Tmpfs.Scratch() {
		d.Spilled, seen = v.spilled()
	}
	return d, seen
}
