package facts

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Quotas are those of each namespace that count all of its pods.
func Quotas() check.Fact[map[string][]*snapshot.ResourceQuota] {
	return check.Fact[map[string][]*snapshot.ResourceQuota]{
		Name:  "quotas",
		Needs: []snapshot.Need{{View: snapshot.ResourceQuotas, Role: snapshot.Optional}},
		Make:  quotasOf,
	}
}

func quotasOf(p *check.Pass) map[string][]*snapshot.ResourceQuota {
	out, all := map[string][]*snapshot.ResourceQuota{}, p.ResourceQuotas()
	for i := range all {
		if q := &all[i]; !q.Scoped {
			out[q.Namespace] = append(out[q.Namespace], q)
		}
	}
	return out
}

// NoRoom returns the first resource of which a quota has not enough left for one more executor; of an unknown size, of which
// nothing is left. A limit of memory is at least as large as the request.
func NoRoom(q *snapshot.ResourceQuota, size snapshot.Requests) *snapshot.QuotaLimit {
	for i := range q.Limits {
		limit := &q.Limits[i]
		var more *resource.Quantity
		switch limit.Resource {
		case "pods", "count/pods":
			more = resource.NewQuantity(1, resource.DecimalSI)
		case "cpu", "requests.cpu":
			more = resource.NewMilliQuantity(max(size.MilliCPU, 1), resource.DecimalSI)
		case "memory", "requests.memory", "limits.memory":
			more = resource.NewQuantity(max(size.Memory, 1), resource.BinarySI)
		default:
			continue
		}
		hard, err := resource.ParseQuantity(limit.Hard)
		used, err2 := resource.ParseQuantity(limit.Used)
		if err != nil || err2 != nil {
			continue
		}
		if more.Add(used); more.Cmp(hard) > 0 {
			return limit
		}
	}
	return nil
}
