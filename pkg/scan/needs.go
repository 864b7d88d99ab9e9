package scan

import (
	"errors"
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
		switch n.View {
		case snapshot.ServedCertificates:
			return !probe
		case snapshot.OperatorLogs:
			return !logs
		default:
			return false
		}
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
		lists = append(lists, c.AllNeeds())
	}
	return snapshot.Needs(lists...)
}

// Select returns the checks of a catalogue that are named (see check.Matching; no name: all) and not to be skipped, with the
// severities that are set for them. The checks about suppressions are asked whatever was named, unless they are skipped.
func Select(catalogue []check.Check, only, skip []string, severities map[string]check.Severity) ([]check.Check, error) {
	list, err := check.Select(catalogue, only, skip)
	if err != nil {
		return nil, err
	}
	var selected []check.Check
	for _, c := range list {
		if c.Run != nil {
			selected = append(selected, c)
		}
	}
	if len(selected) == 0 {
		return nil, errors.New("the selected checks are about suppressions of other checks, of which none is selected")
	}
	var ofSuppressions []check.Check
	for _, c := range check.SuppressionChecks() {
		if !slices.ContainsFunc(skip, c.Matches) {
			ofSuppressions = append(ofSuppressions, c)
		}
	}
	selected = append(ofSuppressions, selected...)
	for i := range selected {
		if severity, set := severities[selected[i].ID]; set {
			selected[i].Severity = &severity
		}
	}
	return selected, nil
}
