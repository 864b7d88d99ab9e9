package scan

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Needs are what checks read of a cluster. What is read on request only is left out, unless it is asked for.
func Needs(list []check.Check, probe, logs bool) []snapshot.Need {
	return (&run{selected: list}).needs(probe, logs)
}

func (r *run) needs(probe, logs bool) []snapshot.Need {
	return slices.DeleteFunc(r.checkNeeds(), func(n snapshot.Need) bool {
		return n.View == snapshot.ServedCertificates && !probe || n.View == snapshot.OperatorLogs && !logs
	})
}

// checkNeeds are those of the selected checks, and the Deployments that tell which operator runs.
func (r *run) checkNeeds() []snapshot.Need {
	lists := [][]snapshot.Need{{
		{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		{View: snapshot.SparkApplications, Role: snapshot.Optional},
	}}
	if r.selection.Selector != nil {
		for _, v := range selectable() {
			lists = append(lists, []snapshot.Need{{View: v, Role: snapshot.Optional}})
		}
	}
	for _, c := range r.selected {
		lists = append(lists, c.Needs)
	}
	return snapshot.Needs(lists...)
}
