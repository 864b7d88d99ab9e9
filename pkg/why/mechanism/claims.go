package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ClaimUse is the claim of a volume, and how it may be used and is. Zero: the volume is of no claim that is known.
type ClaimUse struct {
	Name      string
	Modes     []corev1.PersistentVolumeAccessMode // empty: the claim was not seen
	Users     int                                 // pods of the application that mount it
	Contended bool                                // another node has it already
	By        ClaimHolder                         // on that node; zero: nothing that the event names
	Scratch   bool                                // Spark keeps its local directories on it
	Shared    bool                                // the driver mounts it and executors do, or it is mounted to be read only: it holds data
}

// ClaimHolder is a pod that uses a claim.
type ClaimHolder struct {
	Pod      string
	Role     cause.Role // empty: the pod is none of the application
	Executor string     // its number; empty: it is none
	Node     string     // empty: not known
}

// volumeNames matches a volume that the kubelet or the attach controller names: by the pod's own name of it, or by that of the
// PersistentVolume (kubernetes pkg/volume/util/operationexecutor/operation_generator.go@v1.36.3).
var volumeNames = lazyregexp.New(`volume "([^"]+)"`)

// claimUse is which claim an event about a volume means, and how it may be used.
func claimUse(v *View, p *corev1.Pod, said Told) (ClaimUse, []cause.Proof) {
	m := volumeNames.FindStringSubmatch(said.Said)
	if m == nil {
		return ClaimUse{}, nil
	}
	out := ClaimUse{Name: claimOf(v, p, m[1]), Contended: said.Once}
	if out.Name == "" {
		return ClaimUse{}, nil
	}
	var proofs []cause.Proof
	for i := range v.Claims {
		if one := &v.Claims[i]; one.Name == out.Name {
			out.Modes = one.Spec.AccessModes
			words := make([]string, 0, len(out.Modes))
			for _, mode := range out.Modes {
				words = append(words, string(mode))
			}
			proofs = append(proofs, cause.Proof{Object: claimRef(one.Namespace, one.Name), Field: "spec.accessModes",
				Value: strings.Join(words, ", ")})
		}
	}
	roles := map[string]bool{}
	for i := range v.Pods {
		if mounts(&v.Pods[i], out.Name) {
			out.Users++
			roles[app.RoleOf(&v.Pods[i])] = true
		}
	}
	out.Shared = len(roles) > 1
	for _, one := range p.Spec.Volumes {
		if source := one.PersistentVolumeClaim; source != nil && source.ClaimName == out.Name {
			out.Scratch = app.LocalDirVolume(one.Name)
			out.Shared = out.Shared || source.ReadOnly || readOnly(p, one.Name)
		}
	}
	if out.Contended {
		out.By = claimHolder(v, said.Said)
	}
	return out, proofs
}

// usedBy matches the pods that the attach controller names, which are of the namespace of the one that waits (reportMultiAttachError in
// pkg/controller/volume/attachdetach/reconciler/reconciler.go of kubernetes@v1.36.3).
var usedBy = lazyregexp.New(`already used by pod\(s\) ([a-z0-9][a-z0-9.-]*[a-z0-9])`)

// claimHolder is the first of them. Block devices are on one node, so that all are there.
func claimHolder(v *View, message string) ClaimHolder {
	m := usedBy.FindStringSubmatch(message)
	if m == nil {
		return ClaimHolder{}
	}
	out := ClaimHolder{Pod: m[1]}
	if p := v.Pod(out.Pod); p != nil {
		out.Node = p.Spec.NodeName
		if out.Role = cause.ExecutorRole; app.RoleOf(p) != string(cause.ExecutorRole) {
			out.Role = cause.DriverRole
		} else {
			out.Executor = executorID(v, out.Pod)
		}
		return out
	}
	for i := range v.Neighbors {
		if p := &v.Neighbors[i]; p.Namespace == v.AppRef().Namespace && p.Name == out.Pod {
			out.Node = p.Spec.NodeName
		}
	}
	return out
}

// readOnly reports whether the containers of a pod only read a volume.
func readOnly(p *corev1.Pod, volume string) bool {
	found := false
	for i := range p.Spec.Containers {
		for _, m := range p.Spec.Containers[i].VolumeMounts {
			if m.Name == volume && !m.ReadOnly {
				return false
			}
			found = found || m.Name == volume
		}
	}
	return found
}

// claimOf is the claim behind a volume of a pod.
func claimOf(v *View, p *corev1.Pod, volume string) string {
	for _, one := range p.Spec.Volumes {
		if one.PersistentVolumeClaim == nil {
			continue
		}
		name := one.PersistentVolumeClaim.ClaimName
		if one.Name == volume {
			return name
		}
		for i := range v.Claims {
			if v.Claims[i].Name == name && v.Claims[i].Spec.VolumeName == volume {
				return name
			}
		}
	}
	return ""
}

func mounts(p *corev1.Pod, claim string) bool {
	for _, one := range p.Spec.Volumes {
		if one.PersistentVolumeClaim != nil && one.PersistentVolumeClaim.ClaimName == claim {
			return true
		}
	}
	return false
}
