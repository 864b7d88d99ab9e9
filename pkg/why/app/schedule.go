package app

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// lastRuns is of the runs of a schedule that still exist the last one that failed, and the newest one if that is another. If none failed,
// or as many completed since as show that the schedule recovered from that one, it is the newest.
func lastRuns(objects []unstructured.Unstructured, of *Schedule) (run, newest *Application, from string) {
	var runs []*Application
	for i := range objects {
		o := &objects[i]
		if o.GetKind() != "SparkApplication" || ofApache(o) || o.GetNamespace() != of.Namespace {
			continue
		}
		owned := slices.ContainsFunc(o.GetOwnerReferences(), ownedBy(schedule, of.Name))
		if owned || o.GetName() == of.LastRun || o.GetLabels()["sparkoperator.k8s.io/scheduled-app-name"] == of.Name {
			runs = append(runs, Decode(o))
		}
	}
	if len(runs) == 0 {
		return nil, nil, ""
	}
	slices.SortFunc(runs, func(a, b *Application) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	at, since := len(runs)-1, 0
	for i, one := range runs {
		switch {
		case one.Failed():
			at, since = i, 0
		case one.Status.State == "COMPLETED":
			since++
		}
	}
	if at < len(runs)-1 && since >= recovered {
		return runs[len(runs)-1], nil, runs[at].Name
	}
	if at == len(runs)-1 {
		return runs[at], nil, ""
	}
	return runs[at], runs[len(runs)-1], ""
}

// recovered is how many runs complete after one that failed, until that one is history. One may be luck, and is what a user asks about
// who was paged for the one before.
const recovered = 2

func scheduleNamed(objects []unstructured.Unstructured, namespace, name string) *Schedule {
	for i := range objects {
		if o := &objects[i]; o.GetNamespace() == namespace && o.GetKind() == schedule && o.GetName() == name {
			return decodeSchedule(o)
		}
	}
	return nil
}
