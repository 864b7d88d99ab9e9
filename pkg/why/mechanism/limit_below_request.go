package mechanism

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// LimitBelowRequest is executors that ask for more CPU than their limit allows, which the API server does not admit
// (ValidateContainerResourceRequirements in kubernetes pkg/apis/core/validation/validation.go@v1.36.3). The limit may be one that a
// LimitRange sets where the spec does not.
type LimitBelowRequest struct {
	Asks, Limit resource.Quantity // CPU
	LimitRange  string            // that sets the limit; empty: the spec does
	Others      Others
}

// Mechanism returns its ID.
func (LimitBelowRequest) Mechanism() cause.ID { return "limit-below-request" }

func limitBelowRequest(r *admission) (cause.Cause, bool) {
	want, sets := r.asks["requests.cpu"]
	limit, has := r.asks["limits.cpu"]
	ref, field := r.AppRef(), "spec.executor.coreLimit"
	by := "" // the LimitRange that sets it
	if !has {
		if limit, by, has = defaultOf(r.View, corev1.ResourceCPU); has {
			ref = snapshot.Ref{APIVersion: "v1", Kind: "LimitRange", Namespace: r.Subject.Namespace, Name: by}
			field = "spec.limits[*].default.cpu"
		}
	}
	if !sets || !has || limit.Cmp(want) >= 0 {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: r.class(cause.Configuration), Role: cause.ExecutorRole, Certainty: check.Likely, Trust: cause.ByEnvironment,
		Subject: r.AppRef(), Detail: LimitBelowRequest{Asks: want, Limit: limit, LimitRange: by, Others: r.others},
		Evidence: []cause.Proof{{Object: ref, Field: field, Value: limit.String()},
			{Object: r.AppRef(), Field: "spec.executor.cores", Value: want.String()}}}, true
}

// defaultLimit reports whether a LimitRange sets a limit that a pod does not.
func defaultLimit(v *View, name corev1.ResourceName) bool {
	_, _, has := defaultOf(v, name)
	return has
}

func defaultOf(v *View, name corev1.ResourceName) (limit resource.Quantity, by string, has bool) {
	for i := range v.LimitRanges {
		for _, item := range v.LimitRanges[i].Spec.Limits {
			if limit, has = item.Default[name]; has && item.Type == corev1.LimitTypeContainer {
				return limit, v.LimitRanges[i].Name, true
			}
		}
	}
	return limit, "", false
}
