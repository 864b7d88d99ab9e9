package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

const brokenTitle = "ADMISSION BROKEN"

// broken says which link is broken in which namespaces, one text a link.
func (r *Report) broken() []string {
	byLink := map[string][]string{}
	var links []string
	for _, ns := range r.inState(check.AdmissionBroken) {
		link := ns.Admission.BrokenLink
		if byLink[link] == nil {
			links = append(links, link)
		}
		byLink[link] = append(byLink[link], ns.label())
	}
	slices.Sort(links)
	for i, link := range links {
		list := byLink[link]
		links[i] = fmt.Sprintf("%s, in %s: %s", link, count(len(list), "namespace"), strings.Join(list, ", "))
	}
	return links
}

// admitted says what is known of the other namespaces.
func (r *Report) admitted() []fact {
	var out []fact
	if healthy := r.inState(check.AdmissionHealthy); len(healthy) > 0 {
		out = append(out, fact{"admission", "healthy in " + count(len(healthy), "namespace")})
	}
	unknown := r.inState(check.AdmissionUnknown)
	if len(unknown) > 0 && r.Sources[0].Type != "files" && r.Gate == nil { // a gate does not ask
		out = append(out, fact{"admission", fmt.Sprintf("unknown in %s: %s", count(len(unknown), "namespace"), unknown[0].Admission.Reason)})
	}
	return out
}

func (r *Report) inState(state check.AdmissionState) []Namespace {
	return slices.DeleteFunc(slices.Clone(r.Namespaces), func(n Namespace) bool { return n.Admission.State != string(state) })
}
