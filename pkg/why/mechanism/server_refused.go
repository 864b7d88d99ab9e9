package mechanism

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServerImageUnset is a spec that names no image (mutateServerPod in reconciler.go and imageOption in options.go,
// internal/controller/sparkconnect@v2.5.2). Since 2.5.0 the webhook refuses most of these.
type ServerImageUnset struct{}

// Mechanism names it.
func (ServerImageUnset) Mechanism() cause.ID { return "server-image-unset" }

// ServerAccountMissing is a server pod whose service account does not exist.
type ServerAccountMissing struct{ Account string }

// Mechanism names it.
func (ServerAccountMissing) Mechanism() cause.ID { return "server-account-missing" }

// ServerQuotaLacks is a quota, the subject, that has no room for the server pod, or that counts what the pod does not set and nothing sets
// for it: then the API server refuses it (kubernetes.io/docs/concepts/policy/resource-quotas).
type ServerQuotaLacks struct {
	Resource         string
	Unset            string // field of the container that is not set; empty: there is no room
	Want, Used, Hard string
}

// Mechanism names it.
func (ServerQuotaLacks) Mechanism() cause.ID { return "server-quota-lacks" }

// serverRefused computes why the server pod cannot be created. What the operator's log says of it comes before.
func serverRefused(v *View) (cause.Cause, bool) {
	c := cause.Cause{Class: cause.Configuration, Role: cause.DriverRole, Subject: v.AppRef()}
	if serverContainer(v).Image == "" && v.Spec.Image == "" {
		c.Trust, c.Detail = cause.BySpec, ServerImageUnset{}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.image", Value: "not set"}}
		return c, true
	}
	p := planned(v)
	if name := p.Spec.ServiceAccountName; name != "" && name != "default" && !v.mayMiss("serviceaccounts") &&
		!slices.ContainsFunc(v.ServiceAccounts, func(a corev1.ServiceAccount) bool { return a.Name == name }) {
		c.Trust, c.Detail = cause.ByEnvironment, ServerAccountMissing{Account: name}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.server.template.spec.serviceAccountName", Value: name}}
		return c, true
	}
	return serverQuotaLacks(v, p)
}

// planned is the server pod that the spec asks for.
func planned(v *View) *corev1.Pod {
	p := &corev1.Pod{Spec: *v.Spec.Server.Template.Pod.DeepCopy()}
	p.Spec.ServiceAccountName = cmp.Or(p.Spec.ServiceAccountName, p.Spec.DeprecatedServiceAccount)
	if len(p.Spec.Containers) == 0 {
		p.Spec.Containers = []corev1.Container{{Name: "spark-kubernetes-driver"}}
	}
	return p
}

func serverQuotaLacks(v *View, p *corev1.Pod) (cause.Cause, bool) {
	requests, limits := helpers.PodRequests(p, helpers.PodResourcesOptions{}), helpers.PodLimits(p, helpers.PodResourcesOptions{})
	for i := range v.Quotas {
		q := &v.Quotas[i]
		if len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil {
			continue // whether it counts this pod is not known
		}
		for _, name := range sortedNames(q.Status.Hard) {
			want, counted, sets := counts(name, requests, limits)
			byDefault := !sets && defaulted(v, name)
			if byDefault || !counted {
				continue
			}
			hard, used := q.Status.Hard[name], q.Status.Used[name]
			lacks := ServerQuotaLacks{Resource: string(name), Used: used.String(), Hard: hard.String()}
			if sets {
				left := hard.DeepCopy()
				left.Sub(used)
				if left.Cmp(want) >= 0 {
					continue
				}
				lacks.Want = want.String()
			} else {
				lacks.Unset = resourceField(name)
			}
			return overQuota(q, lacks), true
		}
	}
	return cause.Cause{}, false
}

func overQuota(q *corev1.ResourceQuota, lacks ServerQuotaLacks) cause.Cause {
	ref := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, UID: string(q.UID)}
	c := cause.Cause{Class: cause.Quota, Role: cause.DriverRole, Certainty: check.Likely, Trust: cause.ByEnvironment, Subject: ref,
		Detail: lacks, Evidence: []cause.Proof{{Object: ref, Field: "status.hard[" + lacks.Resource + "]", Value: lacks.Hard},
			{Object: ref, Field: "status.used[" + lacks.Resource + "]", Value: lacks.Used}}}
	if strings.HasSuffix(lacks.Resource, "memory") {
		c.Topics = cause.Memory
	}
	return c
}
