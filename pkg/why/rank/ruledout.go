package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// RuledOut is what it was not.
type RuledOut struct {
	Kind   Rival
	Main   string // driver or server
	Reason string // that the kubelet recorded, of OwnMemory
}

// Rival is what it could have been.
type Rival int

// The rivals.
const (
	CodeFailure Rival = iota
	OwnMemory
	Eviction
)

// RuleOut is what the verdict is not. Only what was looked at is ruled out.
func RuleOut(v *mechanism.View, all []Answer) []RuledOut {
	verdict := &all[0]
	if verdict.Class == cause.Unknown || !verdict.Class.Fault() || v.Driver == nil {
		return nil
	}
	var out []RuledOut
	failed := slices.ContainsFunc(all, func(a Answer) bool { return a.Class == cause.CodeFailed })
	if v.HasLog(v.Driver.Name) && !failed && verdict.Class == cause.ClusterKilled && !v.Work.Uncaught {
		out = append(out, RuledOut{Kind: CodeFailure, Main: v.Main()})
	}
	t := app.Termination(v.Driver)
	if t == nil {
		return out
	}
	if end, _ := mechanism.PodEnd(v.Driver); end.Why.Kind != mechanism.OOMKilled && t.ExitCode != 137 {
		out = append(out, RuledOut{Kind: OwnMemory, Main: v.Main(), Reason: t.Reason})
	}
	if v.Driver.Status.Reason == "" && verdict.Class != cause.ClusterKilled {
		out = append(out, RuledOut{Kind: Eviction, Main: v.Main()})
	}
	return out
}
