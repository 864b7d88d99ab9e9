package scan

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// scope is what the findings are about, for the report.
func (r *run) scope(s *snapshot.Snapshot) report.Scope {
	scope := report.Scope{
		Namespaces: append([]string{}, r.namespaces...), Level: r.Subjects.Level, Selector: r.Subjects.Selector,
		Installations: []report.Installation{},
	}
	for _, key := range r.selection.Objects {
		scope.Objects = append(scope.Objects, strings.ToLower(key.Kind)+"/"+key.Name)
	}
	for _, in := range operator.Find(s.Deployments()) {
		one := report.Installation{Namespace: in.Namespace, Name: in.Name, Version: in.Stated}
		if !in.Recognised {
			one.JudgedAs = in.Judged().String()
			if in.Judged().Unreleased {
				one.Unreleased = operator.NextText()
			}
		}
		one.Leading = leading(s, &in)
		scope.Installations = append(scope.Installations, one)
	}
	return scope
}

// leading is since when the replica leads that holds the controller's lease; nil without leader election, or where no lease was seen.
func leading(s *snapshot.Snapshot, in *operator.Installation) *time.Time {
	for _, lease := range s.Leases() {
		if lease.Key() == in.ControllerLease() && lease.Holder != "" && !lease.Acquired.IsZero() {
			return &lease.Acquired
		}
	}
	return nil
}

// noteScope says what is judged, and what is assumed about the operator. Of plain files that is known.
func (r *run) noteScope(in input) {
	if in.source.Type == "files" {
		return
	}
	what := "all namespaces"
	if r.namespaces != nil {
		what = "namespace " + few(r.namespaces)
	}
	if r.Subjects.Selector != "" {
		what += ", objects with " + r.Subjects.Selector
	}
	r.note("scope: %s of %s", what, in.source.Name)
	for _, one := range operator.Find(in.snapshot.Deployments()) {
		watches := "all namespaces"
		if list := one.Namespaces(); list != nil {
			watches = few(list)
		}
		text := fmt.Sprintf("operator %s in %s watches %s", one.Stated, one.Namespace, watches)
		if !one.Recognised {
			text += fmt.Sprintf("; no release that this build knows, "+
				"so it is judged as %s and what depends on the version is at most likely", one.Judged())
		}
		r.note("%s", text)
	}
}
