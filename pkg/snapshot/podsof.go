package snapshot

import (
	"cmp"
	"slices"
	"strings"
)

// jobs are the pods of each application: parts of one list, for a map of lists that grow one by one takes more than the
// pods themselves.
type jobs map[[2]string][]*Pod

// jobsOf cuts pods, sorted by namespace and application, at each application. Most pods are named after theirs, so that
// they are in that order already.
func jobsOf(pods []*Pod) jobs {
	sorted := pods
	order := func(a, b *Pod) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.App(), b.App()))
	}
	if !slices.IsSortedFunc(pods, order) {
		sorted = slices.Clone(pods)
		slices.SortStableFunc(sorted, order)
	}
	out, from, app := make(jobs, len(pods)/manyPods), 0, ""
	for i, p := range sorted {
		if name := p.App(); i == from || name != app || p.Namespace != sorted[from].Namespace {
			out.put(sorted[from:i], app)
			from, app = i, name
		}
	}
	out.put(sorted[from:], app)
	return out
}

// manyPods are as many as an application has as a rule: it only decides for how many applications there is room at first.
const manyPods = 8

func (j jobs) put(pods []*Pod, app string) {
	if app != "" && len(pods) > 0 {
		j[[2]string{pods[0].Namespace, app}] = slices.Clip(pods)
	}
}

// PodsOf returns the Spark pods of a namespace that are labelled with the name of an application. The slice and what it
// holds must not be changed.
func (s *Snapshot) PodsOf(namespace, app string) []*Pod {
	s.use(SparkPods)
	return s.records.jobs[[2]string{namespace, app}]
}
