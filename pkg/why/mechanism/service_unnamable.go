package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServiceUnnamable is a server whose pod is there, and whose status the operator does not write: it fails at the Service, which has no
// name, or one that no Service may have. The name is spec.server.service.metadata.name, or made of the server's
// (internal/controller/sparkconnect/reconciler.go@v2.5.2).
type ServiceUnnamable struct {
	Name  string
	Rules string // that the name breaks
}

// Mechanism names it.
func (ServiceUnnamable) Mechanism() cause.ID { return "service-unnamable" }

func serviceUnnamable(v *View) (cause.Cause, bool) {
	said, is := operatorCannotCreate(v)
	if !is && v.Now.Sub(v.Driver.CreationTimestamp.Time) < takenUp {
		return cause.Cause{}, false
	}
	name := serviceName(v)
	errs := validation.IsDNS1035Label(name)
	if len(errs) == 0 || slices.ContainsFunc(v.Services, func(s corev1.Service) bool { return s.Name == name }) {
		return cause.Cause{}, false
	}
	proofs := append([]cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: "not set"}}, said.Evidence...)
	return cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByEnvironment,
		Subject: v.AppRef(), Detail: ServiceUnnamable{Name: name, Rules: errs[0]},
		Evidence: append(proofs, cause.Proof{Object: v.AppRef(), Field: "the Service", Value: name})}, true
}
