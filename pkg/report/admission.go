package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
)

// BrokenTitle begins the report where Spark pods are not mutated.
const BrokenTitle = "ADMISSION BROKEN"

// BrokenLinks says which link is broken in which namespaces, one text a link.
func (r *Report) BrokenLinks() []string {
	byLink := map[string][]string{}
	var links []string
	for _, ns := range r.InState(check.AdmissionBroken) {
		link := ns.Admission.BrokenLink
		if byLink[link] == nil {
			links = append(links, link)
		}
		byLink[link] = append(byLink[link], ns.Label())
	}
	slices.Sort(links)
	for i, link := range links {
		list := byLink[link]
		links[i] = fmt.Sprintf("%s, in %s: %s", link, facts.Counted(len(list), "namespace"), strings.Join(list, ", "))
	}
	return links
}

// admitted says what is known of the other namespaces.
func (r *Report) admitted() []Fact {
	var out []Fact
	if healthy := r.InState(check.AdmissionHealthy); len(healthy) > 0 {
		out = append(out, Fact{"admission", "healthy in " + facts.Counted(len(healthy), "namespace")})
	}
	unknown := r.InState(check.AdmissionUnknown)
	if len(unknown) > 0 && r.Sources[0].Type != "files" && r.Gate == nil && r.ClusterRead == nil { // a gate does not ask
		out = append(out, Fact{"admission", fmt.Sprintf("unknown in %s: %s", facts.Counted(len(unknown), "namespace"),
			unknown[0].Admission.Reason)})
	}
	return out
}

// InState returns the namespaces whose admission is in a state.
func (r *Report) InState(state check.AdmissionState) []Namespace {
	return slices.DeleteFunc(slices.Clone(r.Namespaces), func(n Namespace) bool { return n.Admission.State != string(state) })
}
