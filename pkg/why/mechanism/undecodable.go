package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Undecodable is an application that the operator cannot decode. It lists and watches all applications, so it submits no others either
// (SD5003, which needs to see the operator).
type Undecodable struct {
	Path string // of the value within the application
	What string // is wrong with it
}

// Mechanism names it.
func (Undecodable) Mechanism() cause.ID { return "undecodable" }

// OthersUndecodable are other applications that the operator cannot decode, so that it handles this one no more than them.
type OthersUndecodable struct{ Others []app.Broken }

// Mechanism names it.
func (OthersUndecodable) Mechanism() cause.ID { return "others-undecodable" }

// ListUndecodable is an application among those that the operator lists which its client does not take, and which was not found: one of
// them fails the whole list.
type ListUndecodable struct {
	Said string       // by the operator's log, from the list on
	Near snapshot.Ref // the object that it quotes, near which it stopped; zero: none
}

// Mechanism names it.
func (ListUndecodable) Mechanism() cause.ID { return "list-undecodable" }

func undecodable(v *View) cause.Cause {
	u := v.Undecodable
	return cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.BySpec, Subject: v.AppRef(),
		Detail: Undecodable{Path: u.Path, What: u.Text}, Evidence: []cause.Proof{{Object: v.AppRef(), Field: u.Path, Value: u.Text}}}
}

// othersUndecodable is told by the objects alone, or by a line of the operator's log, which is then the first proof.
func othersUndecodable(v *View, proofs []cause.Proof) cause.Cause {
	for _, b := range v.Broken {
		proofs = append(proofs, cause.Proof{Object: b.Object, Field: "spec", Value: b.Text})
	}
	return cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), Detail: OthersUndecodable{Others: v.Broken}, Evidence: proofs}
}

// quotedNear matches the object of which a decoder quotes the surroundings of what it does not take (iter.go of json-iterator/go@v1.1.12).
var quotedNear = lazyregexp.New(`bigger context .*"name":"([\w.-]+)","namespace":"([\w.-]+)"`)

func listUndecodable(v *View, said *app.Said, proof cause.Proof) cause.Cause {
	what, _, _ := strings.Cut(said.Text[strings.Index(strings.ToLower(said.Text), "failed to list"):], ", error found in")
	list := ListUndecodable{Said: what}
	if m := quotedNear.FindStringSubmatch(said.Text); m != nil {
		list.Near = snapshot.Ref{Kind: "SparkApplication", Namespace: m[2], Name: m[1]}
	}
	return cause.Cause{Class: cause.Configuration, Role: cause.OperatorRole, Certainty: check.Likely, Trust: cause.ByOperator,
		Subject: v.AppRef(), Detail: list, Evidence: []cause.Proof{proof}}
}
