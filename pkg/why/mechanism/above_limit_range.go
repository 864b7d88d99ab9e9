package mechanism

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// AboveLimitRange is executors that are larger than a LimitRange allows a container or a pod (kubernetes
// plugin/pkg/admission/limitranger@v1.36.3). Its bounds for claims are none for executors.
type AboveLimitRange struct {
	LimitRange string
	Type       corev1.LimitType // what it bounds
	Resource   corev1.ResourceName
	Most, Asks resource.Quantity
	Others     Others
}

// Mechanism returns its ID.
func (AboveLimitRange) Mechanism() cause.ID { return "above-limit-range" }

func aboveLimitRange(r *admission) (cause.Cause, bool) {
	for i := range r.LimitRanges {
		bounds := &r.LimitRanges[i]
		for _, item := range bounds.Spec.Limits {
			for _, name := range sortedNames(item.Max) {
				most, want := item.Max[name], r.asks["limits."+name]
				bounded := item.Type == corev1.LimitTypeContainer || item.Type == corev1.LimitTypePod
				if !bounded || want.IsZero() || most.Cmp(want) >= 0 {
					continue
				}
				ref := snapshot.Ref{APIVersion: "v1", Kind: "LimitRange", Namespace: bounds.Namespace, Name: bounds.Name, UID: string(bounds.UID)}
				return cause.Cause{Class: r.class(cause.Quota), Role: cause.ExecutorRole, Topics: ofMemory(name == corev1.ResourceMemory),
					Certainty: check.Likely, Trust: cause.ByEnvironment, Subject: ref,
					Detail:   AboveLimitRange{LimitRange: bounds.Name, Type: item.Type, Resource: name, Most: most, Asks: want, Others: r.others},
					Evidence: []cause.Proof{{Object: ref, Field: "spec.limits[*].max." + string(name), Value: most.String()}}}, true
			}
		}
	}
	return cause.Cause{}, false
}
