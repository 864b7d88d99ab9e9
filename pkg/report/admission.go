package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// BrokenTitle begins the report where Spark pods are not mutated.
const BrokenTitle = "ADMISSION BROKEN"

// BrokenLinks says which link is broken in which namespaces, one text a link.
func (r *Report) BrokenLinks() []string { return brokenLinks(r.InState(check.AdmissionBroken)) }

// BrokenHead are those that begin a report which ends with its verdict: what a finding in it says is not said twice.
func (r *Report) BrokenHead() []string {
	return brokenLinks(slices.DeleteFunc(r.InState(check.AdmissionBroken), func(n Namespace) bool { return r.explaining(n) != "" }))
}

// BrokenFacts say in how many namespaces admission is broken by what the findings tell.
func (r *Report) BrokenFacts() []Fact {
	of := map[[2]string]int{}
	var order [][2]string
	for _, ns := range r.InState(check.AdmissionBroken) {
		id := r.explaining(ns)
		if id == "" {
			continue
		}
		key := [2]string{ns.Admission.BrokenLink, id}
		if of[key]++; of[key] == 1 {
			order = append(order, key)
		}
	}
	var out []Fact
	for _, key := range order {
		out = append(out, Fact{"admission", fmt.Sprintf("broken in %s (%s, see %s)", phrase.Counted(of[key], "namespace"), key[0], key[1])})
	}
	return out
}

// explaining is the check whose finding in the verdict says why admission is broken; empty: none does.
func (r *Report) explaining(ns Namespace) string {
	if r.Verdict == nil {
		return ""
	}
	for i := range r.Items {
		item := &r.Items[i]
		ofSource := ns.Source == "" || ns.Source == item.Source
		if ofSource && item.Judged() && item.Metadata.Name == ns.Admission.CausedBy {
			return item.Check
		}
	}
	return ""
}

func brokenLinks(list []Namespace) []string {
	byLink := map[string][]string{}
	var links []string
	for _, ns := range list {
		link := ns.Admission.BrokenLink
		if byLink[link] == nil {
			links = append(links, link)
		}
		byLink[link] = append(byLink[link], ns.Label())
	}
	slices.Sort(links)
	for i, link := range links {
		list := byLink[link]
		links[i] = fmt.Sprintf("%s, in %s: %s", link, phrase.Counted(len(list), "namespace"), strings.Join(list, ", "))
	}
	return links
}

// admitted says what is known of the other namespaces.
func (r *Report) admitted() []Fact {
	var out []Fact
	if healthy := r.InState(check.AdmissionHealthy); len(healthy) > 0 {
		out = append(out, Fact{"admission", "healthy in " + phrase.Counted(len(healthy), "namespace")})
	}
	unknown := r.InState(check.AdmissionUnknown)
	if len(unknown) > 0 && r.Sources[0].Type != "files" && r.Gate == nil && r.ClusterRead == nil && // a gate does not ask
		unknown[0].Admission.Reason != check.AdmissionNotAsked {
		out = append(out, Fact{"admission", fmt.Sprintf("unknown in %s: %s", phrase.Counted(len(unknown), "namespace"),
			unknown[0].Admission.Reason)})
	}
	return out
}

// InState returns the namespaces whose admission is in a state.
func (r *Report) InState(state check.AdmissionState) []Namespace {
	return slices.DeleteFunc(slices.Clone(r.Namespaces), func(n Namespace) bool { return n.Admission.State != string(state) })
}
