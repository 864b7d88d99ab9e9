package mechanism

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// requestsOf is what one pod of a role asks for in the words of a quota, by the spec.
func requestsOf(spec *app.Spec, role string) corev1.ResourceList {
	out := corev1.ResourceList{}
	if m := spec.Memory(role); m.MiB > 0 {
		q := *resource.NewQuantity(m.MiB<<20, resource.BinarySI)
		for _, name := range []corev1.ResourceName{"requests.memory", "limits.memory", "memory"} {
			out[name] = q
		}
	}
	asks, conf := spec.Role(role), spec.Conf
	if asks.Cores > 0 {
		q := *resource.NewQuantity(int64(asks.Cores), resource.DecimalSI)
		out["requests.cpu"], out["cpu"] = q, q
	}
	if q, err := resource.ParseQuantity(cmp.Or(asks.CoreRequest, conf["spark.kubernetes."+role+".request.cores"])); err == nil {
		out["requests.cpu"], out["cpu"] = q, q
	}
	if q, err := resource.ParseQuantity(cmp.Or(asks.CoreLimit, conf["spark.kubernetes."+role+".limit.cores"])); err == nil {
		out["limits.cpu"] = q
	}
	out["pods"], out["count/pods"] = resource.MustParse("1"), resource.MustParse("1")
	return out
}

func sortedNames(list corev1.ResourceList) []corev1.ResourceName {
	out := make([]corev1.ResourceName, 0, len(list))
	for name := range list {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// counts is what a pod asks for in the words of a quota, whether a quota of that name counts pods at all, and whether the pod sets it.
func counts(name corev1.ResourceName, requests, limits corev1.ResourceList) (want resource.Quantity, counted, sets bool) {
	switch name {
	case "pods", "count/pods":
		return resource.MustParse("1"), true, true
	case "cpu", "requests.cpu":
		want, sets = requests[corev1.ResourceCPU]
	case "memory", "requests.memory":
		want, sets = requests[corev1.ResourceMemory]
	case "limits.cpu":
		want, sets = limits[corev1.ResourceCPU]
	case "limits.memory":
		want, sets = limits[corev1.ResourceMemory]
	default:
		return want, false, false
	}
	return want, true, sets
}

// defaulted reports whether a LimitRange sets what a quota counts for containers that do not.
func defaulted(v *View, name corev1.ResourceName) bool {
	text := strings.TrimPrefix(string(name), "requests.")
	of, limit := strings.CutPrefix(text, "limits.")
	for i := range v.LimitRanges {
		for _, item := range v.LimitRanges[i].Spec.Limits {
			_, request := item.DefaultRequest[corev1.ResourceName(of)]
			_, most := item.Default[corev1.ResourceName(of)]
			requested := request && !limit
			sets := most || requested
			if sets && item.Type == corev1.LimitTypeContainer {
				return true
			}
		}
	}
	return false
}

// resourceField is where a container sets what a quota counts.
func resourceField(name corev1.ResourceName) string {
	if strings.HasPrefix(string(name), "limits.") {
		return "resources." + string(name)
	}
	return "resources.requests." + strings.TrimPrefix(string(name), "requests.")
}
