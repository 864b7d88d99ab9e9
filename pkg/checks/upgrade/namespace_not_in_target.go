package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func namespaceNotInTarget() check.Check {
	return check.Check{
		ID: "SD7005", Slug: "namespace-not-in-target", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the operator watches a namespace with Spark objects today, and the target will not",
		Unscoped: true,
		Needs:    specNeeds(),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u, coming := p.Upgrade, p.Upgrade.Coming()
			hop, restarts := u.Restarts()
			if coming == nil && !restarts {
				return check.Answer{} // the values of a 2.x release stay
			}
			used, k := usedNamespaces(p.Snapshot, u), facts.Controllers().Of(p)
			var a check.Answer
			var lost []*usedNamespace
			unclear := 0
			for _, name := range slices.Sorted(maps.Keys(used)) {
				n := used[name]
				n.seen = k.Namespaces[name]
				now, after, known := n.watched(u, coming)
				if known {
					a.Judged++
				} else {
					unclear++
				}
				if known && now && !after {
					lost = append(lost, n)
				}
			}
			a.Unjudged = unreadSpecs(p.Snapshot)
			if unclear > 0 {
				a.Unjudged = append(a.Unjudged,
					fmt.Sprintf("whether %s watched, now and then, depends on labels that were not seen, or on a flag that cannot be read",
						phrase.CountedAre(unclear, "namespace")))
			}
			switch {
			case len(lost) == 0:
			case coming != nil:
				for _, n := range lost {
					a.Findings = append(a.Findings, n.left(u, coming, lost))
				}
			case u.Installation == nil:
				a.PassOver(a.Judged, "which namespaces are watched now, since no operator was seen")
			default:
				a.Findings = []check.Finding{leftByDefault(u, lost, hop)}
				a.DependsOn("whether the target watches "+phrase.Counted(len(lost), "namespace"), "spark.jobNamespaces")
			}
			return a
		},
	}
}

// usedNamespace is a namespace in which an operator has something to do.
type usedNamespace struct {
	name  string
	seen  *snapshot.Object // nil: the namespace itself was not
	specs []specFields     // those that make something first
	live  int              // of them make or are something that is not over
}

func usedNamespaces(s *snapshot.Snapshot, u *check.Upgrade) map[string]*usedNamespace {
	out := map[string]*usedNamespace{}
	for spec := range specsFields(s) {
		picked := spec.Path != "spec" || mayPick(u, spec.Labels)
		if spec.Namespace == "" || !picked {
			continue
		}
		n := out[spec.Namespace]
		if n == nil {
			n = &usedNamespace{name: spec.Namespace}
			out[spec.Namespace] = n
		}
		n.specs = append(n.specs, spec)
		if !spec.Over {
			n.live++
		}
	}
	for _, n := range out {
		slices.SortStableFunc(n.specs, func(a, b specFields) int {
			return cmp.Or(facts.CompareBool(a.Over, b.Over), a.Compare(b.Ref), cmp.Compare(a.Path, b.Path))
		})
	}
	return out
}

// watched tells whether the operator looks after the namespace before and after the upgrade. Without manifests, after it means
// by default. Where no operator was seen, it is taken to watch what it should.
func (n *usedNamespace) watched(u *check.Upgrade, coming *operator.Installation) (now, after, known bool) {
	now = true
	if u.Installation != nil {
		if now, known = u.Installation.Told(n.name, n.seen); !known {
			return now, false, false
		}
	}
	if coming != nil {
		after, known = coming.Told(n.name, n.seen)
		return now, after, known
	}
	chart, known := operator.ChartOf(u.To)
	return now, slices.Contains(chart.JobNamespaces, "") || slices.Contains(chart.JobNamespaces, n.name), known
}

// left states that manifests leave out the namespace. What is there is neither run nor moved on, and a schedule makes no runs.
func (n *usedNamespace) left(u *check.Upgrade, coming *operator.Installation, all []*usedNamespace) check.Finding {
	f := check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: n.name}), Severity: check.Error}
	if n.seen != nil {
		f.About = check.Of(n.seen)
	}
	f.Message = fmt.Sprintf("the target watches %s, and namespace %s has %s", coming.Scope(), n.name, n.holds())
	if n.live == 0 {
		f.Severity = check.Warning
		f.Message += "; all have finished, but new ones will wait forever"
	}
	f.Evidence = []check.Evidence{facts.ToldTo(coming)}
	if u.Installation == nil {
		f.Certainty = check.Likely // whether it is watched now nobody saw
	} else {
		f.Evidence = append(f.Evidence, facts.ToldTo(u.Installation))
		f.Related = []snapshot.Ref{u.Installation.Controller.Ref}
	}
	n.describe(&f)
	f.Next = []check.Step{{When: check.Before, Do: fmt.Sprintf("add %s to spark.jobNamespaces in the values, and run gate again",
		strings.Join(namespaceNames(all), ", "))}}
	return f
}

// leftByDefault states that the chart of 2.x leaves out namespaces unless its values, which are called otherwise, name them.
func leftByDefault(u *check.Upgrade, lost []*usedNamespace, hop operator.Version) check.Finding {
	d, names := u.Installation.Controller, namespaceNames(lost)
	chart, _ := operator.ChartOf(u.To)
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Certainty: check.Likely, Hop: hop,
		Field: "spec.template.spec.containers",
		Message: fmt.Sprintf(
			"operator %s will ignore %s with Spark objects, unless spark.jobNamespaces names them: %s; it does not read sparkJobNamespaces, "+
				"and watches only %s by default",
			u.To, phrase.Counted(len(names), "namespace"), facts.SomeOf(names, facts.MaxNamed, "other"), strings.Join(chart.JobNamespaces, ", ")),
		Evidence: []check.Evidence{facts.ToldTo(u.Installation), {Object: d.Ref, Field: "default of spark.jobNamespaces",
			Value: strings.Join(chart.JobNamespaces, ", ") + " (" + chart.Source + ")"}},
		Next: []check.Step{{When: check.Before, Do: "name these namespaces in spark.jobNamespaces of the new values: " + strings.Join(names,
			", ")}},
	}
	for _, n := range lost {
		n.describe(&f)
	}
	return f
}

// describe adds what the namespace holds to a finding.
func (n *usedNamespace) describe(f *check.Finding) {
	for i, spec := range n.specs {
		if i == 0 || n.specs[i-1].Ref != spec.Ref { // a workflow may have several
			f.Objects = append(f.Objects, spec.Ref)
		}
		if i == 0 {
			f.Saw(spec.Ref, "namespace of the "+spec.Kind, n.name)
		}
	}
}

// holds says for people what the namespace has.
func (n *usedNamespace) holds() string {
	kinds := map[string]int{}
	for _, spec := range n.specs {
		kinds[spec.Kind]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, phrase.Counted(kinds[kind], kind))
	}
	return strings.Join(parts, ", ")
}

func namespaceNames(list []*usedNamespace) []string {
	names := make([]string, 0, len(list))
	for _, n := range list {
		names = append(names, n.name)
	}
	return names
}
