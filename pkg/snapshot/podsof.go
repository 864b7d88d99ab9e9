package snapshot

import (
	"cmp"
	"strings"
)

// jobs are the pods of each application: parts of one list, for a map of lists that grow one by one takes more than the
// pods themselves.
type jobs map[[2]string]podList

// jobsOf cuts pods, sorted by namespace and application, at each application. Most pods are named after theirs, so that
// there is little to sort.
func jobsOf(pods podList) jobs {
	type labelled struct {
		app string
		pod *Pod
	}
	list := make([]labelled, 0, len(pods))
	for _, p := range pods {
		if app := p.App(); app != "" {
			list = append(list, labelled{app, p})
		}
	}
	sortUnsorted(list, func(a, b labelled) int {
		return cmp.Or(strings.Compare(a.pod.Namespace, b.pod.Namespace), strings.Compare(a.app, b.app))
	})
	sorted, out, from := make(podList, len(list)), jobs{}, 0
	for i, one := range list {
		sorted[i] = one.pod
		if i+1 == len(list) || list[i+1].app != one.app || list[i+1].pod.Namespace != one.pod.Namespace {
			out[[2]string{one.pod.Namespace, one.app}] = sorted[from : i+1 : i+1]
			from = i + 1
		}
	}
	return out
}

// PodsOf returns the Spark pods of a namespace that are labelled with the name of an application. The slice and what it
// holds must not be changed.
func (s *Snapshot) PodsOf(namespace, app string) []*Pod {
	s.use(SparkPods)
	return s.records.jobs[[2]string{namespace, app}]
}
