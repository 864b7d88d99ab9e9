package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// NamespaceUnwatched is an application in a namespace that the operators which were seen do not watch. Where all Deployments were seen,
// SD5001 says the same for certain. It watches those of --namespaces (cmd/operator/controller/start.go@v2.5.2).
type NamespaceUnwatched struct {
	Operators []*operator.Installation
	Age       time.Duration // without a status
}

// Mechanism names it.
func (NamespaceUnwatched) Mechanism() cause.ID { return "namespace-unwatched" }

func namespaceUnwatched(v *View, age time.Duration) cause.Cause {
	c := cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), Detail: NamespaceUnwatched{Operators: v.Elsewhere, Age: age}}
	for _, in := range v.Elsewhere {
		c.Evidence = append(c.Evidence, cause.Proof{Object: in.Controller.Ref, Field: "what the controller watches",
			Value: in.Scope() + flagged(in)})
	}
	return c
}

// flagged is the flag that says so, as it stands in the Deployment; empty: there is none.
func flagged(in *operator.Installation) string {
	if flag := in.NamespacesFlag(); flag != "" {
		return " (" + flag + ")"
	}
	return ""
}
