package scan

import (
	"errors"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

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
