package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// broken begins the report with the namespaces whose Spark pods are not mutated now: it stops everything else.
func (t *table) broken(r *Report) {
	var links []string
	byLink := map[string][]string{}
	for _, ns := range r.inState(checks.AdmissionBroken) {
		link := ns.Admission.BrokenLink
		if byLink[link] == nil {
			links = append(links, link)
		}
		byLink[link] = append(byLink[link], ns.Name)
	}
	slices.Sort(links)
	for _, link := range links {
		list := byLink[link]
		text := fmt.Sprintf("%s, in %s: %s", link, count(len(list), "namespace"), strings.Join(list, ", "))
		t.labelled(0, t.style.paint("ADMISSION BROKEN: ", color.FgRed, color.Bold), Escape(text))
	}
	if len(links) > 0 {
		t.line(0, "")
	}
}

// admitted ends it with what is known of the others.
func (t *table) admitted(r *Report) {
	if healthy := r.inState(checks.AdmissionHealthy); len(healthy) > 0 {
		t.labelled(0, "admission: ", "healthy in "+count(len(healthy), "namespace"))
	}
	unknown := r.inState(checks.AdmissionUnknown)
	if len(unknown) > 0 && r.Sources[0].Type != "files" {
		t.labelled(0, "admission: ", Escape(fmt.Sprintf("unknown in %s: %s", count(len(unknown), "namespace"), unknown[0].Admission.Reason)))
	}
}

func (r *Report) inState(state checks.AdmissionState) []Namespace {
	return slices.DeleteFunc(slices.Clone(r.Namespaces), func(n Namespace) bool { return n.Admission.State != string(state) })
}
