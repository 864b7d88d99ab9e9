package scan

import (
	"errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// Select returns the checks of a catalogue that are named, by id or slug (no name: all), and not to be skipped, with the
// severities that are set for them. The checks about suppressions are asked whatever was named, unless they are skipped.
func Select(catalogue []checks.Check, only, skip []string, severities map[string]checks.Severity) ([]checks.Check, error) {
	list, err := checks.Select(catalogue, only, skip)
	if err != nil {
		return nil, err
	}
	var selected []checks.Check
	for _, c := range list {
		if c.Run != nil {
			selected = append(selected, c)
		}
	}
	if len(selected) == 0 {
		return nil, errors.New("the selected checks are about waivers of other checks, of which none is selected")
	}
	var skipped []string
	for _, name := range skip {
		if _, err := checks.Lookup(checks.OfWaivers(), name); err == nil {
			skipped = append(skipped, name)
		}
	}
	if len(skipped) < len(checks.OfWaivers()) {
		ofWaivers, err := checks.Select(checks.OfWaivers(), nil, skipped)
		if err != nil {
			return nil, err
		}
		selected = append(ofWaivers, selected...)
	}
	for i := range selected {
		if severity, set := severities[selected[i].ID]; set {
			selected[i].Severity = &severity
		}
	}
	return selected, nil
}
