package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// MemoryLimit is the memory limit of the container that Spark runs in, and how it adds up. Zero: nothing is known of it.
type MemoryLimit struct {
	Pod   resource.Quantity // as the pod has it; zero: no pod that has one was seen
	Over  int               // how that compares with the sum: less (-1), the same as far as rounding goes (0), more (1)
	Field int64             // MiB of memoryLimit in the spec, which the webhook sets; 0: it is not set, or a pod tells
	Sum   app.MemorySum     // what the spec adds up to; without parts: no application was seen
}

// Limit is the memory limit of the pods of a role.
func (v *View) Limit(role cause.Role) MemoryLimit {
	if v.Application == nil {
		return MemoryLimit{}
	}
	p := v.Driver
	if role == cause.ExecutorRole {
		p = nil
		if len(v.Executors) > 0 {
			p = v.Executors[0]
		}
	}
	return v.limit(p, role)
}

// limit is that of a pod, or what the spec adds up to where the pod is gone. A LimitRange, memoryLimit or another webhook may have lowered
// what the pod has (addMemoryLimit in internal/webhook/sparkpod_defaulter.go@v2.5.2).
func (v *View) limit(p *corev1.Pod, role cause.Role) MemoryLimit {
	var out MemoryLimit
	if v.Application != nil {
		out.Sum = v.Spec.Memory(string(role))
	}
	if q, has := podLimit(p); has {
		out.Pod, out.Over = q, compared(q, out.Sum.MiB)
		return out
	}
	out.Field, _ = app.Mebibytes(v.Spec.Role(string(role)).MemoryLimit)
	return out
}

// podLimit is the memory limit of a pod's main container. The pod may be gone.
func podLimit(p *corev1.Pod) (resource.Quantity, bool) {
	if p == nil {
		return resource.Quantity{}, false
	}
	for i := range p.Spec.Containers {
		if q, has := p.Spec.Containers[i].Resources.Limits[corev1.ResourceMemory]; has && p.Spec.Containers[i].Name == app.MainName(p) {
			return q, true
		}
	}
	return resource.Quantity{}, false
}

// MiB is the limit as a number; 0: nothing is known of it.
func (l *MemoryLimit) MiB() int64 {
	switch {
	case !l.Pod.IsZero():
		return l.Pod.Value() >> 20
	case l.Field > 0:
		return l.Field
	default:
		return l.Sum.MiB
	}
}

// compared allows for rounding.
func compared(q resource.Quantity, mebi int64) int {
	switch d := q.Value()>>20 - mebi; {
	case d < -2:
		return -1
	case d > 2:
		return 1
	default:
		return 0
	}
}

// Tmpfs are the local directories and volumes that count against the memory limit of a pod: those on tmpfs
// (spark.kubernetes.local.dirs.tmpfs, docs/running-on-kubernetes.md@v3.5.5; emptyDir in content/en/docs/concepts/storage/volumes.md of
// kubernetes/website).
type Tmpfs struct {
	LocalDirs bool     // all of Spark's, by its setting
	Volumes   []string // otherwise: those of the main container, by name
}

// Scratch reports whether Spark's own files are among what is in memory: a program may have asked for another volume, as for /dev/shm.
func (t *Tmpfs) Scratch() bool {
	return t.LocalDirs || slices.ContainsFunc(t.Volumes, func(name string) bool { return strings.HasPrefix(name, ownLocalDir) })
}

// Tmpfs are those of the pods of a role.
func (v *View) Tmpfs(role cause.Role) Tmpfs {
	for i := range v.Pods {
		if p := &v.Pods[i]; p.Labels["spark-role"] == string(role) {
			return tmpfs(v, p)
		}
	}
	return tmpfs(v, nil)
}

// ownLocalDir begins the names of volumes that are local directories of Spark: where a pod has one of its own, the setting for tmpfs makes
// none (LocalDirsFeatureStep.scala in resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features@v3.5.5).
const ownLocalDir = "spark-local-dir-"

// tmpfs are those of a pod, which may be gone.
func tmpfs(v *View, p *corev1.Pod) Tmpfs {
	var out Tmpfs
	onDisk := false
	if p != nil {
		for i := range p.Spec.Containers {
			if p.Spec.Containers[i].Name != app.MainName(p) {
				continue
			}
			for _, mount := range p.Spec.Containers[i].VolumeMounts {
				at := slices.IndexFunc(p.Spec.Volumes, func(one corev1.Volume) bool { return one.Name == mount.Name })
				if at < 0 {
					continue
				}
				in := p.Spec.Volumes[at].EmptyDir
				if in != nil && in.Medium == corev1.StorageMediumMemory {
					out.Volumes = append(out.Volumes, mount.Name)
				} else if strings.HasPrefix(mount.Name, ownLocalDir) {
					onDisk = true
				}
			}
		}
	}
	if v.Spec.Conf[localDirsTmpfs] == "true" && !onDisk && !(p == nil && v.hasLocalDir()) {
		return Tmpfs{LocalDirs: true}
	}
	return out
}

// hasLocalDir reports whether the spec gives executors a volume for local directories.
func (v *View) hasLocalDir() bool {
	const volumes = "spark.kubernetes.executor.volumes."
	for key := range v.Spec.Conf {
		if strings.HasPrefix(key, volumes) && strings.Contains(key, "."+ownLocalDir) {
			return true
		}
	}
	return slices.ContainsFunc(v.Spec.Executor.VolumeMounts, func(m corev1.VolumeMount) bool {
		return strings.HasPrefix(m.Name, ownLocalDir)
	})
}
