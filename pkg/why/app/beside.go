package app

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// earlier keeps the run of the schedule that was created last before the application.
func (s *sorter) earlier(objects []unstructured.Unstructured) {
	a := s.e.Application
	if a == nil || s.e.Schedule == nil {
		return
	}
	for i := range objects {
		o := &objects[i]
		of := slices.ContainsFunc(o.GetOwnerReferences(), ownedBy(schedule, s.e.Schedule.Name))
		if !of || o.GetKind() != "SparkApplication" || ofApache(o) || o.GetNamespace() != a.Namespace {
			continue
		}
		if at := o.GetCreationTimestamp(); !at.Before(&a.CreationTimestamp) || s.e.Earlier != nil && at.Before(&s.e.Earlier.CreationTimestamp) {
			continue
		}
		s.e.Earlier = Decode(o)
	}
}

// beside keeps the other applications that hold some of a quota (api/v1beta2/sparkapplication_types.go@v2.5.2).
func (s *sorter) beside(objects []unstructured.Unstructured) {
	for i := range objects {
		o := &objects[i]
		if len(s.e.Quotas) == 0 || o.GetKind() != "SparkApplication" || ofApache(o) || o.GetNamespace() != s.e.Subject.Namespace ||
			o.GetName() == s.application() {
			continue
		}
		if a := Decode(o); a.Status.State == "RUNNING" || a.Status.State == "SUBMITTED" {
			s.e.Beside = append(s.e.Beside, a)
		}
	}
	slices.SortFunc(s.e.Beside, func(a, b *Application) int { return cmp.Compare(a.Name, b.Name) })
}
