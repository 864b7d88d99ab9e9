package operator

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Finalizer is what is known of a finalizer that is seen on Spark objects.
type Finalizer struct {
	Name      string
	SetBy     string   // in words
	Images    []string // parts of image names of the controller that removes it; empty: it runs in no Deployment
	Orphan    bool     // no released controller removes it
	InCluster bool     // the control plane itself removes it
}

// finalizers lists the ones that were reported on Spark objects. The operator itself has set none since 2018 (#339);
// the constants in pkg/common/constants.go@v2.5.2 have no user, and the driver pod finalizer of #2076 was never merged.
func finalizers() []Finalizer {
	return []Finalizer{
		{Name: "foregroundDeletion", SetBy: "a delete with foreground propagation", InCluster: true},
		{Name: "orphan", SetBy: "a delete that orphans dependents", InCluster: true},
		{Name: "kubernetes.io/pvc-protection", SetBy: "Kubernetes, while a pod uses the claim", InCluster: true},
		{Name: "service.kubernetes.io/load-balancer-cleanup", SetBy: "the cloud's load balancer controller", InCluster: true},
		{Name: "sparkoperator.k8s.io/finalizer", SetBy: "a fork of the operator or a person", Orphan: true},
		{Name: "kubeflow/spark-operator", SetBy: "a fork of the operator with #2076", Orphan: true},
		{Name: "driver", SetBy: "operator v1alpha1-0.5 of 2018", Orphan: true},
		{Name: "kueue.x-k8s.io/managed", SetBy: "Kueue", Images: []string{"/kueue"}},
		{Name: "kueue.x-k8s.io/resource-in-use", SetBy: "Kueue", Images: []string{"/kueue"}},
		{Name: "argocd.argoproj.io/hook-finalizer", SetBy: "Argo CD", Images: []string{"/argocd"}},
		{Name: "resources-finalizer.argocd.argoproj.io", SetBy: "Argo CD", Images: []string{"/argocd"}},
		{Name: "flyte/flytek8s", SetBy: "FlytePropeller", Images: []string{"/flytepropeller", "/flyte-binary", "/flyte"}},
		{Name: "flyte.org/finalizer-k8s", SetBy: "FlytePropeller", Images: []string{"/flytepropeller", "/flyte-binary", "/flyte"}},
		{Name: "finalizers.fluxcd.io", SetBy: "Flux", Images: []string{"/kustomize-controller", "/helm-controller"}},
		{Name: "sparkapplications.spark.apache.org/finalizer", SetBy: "the Apache Spark operator",
			Images: []string{"/spark-kubernetes-operator"}},
	}
}

// FinalizerNamed returns what is known of a finalizer.
func FinalizerNamed(name string) (Finalizer, bool) {
	list := finalizers()
	i := slices.IndexFunc(list, func(f Finalizer) bool { return f.Name == name })
	if i < 0 {
		return Finalizer{}, false
	}
	return list[i], true
}

// Controller returns a Deployment that runs the controller of the finalizer, or nil. A controller may also run in
// a StatefulSet or outside of the cluster, so not finding one proves nothing by itself.
func (f Finalizer) Controller(deployments []snapshot.Deployment) *snapshot.Deployment {
	for i := range deployments {
		for _, c := range deployments[i].Containers {
			if slices.ContainsFunc(f.Images, func(part string) bool { return strings.Contains("/"+c.Image, part) }) {
				return &deployments[i]
			}
		}
	}
	return nil
}
