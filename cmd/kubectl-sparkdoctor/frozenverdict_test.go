package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// cluster adds the verdict and what was found to be installed, which a gate takes from the same objects.
func (r *reported) cluster() {
	if v := r.report.Verdict; v != nil {
		e := entry{name: "verdict", says: v.State}
		e.add("healthy", v.Healthy...)
		r.entries = append(r.entries, e)
		seen := map[string]int{}
		for _, root := range v.Roots {
			r.entries = append(r.entries, r.root(seen, root))
		}
	}
	for _, i := range r.report.Scope.Installations {
		e := entry{name: "installation " + i.Namespace + "/" + i.Name, says: cmp.Or(i.Version, "no release")}
		e.add("judgedAs", i.JudgedAs)
		e.add("unreleased", i.Unreleased)
		e.add("leading", at(i.Leading))
		r.entries = append(r.entries, e)
	}
	for _, n := range r.report.Namespaces {
		e := entry{name: "admission " + n.Name, says: n.Admission.State}
		e.add("brokenLink", n.Admission.BrokenLink)
		e.add("reason", n.Admission.Reason)
		if n.Admission.CausedBy != "" {
			e.add("causedBy", r.of([]string{n.Admission.CausedBy})...)
		}
		r.entries = append(r.entries, e)
	}
}

// root is a root of the verdict. What its finding says, too, is left out.
func (r *reported) root(seen map[string]int, root report.Root) entry {
	e, of := entry{name: unique(seen, "root "+r.of([]string{root.Finding})[0])}, r.item(root.Finding)
	if root.Severity != of.Severity || root.Consequence != of.Consequence {
		e.says = parts(root.Severity, root.Consequence)
	}
	if of.Message == "" || !strings.HasSuffix(root.Message, ": "+of.Message) {
		e.add("message", root.Message)
	}
	e.add("follows", root.Follows)
	if at(root.Since) != at(of.Since) {
		e.add("since", at(root.Since))
	}
	e.add("finding", r.of(root.Findings)...)
	e.add("effect", r.of(root.Effects)...)
	if !slices.Equal(root.Next, of.Next) {
		e.next(root.Next)
	}
	return e
}
