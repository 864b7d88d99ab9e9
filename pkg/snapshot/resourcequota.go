package snapshot

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// ResourceQuota is what a quota leaves to the pods of its namespace, as the API server counts it.
type ResourceQuota struct {
	Object
	Scoped bool // it counts only some pods
	Limits []QuotaLimit
}

// QuotaLimit is one resource of a quota, with quantities as Kubernetes writes them.
type QuotaLimit struct{ Resource, Hard, Used string }

func resourceQuotaFrom(q *corev1.ResourceQuota, loc Location) ResourceQuota {
	out := ResourceQuota{Object: objectFrom("v1", "ResourceQuota", &q.ObjectMeta, loc), Scoped: len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil}
	for name, hard := range q.Status.Hard {
		used := q.Status.Used[name]
		out.Limits = append(out.Limits, QuotaLimit{string(name), hard.String(), used.String()})
	}
	slices.SortFunc(out.Limits, func(a, b QuotaLimit) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}

// ResourceQuotas returns the quotas.
func (s *Snapshot) ResourceQuotas() []ResourceQuota { return read[ResourceQuota](s, ResourceQuotas) }
