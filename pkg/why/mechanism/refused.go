package mechanism

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// someMissing is about a job that runs with a part of its executors, while the API server refuses the others.
func someMissing(v *View) []cause.Cause {
	n := v.Running()
	missing := v.Asked() - n - len(v.pendingExecutors())
	if !v.driverRuns() || n == 0 || missing <= 0 || v.ended("COMPLETED") || v.Now.Sub(v.Driver.CreationTimestamp.Time) < 2*time.Minute {
		return nil
	}
	c, refused := v.refused(missing)
	if !refused {
		return nil
	}
	c.Class = cause.SlowButProgressing
	c.Message = fmt.Sprintf("%d of %d executors run and the job goes on without the rest: %s", n, v.Asked(), c.Message)
	return []cause.Cause{c}
}

// refused computes whether the API server refuses executors that are missing: by a quota, a LimitRange, or a limit below the request.
func (v *View) refused(missing int) (cause.Cause, bool) {
	asks := v.executorRequests()
	if c, is := v.limitBelowRequest(asks); is {
		return c, true
	}
	if c, is := v.aboveRange(asks); is {
		return c, true
	}
	for i := range v.Quotas {
		q := &v.Quotas[i]
		if len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil {
			continue // whether it counts executors is not known
		}
		if c, is := v.quotaRefuses(q, asks, missing); is {
			return c, true
		}
	}
	return cause.Cause{}, false
}

// quotaRefuses computes whether a quota has no room for one more executor, or wants a limit that executors do not set: then the API server
// refuses every one of them (kubernetes.io/docs/concepts/policy/resource-quotas).
func (v *View) quotaRefuses(q *corev1.ResourceQuota, asks corev1.ResourceList, missing int) (cause.Cause, bool) {
	ref := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, UID: string(q.UID)}
	for _, name := range sortedNames(q.Status.Hard) {
		hard, used := q.Status.Hard[name], q.Status.Used[name]
		want, sets := asks[name]
		c := cause.Cause{Class: cause.Quota, Trust: cause.ByEnvironment, Subject: ref,
			Evidence: []cause.Proof{{Object: ref, Field: "status.hard[" + string(name) + "]", Value: hard.String()},
				{Object: ref, Field: "status.used[" + string(name) + "]", Value: used.String()}}}
		switch {
		case name == "limits.cpu" && !sets && !v.defaultLimit(corev1.ResourceCPU):
			c.Message = fmt.Sprintf("ResourceQuota %s counts limits.cpu, which executors do not set, so the API server refuses every executor "+
				"(must specify limits.cpu)", q.Name)
			c.Next = []command.Command{command.Do("set executor.coreLimit (spark.kubernetes.executor.limit.cores), or a LimitRange with a " +
				"default for cpu")}
			return c, true
		case sets && !want.IsZero():
			left := hard.DeepCopy()
			left.Sub(used)
			if left.Cmp(want) >= 0 {
				continue
			}
			lacks := multiplied(want, missing)
			lacks.Sub(left)
			c.Certainty = check.Likely
			c.Message = fmt.Sprintf("ResourceQuota %s lacks %s of %s %s for %s of %s each (%s used)", q.Name, amount(lacks, name),
				amount(hard, name), name, facts.Counted(missing, "more executor"), amount(want, name), amount(used, name))
			if held := v.largestHolder(name); held != "" {
				c.Message += "; " + held
			}
			c.Next = []command.Command{command.Do("free quota %s, raise it, or ask for fewer or smaller executors", q.Name).On("describe", ref)}
			return c, true
		}
	}
	return cause.Cause{}, false
}

func multiplied(q resource.Quantity, n int) resource.Quantity {
	out := q.DeepCopy()
	out.Mul(int64(n))
	return out
}

// largestHolder says which other application of the namespace holds the most of what a quota counts.
func (v *View) largestHolder(name corev1.ResourceName) string {
	held := map[string]resource.Quantity{}
	for i := range v.Neighbors {
		p := &v.Neighbors[i]
		if p.Namespace != v.Subject.Namespace || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		who := "pod " + p.Name
		if app := p.Labels["sparkoperator.k8s.io/app-name"]; app != "" {
			who = "application " + app
		}
		sum := held[who]
		sum.Add(counted(p, name))
		held[who] = sum
	}
	if len(held) == 0 {
		return ""
	}
	most := slices.MaxFunc(slices.Sorted(maps.Keys(held)), func(a, b string) int {
		x, y := held[a], held[b]
		return cmp.Or(x.Cmp(y), strings.Compare(b, a))
	})
	if q := held[most]; !q.IsZero() {
		return fmt.Sprintf("%s holds %s", most, amount(q, name))
	}
	return ""
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

// defaultLimit reports whether a LimitRange sets a limit that a pod does not.
func (v *View) defaultLimit(name corev1.ResourceName) bool {
	_, _, has := v.defaultOf(name)
	return has
}

func (v *View) defaultOf(name corev1.ResourceName) (limit resource.Quantity, by string, has bool) {
	for i := range v.LimitRanges {
		for _, item := range v.LimitRanges[i].Spec.Limits {
			if limit, has = item.Default[name]; has && item.Type == corev1.LimitTypeContainer {
				return limit, v.LimitRanges[i].Name, true
			}
		}
	}
	return limit, "", false
}

// limitBelowRequest is about executors that ask for more CPU than their limit allows, which the API server does not admit
// (ValidateContainerResourceRequirements in kubernetes pkg/apis/core/validation/validation.go@v1.36.3).
func (v *View) limitBelowRequest(asks corev1.ResourceList) (cause.Cause, bool) {
	want, sets := asks["requests.cpu"]
	limit, has := asks["limits.cpu"]
	what, ref, field := "executor.coreLimit", v.AppRef(), "spec.executor.coreLimit"
	if !has {
		by := ""
		if limit, by, has = v.defaultOf(corev1.ResourceCPU); has {
			what = "the default limit of LimitRange " + by
			ref = snapshot.Ref{APIVersion: "v1", Kind: "LimitRange", Namespace: v.Subject.Namespace, Name: by}
			field = "spec.limits[*].default.cpu"
		}
	}
	if !sets || !has || limit.Cmp(want) >= 0 {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Trust: cause.ByEnvironment, Subject: v.AppRef(),
		Message: fmt.Sprintf("each executor asks for %s CPU and %s is %s, so the API server refuses every executor (a request must be less "+
			"than or equal to the limit)", amount(want, corev1.ResourceCPU), what, amount(limit, corev1.ResourceCPU)),
		Evidence: []cause.Proof{{Object: ref, Field: field, Value: limit.String()},
			{Object: v.AppRef(), Field: "spec.executor.cores", Value: want.String()}},
		Next: []command.Command{command.Do("set executor.coreLimit to %s or more, or executor.coreRequest to %s or less",
			amount(want, corev1.ResourceCPU), amount(limit, corev1.ResourceCPU))},
	}, true
}

// aboveRange is about executors that are larger than a LimitRange allows (kubernetes plugin/pkg/admission/limitranger@v1.36.3).
func (v *View) aboveRange(asks corev1.ResourceList) (cause.Cause, bool) {
	for i := range v.LimitRanges {
		r := &v.LimitRanges[i]
		for _, item := range r.Spec.Limits {
			for _, name := range sortedNames(item.Max) {
				most, want := item.Max[name], asks["limits."+name]
				if item.Type != corev1.LimitTypeContainer && item.Type != corev1.LimitTypePod || want.IsZero() || most.Cmp(want) >= 0 {
					continue
				}
				ref := snapshot.Ref{APIVersion: "v1", Kind: "LimitRange", Namespace: r.Namespace, Name: r.Name, UID: string(r.UID)}
				return cause.Cause{Class: cause.Quota, Certainty: check.Likely, Trust: cause.ByEnvironment, Subject: ref,
					Message: fmt.Sprintf("LimitRange %s allows a %s at most %s %s, and an executor has a limit of %s, so the API server refuses "+
						"every executor", r.Name, strings.ToLower(string(item.Type)), amount(most, name), name, amount(want, name)),
					Evidence: []cause.Proof{{Object: ref, Field: "spec.limits[*].max." + string(name), Value: most.String()}},
					Next:     []command.Command{command.Do("raise LimitRange %s, or lower what executors ask for", r.Name).On("describe", ref)},
				}, true
			}
		}
	}
	return cause.Cause{}, false
}

// noExecutors is about a driver that runs for minutes and has none.
func noExecutors(v *View) []cause.Cause {
	asked := v.Asked()
	if !v.driverRuns() || asked == 0 || v.Running()+len(v.pendingExecutors()) > 0 || v.Now.Sub(v.Driver.CreationTimestamp.Time).Minutes() < 5 {
		return nil
	}
	if len(v.Names()) > 0 && !v.ended("COMPLETED") {
		return nil // they were there: what ended them is said elsewhere
	}
	if v.ended("COMPLETED") {
		return nil
	}
	if v.IsConnect() {
		if _, down := v.serverEnd(); down || v.Partial != nil && v.Partial("pods") && len(v.Pods) < 2 {
			return nil // they follow the server, or are as likely to be missing from the input
		}
	}
	if c, refused := v.refused(asked); refused {
		return []cause.Cause{c}
	}
	return []cause.Cause{{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Trust: cause.ByPod, Subject: podRef(v.Driver),
		At: v.Driver.CreationTimestamp.UTC(),
		Message: fmt.Sprintf("none of %d executors exists although the %s runs since %s; its log says whether it asked for them", asked, v.Main(),
			ago(v, v.Driver.CreationTimestamp.Time)),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.executor.instances", Value: fmt.Sprint(asked)},
			{Object: v.AppRef(), Field: v.ExecutorsField(), Value: "empty"}},
		Next: []command.Command{command.Do("read the log of the %s", v.Main()).With("kubectl -n %s logs %s", v.Driver.Namespace, v.Driver.Name)},
	}}
}

// ended reports whether an executor is in a state by the operator's status.
func (v *View) ended(state string) bool {
	for _, s := range v.Names() {
		if s == state {
			return true
		}
	}
	return false
}
