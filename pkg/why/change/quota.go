package change

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// quota is about executors for which a ResourceQuota has no room, and pods that do not set what it counts.
func quota(v *mechanism.View, c *cause.Cause) []Change {
	switch d := c.Detail.(type) {
	case mechanism.QuotaRefuses:
		if d.Unset {
			return []Change{set(v, coreLimit(cause.ExecutorRole), cores(cause.ExecutorRole).now(v), Counts{d.Quota, string(d.Resource)})}
		}
		if d.Asks.Cmp(d.Hard) > 0 {
			return leftOver(v, cause.ExecutorRole, d.Quota, d.Resource, d.Hard, d.Used)
		}
		return fitting(v, &d)
	case mechanism.SubmissionRefused:
		if d.Refusal.Kind == mechanism.QuotaExceeded {
			return driverTooLarge(v, &d.Refusal)
		}
		return withLimit(v, &d.Refusal)
	case logs.Failure:
		return loggedUnset(v, &d)
	case mechanism.QueueFull:
		return inQueue(v, &d.Room)
	case mechanism.QuotaHeld:
		return oneRunAtATime(v, &d)
	}
	return nil
}

// inQueue is how many executors fit the capability of a queue, into which a group is let at once or never.
func inQueue(v *mechanism.View, r *mechanism.QueueRoom) []Change {
	if !r.Never || r.Fits < 1 || r.Fits >= v.Spec.Asked() {
		return nil
	}
	return []Change{setNumber(v, instances(), r.Fits, FitsQueue{r.Queue.Name, r.Short})}
}

// oneRunAtATime keeps runs of a schedule from sharing a quota that has no room for them.
func oneRunAtATime(v *mechanism.View, d *mechanism.QuotaHeld) []Change {
	if d.Schedule == "" || v.Schedule == nil {
		return nil
	}
	out := Change{Object: v.Schedule.Ref(), Path: []string{"spec", "concurrencyPolicy"}, Implied: "Allow", To: "Forbid",
		Because: HoldsQuota{Runs: len(d.By), Quota: d.Quota}}
	if now := v.Schedule.ConcurrencyPolicy; now != "" {
		out.From, out.Implied = now, ""
	}
	return []Change{out}
}

// fitting is how many executors the quota has room for, beside those that run.
func fitting(v *mechanism.View, d *mechanism.QuotaRefuses) []Change {
	left := d.Left()
	if d.Asks.MilliValue() <= 0 || left.Sign() < 0 {
		return nil
	}
	n := v.Running() + int(left.MilliValue()/d.Asks.MilliValue())
	noFewer := v.Spec.Asked() > 0 && n >= v.Spec.Asked()
	if n < 1 || noFewer || v.Running() >= n {
		return nil // it goes on with as many already: to start it again with the same number helps nothing
	}
	because, f := FitsQuota{d.Quota, string(d.Resource)}, instances()
	if !v.Spec.Allocates() {
		return []Change{setNumber(v, f, n, because)}
	}
	object, prefix := owner(v)
	if most := v.Spec.DynamicAllocation.MaxExecutors; v.Spec.DynamicAllocation.Enabled && object.Name != "" {
		c := Change{Object: object, Path: below(prefix, "dynamicAllocation", "maxExecutors"), To: n, Because: because}
		if most != nil {
			c.From = *most
		}
		return []Change{c}
	}
	return []Change{setNumber(v, field{setting: "spark.dynamicAllocation.maxExecutors"}, n, because)}
}

// driverTooLarge is about a driver that asks for more than a quota allows all pods together. What others use for now may be free later.
func driverTooLarge(v *mechanism.View, r *mechanism.Refusal) []Change {
	if a := &r.Amount; v.IsConnect() || r.OfWebUI || a.Asks.Cmp(a.Limited) <= 0 {
		return nil
	}
	return leftOver(v, cause.DriverRole, r.Name, r.Amount.Resource, r.Amount.Limited, r.Amount.Used)
}

// leftOver is a pod of a role that is as large as what a quota has left, where that is memory: cores decide how fast it is, and are given
// by other fields.
func leftOver(v *mechanism.View, role cause.Role, quota string, of corev1.ResourceName, hard, used resource.Quantity) []Change {
	left := hard.DeepCopy()
	left.Sub(used)
	if left.Sign() <= 0 || of != corev1.ResourceRequestsMemory && of != corev1.ResourceLimitsMemory && of != corev1.ResourceMemory {
		return nil
	}
	return smaller(v, role, left.Value()>>20, LeftOfQuota{quota, string(of)})
}

// loggedUnset is the limit of CPU that a quota counts, where only the driver's log tells of it: Spark sets a limit of memory itself, and
// none of CPU (BasicExecutorFeatureStep.scala of apache/spark@00012ecc).
func loggedUnset(v *mechanism.View, f *logs.Failure) []Change {
	known, is := f.Meaning.(logs.Known)
	if !is || known.Signature.ID != "quota-must-specify" || known.Groups["what"] != string(corev1.ResourceLimitsCPU) {
		return nil
	}
	limit := coreLimit(cause.ExecutorRole)
	if limit.now(v) != "" {
		return nil // it has one: another container lacks it
	}
	return []Change{set(v, limit, cores(cause.ExecutorRole).now(v), Counts{known.Groups["quota"], known.Groups["what"]})}
}

// limits are about pods that a LimitRange does not allow, or whose limit is below their request.
func limits(v *mechanism.View, c *cause.Cause) []Change {
	switch d := c.Detail.(type) {
	case mechanism.SubmissionRefused:
		return ofDriver(v, &d.Refusal)
	case mechanism.LimitBelowRequest:
		return []Change{set(v, coreLimit(cause.ExecutorRole), cpu(d.Asks), Reaches{})}
	case mechanism.AboveLimitRange:
		because := FitsRange{d.LimitRange}
		switch d.Resource {
		case corev1.ResourceMemory:
			return smaller(v, cause.ExecutorRole, d.Most.Value()>>20, because)
		case corev1.ResourceCPU:
			return []Change{set(v, coreLimit(cause.ExecutorRole), cpu(d.Most), because)}
		}
	}
	return nil
}

// ofDriver is what the driver may ask for, where the API server did not let spark-submit create it.
func ofDriver(v *mechanism.View, r *mechanism.Refusal) []Change {
	e := r.Exceeds
	if e == nil || v.IsConnect() {
		return nil
	}
	because := FitsRange{}
	for i := range v.LimitRanges {
		for _, item := range v.LimitRanges[i].Spec.Limits {
			if most, bounds := item.Max[e.Resource]; bounds && most.Cmp(e.Most) == 0 {
				because.LimitRange = v.LimitRanges[i].Name
			}
		}
	}
	switch {
	case e.OwnLimit && e.Resource == corev1.ResourceCPU:
		return []Change{set(v, coreLimit(cause.DriverRole), cpu(e.Asks), Reaches{})}
	case e.OwnLimit || because.LimitRange == "":
		return nil
	case e.Resource == corev1.ResourceMemory:
		return smaller(v, cause.DriverRole, e.Most.Value()>>20, because)
	default:
		return []Change{set(v, coreLimit(cause.DriverRole), cpu(e.Most), because)}
	}
}

func cpu(q resource.Quantity) string { return q.String() }

// withLimit sets the limit of CPU that a quota counts or a policy asks for, where the spec leaves it out.
func withLimit(v *mechanism.View, r *mechanism.Refusal) []Change {
	if !slices.Contains(r.Unset, corev1.ResourceLimitsCPU) {
		return nil
	}
	var because Reason = Counts{r.Name, string(corev1.ResourceLimitsCPU)}
	if r.Kind != mechanism.QuotaCountsUnset {
		if f := coreLimit(cause.DriverRole); f.now(v) != "" {
			return nil // it has one: the policy may ask for another, or other containers lack it
		}
		because = AsksFor{Policy: r.Name}
	}
	return []Change{set(v, coreLimit(cause.DriverRole), cores(cause.DriverRole).now(v), because)}
}
