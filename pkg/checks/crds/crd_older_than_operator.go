package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func crdOlderThanOperator() check.Check {
	return check.Check{
		ID: "SD5002", Slug: "crd-older-than-operator", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "a CRD is older than the operator, so the API server drops new fields",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.OperatorCRDs, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			in := newestKnown(facts.Installations().Of(p))
			if in == nil {
				a.NotApplicable = "no operator of a known release runs, and what a fork needs is not known"
				return a
			}
			crds := p.OperatorCRDs()
			a.Judged = len(crds)
			for i := range crds {
				c := &crds[i]
				if missing := facts.LackingFields(c, operator.TelltalesOf(in.Version, c.Name)); len(missing) > 0 {
					a.Findings = append(a.Findings, olderCRD(c, in, missing, losers(list, c, missing)))
				}
			}
			return a
		},
	}
}

// newestKnown returns the installation of the newest release that runs, among those whose release is known.
func newestKnown(installations []operator.Installation) *operator.Installation {
	var newest *operator.Installation
	for i := range installations {
		in := &installations[i]
		newer := newest == nil || in.Version.Compare(newest.Version) > 0
		if in.ScaledUp() && in.Recognised && newer {
			newest = in
		}
	}
	return newest
}

// loser is an application that was applied with a field that it does not have.
type loser struct {
	app    *snapshot.SparkApplication
	fields []string
}

func losers(list []*snapshot.SparkApplication, c *snapshot.CRD, missing []operator.Telltale) []loser {
	if c.Name != string(snapshot.SparkApplications) {
		return nil
	}
	var out []loser
	for _, app := range list {
		lost := slices.DeleteFunc(slices.Clone(app.Lost), func(f string) bool {
			return !slices.ContainsFunc(missing, func(t operator.Telltale) bool { return t.Field == f })
		})
		if len(lost) > 0 {
			out = append(out, loser{app, lost})
		}
	}
	return out
}

func olderCRD(c *snapshot.CRD, in *operator.Installation, missing []operator.Telltale, lost []loser) check.Finding {
	oldest := missing[0].Since
	var fields []string
	for _, t := range missing {
		fields = append(fields, "spec."+t.Field)
		if t.Since.Compare(oldest) < 0 {
			oldest = t.Since
		}
	}
	f := check.Finding{
		About: check.Of(c), Severity: check.Warning, Field: "spec.versions",
		Evidence: []check.Evidence{
			{Object: in.Controller.Ref, Field: "version", Value: in.Stated},
			{Object: c.Ref, Field: "fields that are missing", Value: strings.Join(fields, ", ")},
		},
		Related: []snapshot.Ref{in.Controller.Ref},
	}
	f.Message = fmt.Sprintf("this CRD is older than %s: the API server drops fields that operator %s knows: %s", oldest, in.Stated,
		facts.SomeOf(fields, facts.MaxNamed, "field"))
	f.Then(command.CRDs(in, "apply the CRDs of the installed release, which Helm never changes"))
	for i, l := range lost {
		f.Related = append(f.Related, l.app.Ref)
		if i < facts.ShownApps {
			f.Saw(l.app.Ref, "in the last applied manifest and not in spec", strings.Join(l.fields, ", "))
		}
	}
	if len(lost) > 0 {
		f.Severity = check.Error
		f.Message += fmt.Sprintf("; %s fields of the applied manifest, such as %s in %s/%s", lostBy(len(lost)),
			strings.Join(lost[0].fields, ", "), lost[0].app.Namespace, lost[0].app.Name)
		again := "application " + lost[0].app.Name + ", whose fields were dropped"
		if len(lost) > 1 {
			again = "the applications whose fields were dropped, such as " + lost[0].app.Name
		}
		f.Then(command.Do("then apply again %s", again))
	}
	return f
}

func lostBy(n int) string {
	if n == 1 {
		return "1 application lost"
	}
	return fmt.Sprintf("%d applications lost", n)
}
