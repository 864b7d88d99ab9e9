package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// OperatorRefuses is an application without a status of which the operator's log, where it was read, holds an error: the last one. It logs
// an error at each try to reconcile (internal/controller/sparkapplication/controller.go@v2.5.2). One of another application looks alike,
// and names that.
type OperatorRefuses struct {
	Said      string // the line of its log
	Forbidden bool   // its service account may not do what it needs
	EtcdFull  bool   // the API server takes no writes
}

// Mechanism names it.
func (OperatorRefuses) Mechanism() cause.ID { return "operator-refuses" }

func operatorRefuses(v *View, said *app.Said) cause.Cause {
	refused := OperatorRefuses{Said: said.Text, Forbidden: said.Forbidden}
	proof := cause.Proof{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At}
	class := cause.Submission
	switch r, known := NewMessages().Refused(said.Text); {
	case known && r.Kind == EtcdFull:
		class, refused.EtcdFull = r.Class, true
	case refused.Forbidden:
		class = cause.Credentials
	case said.Unlisted && len(v.Broken) > 0:
		return othersUndecodable(v, []cause.Proof{proof})
	case said.Unlisted:
		return listUndecodable(v, said, proof)
	}
	return cause.Cause{Class: class, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByOperator, Subject: v.AppRef(),
		Detail: refused, Evidence: []cause.Proof{proof}}
}
