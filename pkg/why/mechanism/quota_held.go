package mechanism

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// QuotaHeld is who holds what a ResourceQuota counts, where it had no room for a pod of the application: the pods of other applications,
// or what their spec asks for where no pod of theirs was seen. Runs of the application's own schedule are among them where
// concurrencyPolicy is Allow, which it also is while nothing is set (shouldStartNextRun in internal/controller/scheduledsparkapplication/
// controller.go and api/v1beta2/scheduledsparkapplication_types.go@v2.5.2). Pods that were created after the refusal look alike, and so do
// those of a quota with scopes, of which it is not known what it counts.
type QuotaHeld struct {
	Quota    string
	Resource corev1.ResourceName
	By       []Holder // the largest first, at most three
	Schedule string   // of the application, where all of these are runs of it; empty: they are not
}

// Mechanism names it.
func (QuotaHeld) Mechanism() cause.ID { return "quota-held" }

// Holder is what holds a part of a quota beside the application. Zero: nothing does.
type Holder struct {
	Application string
	Connect     string // a SparkConnect
	Spark       string // what Spark calls an application that no operator started
	Pod         string // one of no application
	Holds       resource.Quantity
	BySpec      bool // no pod of it was seen: its spec asks for so much
}

// mostHolders are named.
const mostHolders = 3

// HeldQuota says who holds the quota that refused a pod.
func HeldQuota(v *View, about *cause.Cause) (cause.Cause, bool) {
	quota, of := refusedBy(about.Detail)
	q := v.quota(quota)
	if q == nil || of == "" {
		return cause.Cause{}, false
	}
	d := QuotaHeld{Quota: quota, Resource: of, By: v.holdersOf(of, about.At)}
	if len(d.By) == 0 {
		return cause.Cause{}, false
	}
	d.By = d.By[:min(len(d.By), mostHolders)]
	c := cause.Cause{Class: cause.Quota, Role: about.Role, Subject: about.Subject, Trust: cause.ByEnvironment}
	if s := v.Schedule; s != nil && (s.ConcurrencyPolicy == "" || s.ConcurrencyPolicy == "Allow") &&
		!slices.ContainsFunc(d.By, func(h Holder) bool { return !app.RunOf(s.Name, h.Application) }) {
		d.Schedule = s.Name
		c.Evidence = []cause.Proof{{Object: s.Ref(), Field: "spec.concurrencyPolicy", Value: cmp.Or(s.ConcurrencyPolicy, "not set: Allow")}}
	}
	c.Detail = d
	return c, true
}

// refusedBy is which quota refused a pod, and what of it lacks; empty: none did, or several things lack.
func refusedBy(detail cause.Detail) (quota string, of corev1.ResourceName) {
	switch d := detail.(type) {
	case SubmissionRefused:
		if d.Refusal.Kind == QuotaExceeded {
			return d.Refusal.Name, d.Refusal.Amount.Resource
		}
	case QuotaKeepsSlots:
		return d.Quota, d.Resource
	}
	return "", ""
}

// quota is one that counts all pods of the namespace; nil: it was not seen, or has scopes.
func (v *View) quota(name string) *corev1.ResourceQuota {
	for i := range v.Quotas {
		if q := &v.Quotas[i]; q.Name == name && len(q.Spec.Scopes) == 0 && q.Spec.ScopeSelector == nil {
			return q
		}
	}
	return nil
}

// largestHolder is which other application of the namespace holds the most of what a quota counts.
func (v *View) largestHolder(name corev1.ResourceName) Holder {
	if all := v.holdersOf(name, time.Time{}); len(all) > 0 {
		return all[0]
	}
	return Holder{}
}

// holdersOf are the other applications of the namespace that hold some of what a quota counts, and pods of none, the largest first. Of a
// time they held it already; zero: now.
func (v *View) holdersOf(name corev1.ResourceName, at time.Time) []Holder {
	type holder struct{ application, connect, spark, pod string }
	held, seen := map[holder]resource.Quantity{}, map[string]bool{}
	for i := range v.Neighbors {
		p := &v.Neighbors[i]
		if p.Namespace != v.Subject.Namespace {
			continue
		}
		who := holder{pod: p.Name}
		if app := p.Labels[snapshot.AppNameLabel]; app != "" {
			who, seen[app] = holder{application: app}, true
		} else if connect := p.Labels[snapshot.ConnectNameLabel]; connect != "" {
			who = holder{connect: connect}
		} else if spark := p.Labels[snapshot.SparkNameLabel]; spark != "" {
			who = holder{spark: spark}
		}
		later := !at.IsZero() && p.CreationTimestamp.After(at)
		if later || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		sum := held[who]
		sum.Add(counted(p, name))
		held[who] = sum
	}
	var out []Holder
	for who, q := range held {
		out = append(out, Holder{Application: who.application, Connect: who.connect, Spark: who.spark, Pod: who.pod, Holds: q})
	}
	for _, one := range v.Beside {
		later := !at.IsZero() && one.Status.Submitted.After(at)
		if q := askedFor(one, name); !seen[one.Name] && !later {
			out = append(out, Holder{Application: one.Name, Holds: q, BySpec: true})
		}
	}
	out = slices.DeleteFunc(out, func(h Holder) bool { return h.Holds.IsZero() })
	slices.SortFunc(out, func(a, b Holder) int {
		return cmp.Or(b.Holds.Cmp(a.Holds), strings.Compare(a.Pod, b.Pod), strings.Compare(a.Application, b.Application),
			strings.Compare(a.Connect, b.Connect), strings.Compare(a.Spark, b.Spark))
	})
	return out
}

// askedFor is what the driver of an application that runs, and its executors by its status, ask for by its spec.
func askedFor(a *app.Application, name corev1.ResourceName) resource.Quantity {
	sum := requestsOf(&a.Spec, "driver")[name].DeepCopy()
	one := requestsOf(&a.Spec, "executor")[name]
	for _, state := range slices.Sorted(maps.Values(a.Status.ExecutorStates)) {
		if state == "RUNNING" || state == "PENDING" {
			sum.Add(one)
		}
	}
	return sum
}

// counted is what a pod takes of a quota (kubernetes pkg/quota/v1/evaluator/core/pods.go@v1.36.3).
func counted(p *corev1.Pod, name corev1.ResourceName) resource.Quantity {
	if name == "pods" || name == "count/pods" {
		return *resource.NewQuantity(1, resource.DecimalSI)
	}
	if of, is := strings.CutPrefix(string(name), "limits."); is {
		return helpers.PodLimits(p, helpers.PodResourcesOptions{})[corev1.ResourceName(of)]
	}
	return helpers.PodRequests(p, helpers.PodResourcesOptions{})[corev1.ResourceName(strings.TrimPrefix(string(name), "requests."))]
}
