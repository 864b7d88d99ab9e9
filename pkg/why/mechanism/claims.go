package mechanism

import (
	"regexp"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// volumeNames matches a volume that the kubelet or the attach controller names: by the pod's own name of it, or by that of the
// PersistentVolume (kubernetes pkg/volume/util/operationexecutor/operation_generator.go@v1.36.3).
var volumeNames = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // compiled once, never changed
	return regexp.MustCompile(`volume "([^"]+)"`)
})

// claimUse is which claim an event about a volume means, and how it may be used.
func claimUse(v *View, p *corev1.Pod, said Told) (ClaimUse, []cause.Proof) {
	m := volumeNames().FindStringSubmatch(said.Said)
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
	for i := range v.Pods {
		if mounts(&v.Pods[i], out.Name) {
			out.Users++
		}
	}
	return out, proofs
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
