package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ServesPods reports whether a fault of admission concerns the pods of a finding's applications: it is of their
// namespace, or of the installation that reconciles them, whose Deployment the finding names.
func ServesPods(f, fault *Finding) bool {
	switch fault.Object.Kind {
	case "Namespace":
		return fault.Object.Name == f.Object.Namespace
	case "ValidatingWebhookConfiguration":
		return false
	}
	names := append([]snapshot.Ref{fault.Object}, fault.Related...)
	same := func(r, d snapshot.Ref) bool { return r.Key() == d.Key() }
	if !slices.ContainsFunc(names, func(r snapshot.Ref) bool { return r.Kind == "Deployment" }) {
		same = func(r, d snapshot.Ref) bool { return r.Namespace == d.Namespace } // no Deployment was seen behind it
	}
	return slices.ContainsFunc(f.Related, func(d snapshot.Ref) bool {
		return slices.ContainsFunc(names, func(r snapshot.Ref) bool { return same(r, d) })
	})
}
