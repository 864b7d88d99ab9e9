package why

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// inMesh says that pods that cannot reach each other are in a service mesh, whose sidecar stands between them.
func inMesh(v *mechanism.View, verdict *cause.Cause) {
	if verdict.Class != cause.Network || !strings.HasPrefix(verdict.Message, "executors cannot ") {
		return
	}
	proxy := func(c corev1.Container) bool {
		return slices.Contains([]string{"istio-proxy", "linkerd-proxy"}, c.Name)
	}
	for i := range v.Pods {
		p := &v.Pods[i]
		// A native sidecar is an init container (istio-proxy since Istio 1.27, where the cluster has them).
		if at := slices.IndexFunc(slices.Concat(p.Spec.Containers, p.Spec.InitContainers), proxy); at >= 0 {
			name := slices.Concat(p.Spec.Containers, p.Spec.InitContainers)[at].Name
			verdict.Message += "; the pods are in a service mesh (sidecar " + name + ")"
			verdict.Evidence = append(verdict.Evidence, cause.Proof{Object: mechanism.Ref(p), Field: "spec.containers", Value: name})
			return
		}
	}
}
