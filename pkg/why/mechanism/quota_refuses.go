package mechanism

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// QuotaRefuses is a quota that has no room for one more executor, or that counts a limit which executors do not set: then the API server
// refuses every one of them (kubernetes.io/docs/concepts/policy/resource-quotas). Of a quota with scopes it is not known whether it counts
// executors, and where a LimitRange sets the limit they have one.
type QuotaRefuses struct {
	Quota    string
	Resource corev1.ResourceName
	Unset    bool // executors do not set what it counts: the numbers below are zero

	Missing          int // executors
	Asks, Hard, Used resource.Quantity
	Lacks            resource.Quantity // for all that are missing
	Holder           Holder
	Others           Others
}

// Stalls is that of the executors that run.
func (d QuotaRefuses) Stalls() bool { return d.Others.Stalls() }

// Mechanism returns its ID.
func (QuotaRefuses) Mechanism() cause.ID { return "quota-refuses" }

func quotaRefuses(r *admission) (cause.Cause, bool) {
	for i := range r.Quotas {
		q := &r.Quotas[i]
		if len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil {
			continue
		}
		if d, is := r.refusedBy(q); is {
			ref := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, UID: string(q.UID)}
			hard, used := q.Status.Hard[d.Resource], q.Status.Used[d.Resource]
			c := cause.Cause{Class: r.class(cause.Quota), Role: cause.ExecutorRole, Topics: ofMemory(namesMemory(string(d.Resource))),
				Trust: cause.ByEnvironment, Subject: ref, Detail: d,
				Evidence: []cause.Proof{{Object: ref, Field: "status.hard[" + string(d.Resource) + "]", Value: hard.String()},
					{Object: ref, Field: "status.used[" + string(d.Resource) + "]", Value: used.String()}}}
			if !d.Unset {
				c.Certainty = check.Likely
			}
			return c, true
		}
	}
	return cause.Cause{}, false
}

func (r *admission) refusedBy(q *corev1.ResourceQuota) (QuotaRefuses, bool) {
	for _, name := range sortedNames(q.Status.Hard) {
		hard, used := q.Status.Hard[name], q.Status.Used[name]
		want, sets := r.asks[name]
		switch {
		case name == "limits.cpu" && !sets && !defaultLimit(r.View, corev1.ResourceCPU):
			return QuotaRefuses{Quota: q.Name, Resource: name, Unset: true, Others: r.others}, true
		case sets && !want.IsZero():
			left := hard.DeepCopy()
			left.Sub(used)
			if left.Cmp(want) >= 0 {
				continue
			}
			d := QuotaRefuses{Quota: q.Name, Resource: name, Missing: r.missing, Asks: want, Hard: hard, Used: used,
				Holder: r.largestHolder(name), Others: r.others}
			d.lack()
			return d, true
		}
	}
	return QuotaRefuses{}, false
}

// ExecutorsOverQuota is the quota that refused the executors of a driver that runs and has none, by the API server's words in the log of
// the driver. One that refused claims looks alike, and so does one that lets some executors in.
func ExecutorsOverQuota(v *View, about *cause.Cause) (cause.Cause, bool) {
	f, _ := about.Detail.(logs.Failure)
	if !about.Topics.Has(cause.OverQuota) || about.Trust != cause.ByDriverLog || about.Role != cause.DriverRole ||
		!v.DriverRuns() || v.Running() > 0 {
		return cause.Cause{}, false
	}
	r, known := NewMessages().Refused(f.Root.Message)
	if !known || r.Kind != QuotaExceeded {
		return cause.Cause{}, false
	}
	d := QuotaRefuses{Quota: r.Name, Resource: r.Amount.Resource, Missing: max(v.Spec.Asked(), 1), Asks: r.Amount.Asks, Used: r.Amount.Used,
		Hard: r.Amount.Limited}
	if _, ofPods, _ := counts(d.Resource, nil, nil); !ofPods {
		return cause.Cause{}, false
	}
	d.lack()
	out := cause.Cause{Class: cause.Quota, Certainty: about.Certainty, Role: cause.ExecutorRole, Topics: about.Topics, Trust: about.Trust,
		Subject: snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: v.AppRef().Namespace, Name: d.Quota}, At: about.At}
	if v.quota(d.Quota) != nil {
		d.Holder = v.largestHolder(d.Resource)
	}
	out.Detail = d
	return out, true
}

// lack computes what the quota lacks for all executors that are missing.
func (d *QuotaRefuses) lack() {
	left := d.Hard.DeepCopy()
	left.Sub(d.Used)
	d.Lacks = d.Asks.DeepCopy()
	d.Lacks.Mul(int64(d.Missing))
	d.Lacks.Sub(left)
}
