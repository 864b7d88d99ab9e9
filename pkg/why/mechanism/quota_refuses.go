package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
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
	Unset    bool   // executors do not set what it counts: the numbers below are zero
	Volume   string // of each executor, for whose claim it has no room; empty: it has none for the pod

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
// the driver: their pods, or the claims that the driver makes for them. One that lets some executors in looks alike.
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
		if d.Volume = claimedFor(v, d.Resource, f.Root.Message); d.Volume == "" {
			return cause.Cause{}, false
		}
	}
	d.lack()
	out := cause.Cause{Class: cause.Quota, Certainty: about.Certainty, Role: cause.ExecutorRole, Topics: about.Topics, Trust: about.Trust,
		Subject: snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: v.AppRef().Namespace, Name: d.Quota}, At: about.At}
	if v.quota(d.Quota) != nil && d.Volume == "" {
		d.Holder = v.largestHolder(d.Resource)
	}
	out.Detail = d
	return out, true
}

// executorClaim matches the words about a claim that the driver makes for an executor (MountVolumesFeatureStep.scala in
// resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features@v3.5.5, where claimName is OnDemand).
var executorClaim = lazyregexp.New(`persistentvolumeclaims \\*"[^"\\]{1,253}-exec-\d{1,9}-pvc-\d{1,3}\\*" is forbidden`)

// ClaimSettings begins the settings of the volumes that the driver makes claims for.
const ClaimSettings = "spark.kubernetes.executor.volumes.persistentVolumeClaim."

// claimedFor is the volume for whose claim a quota has no room, where it is the only one that the driver makes claims for: of several it is
// not known which one is refused. Empty: it is another object, or there are several.
func claimedFor(v *View, counted corev1.ResourceName, said string) string {
	var volumes []string
	for key, value := range v.Spec.Conf {
		rest, is := strings.CutPrefix(key, ClaimSettings)
		volume, named := strings.CutSuffix(rest, ".options.claimName")
		if is && named && value == "OnDemand" {
			volumes = append(volumes, volume)
		}
	}
	if len(volumes) != 1 || !countsClaims(counted) || !executorClaim.MatchString(said) {
		return ""
	}
	return volumes[0]
}

// countsClaims reports whether a quota counts claims by that name, or how many bytes they ask for (pkg/quota/v1/evaluator/core/
// persistent_volume_claims.go of kubernetes@v1.36.3).
func countsClaims(name corev1.ResourceName) bool {
	return name == corev1.ResourcePersistentVolumeClaims || name == "count/persistentvolumeclaims" || name == corev1.ResourceRequestsStorage ||
		strings.Contains(string(name), ".storageclass.storage.k8s.io/")
}

// Needs is what the quota must allow for all executors that are missing.
func (d *QuotaRefuses) Needs() resource.Quantity {
	needs := d.Hard.DeepCopy()
	needs.Add(d.Lacks)
	return needs
}

// Left is what the quota has.
func (d *QuotaRefuses) Left() resource.Quantity {
	left := d.Hard.DeepCopy()
	left.Sub(d.Used)
	return left
}

// lack computes what the quota lacks for all executors that are missing.
func (d *QuotaRefuses) lack() {
	d.Lacks = d.Asks.DeepCopy()
	d.Lacks.Mul(int64(d.Missing))
	d.Lacks.Sub(d.Left())
}
