package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func crdsNotApplicable() check.Check {
	return check.Check{
		ID: "SD7021", Slug: "crds-not-applicable", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the CRDs of the target cannot be applied over those of the cluster",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.OperatorCRDs, Role: snapshot.Subject, Scope: snapshot.Everywhere},
		},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			u, crds := p.Upgrade, p.OperatorCRDs()
			brings := operator.CRDsOf(u.To)
			for i := range crds {
				c := &crds[i]
				at := slices.IndexFunc(brings, func(next operator.ChartCRD) bool { return next.Name() == c.Name })
				if at < 0 {
					continue
				}
				a.Judged++
				if c.PreservesUnknown {
					a.Findings = append(a.Findings, refusesDefaults(c, u))
				}
				if left := slices.DeleteFunc(slices.Clone(c.StoredVersions), func(v string) bool { return v == brings[at].Version }); len(left) > 0 {
					a.Findings = append(a.Findings, storesOldVersion(c, u, brings[at], left))
				}
				if f, fails := ownedByOthers(c, u); fails {
					a.Findings = append(a.Findings, f)
				}
			}
			// Without the first CRD a dump leaves CRDs out.
			whole := !p.Excerpt() && slices.ContainsFunc(crds, func(c snapshot.CRD) bool { return c.Name == string(snapshot.SparkApplications) })
			if f, fails := hookMayNotCreate(u, crds); fails && whole {
				a.Findings = append(a.Findings, f)
			}
			return a
		},
	}
}

// appliedByUpgrade reports whether the upgrade itself fails where a CRD cannot be applied: the tool that upgrades applies it, or a hook.
// Otherwise a command of the runbook does.
func appliedByUpgrade(u *check.Upgrade) bool {
	_, left := upgrade.LeavesCRDs(u)
	return !left || upgrade.AppliesCRDs(upgrade.ReleaseOf(u).Tool)
}

func notApplicable(c *snapshot.CRD, u *check.Upgrade) check.Finding {
	f := check.Finding{About: check.Of(c), Severity: check.Warning}
	if appliedByUpgrade(u) {
		f.Severity = check.Error
	}
	return f
}

// refusesDefaults is about CRDs that were made as v1beta1, which keeps what it does not know (charts/spark-operator-chart/crds/
// @spark-operator-chart-1.1.3; @spark-operator-chart-1.1.4 is v1). The schemas have defaults since chart 1.4.5 and every later one, and
// the API server takes these only where unknown fields are dropped (#2212).
func refusesDefaults(c *snapshot.CRD, u *check.Upgrade) check.Finding {
	f := notApplicable(c, u)
	f.Field = "spec.preserveUnknownFields"
	f.Message = fmt.Sprintf("the API server will reject the CRD of %s: its schema has defaults, and this CRD, of chart 1.1.3 or older, "+
		"preserves unknown fields", u.To)
	f.Evidence = []check.Evidence{{Object: c.Ref, Field: f.Field, Value: "true"}}
	step := check.Step{When: check.Before, Do: fmt.Sprintf("apply the CRDs of %s with preserveUnknownFields: false", u.To)}
	if show, _, piped := strings.Cut(upgrade.CRDCommand(u, upgrade.ReleaseOf(u), ""), " | "); piped {
		step.Command = show + ` | awk '{print} /^spec:$/ {print "  preserveUnknownFields: false"}' | ` +
			"kubectl apply --server-side --force-conflicts -f -"
	}
	f.Next = []check.Step{step}
	return f
}

// storesOldVersion is about objects that were stored in a version which the next CRD does not have (#937).
func storesOldVersion(c *snapshot.CRD, u *check.Upgrade, next operator.ChartCRD, left []string) check.Finding {
	f := notApplicable(c, u)
	f.Field = "status.storedVersions"
	f.Message = fmt.Sprintf("the API server will reject the CRD of %s: objects may be stored as %s, which it does not define", u.To,
		strings.Join(left, ", "))
	f.Evidence = []check.Evidence{{Object: c.Ref, Field: f.Field, Value: strings.Join(c.StoredVersions, ", ")}}
	f.Next = []check.Step{
		{When: check.Before, Do: fmt.Sprintf("store every object as %s, then take the other versions out of status.storedVersions", next.Version),
			Command: command.Line("kubectl get %s -A -o json | kubectl replace -f -", next.Name())},
		{When: check.Before, Do: fmt.Sprintf("store every object as %s, then take the other versions out of status.storedVersions", next.Version),
			Command: command.Line("kubectl patch customresourcedefinition %s --subresource=status --type=merge -p ", c.Name) +
				fmt.Sprintf(`'{"status":{"storedVersions":["%s"]}}'`, next.Version)},
	}
	return f
}

// hooked reports whether the hook of the chart applies the CRDs, and how: it forces conflicts since 2.5.0, and may create a CRD since
// 2.4.0 (charts/spark-operator-chart/templates/hook/{job,cluster_role}.yaml@v2.3.0 to @v2.5.0, #2604, #2785, #2800).
func hooked(u *check.Upgrade) (facts operator.HookFacts, yes bool) {
	_, left := upgrade.LeavesCRDs(u)
	return operator.HookOf(u.To), !left
}

// ownedByOthers: a server-side apply that does not force fails where another manager set another value, and Helm did when it created the
// CRD. kubectl takes over what a client-side apply of its own set (kubernetes/kubernetes#112905).
func ownedByOthers(c *snapshot.CRD, u *check.Upgrade) (check.Finding, bool) {
	hook, yes := hooked(u)
	changes := facts.LackingFields(c, operator.TelltalesOf(u.To, c.Name))
	others := slices.DeleteFunc(slices.Clone(c.VersionManagers), func(m string) bool {
		return m == "kubectl" || m == "kubectl-client-side-apply"
	})
	onlyKubectl := len(others) == 0 && c.VersionManagers != nil
	if !yes || hook.Forces || len(changes) == 0 || onlyKubectl {
		return check.Finding{}, false
	}
	f := notApplicable(c, u)
	f.Field, f.Hop = "metadata.managedFields", u.FirstHop(func(v operator.Version) bool { return !operator.HookOf(v).Forces })
	owner := strings.Join(others, ", ")
	if len(others) == 0 {
		f.Certainty, owner = check.Likely, "helm"
	}
	f.Message = fmt.Sprintf("the CRD hook of %s will fail, and the upgrade with it: it does not force conflicts, and %s owns spec.versions",
		u.To, owner)
	f.Evidence = []check.Evidence{{Object: c.Ref, Field: "manager of spec.versions", Value: owner}}
	f.Next = hookOff(u)
	return f, true
}

// hookMayNotCreate: the hook's role allows no create.
func hookMayNotCreate(u *check.Upgrade, crds []snapshot.CRD) (check.Finding, bool) {
	hook, yes := hooked(u)
	has := func(name string) bool {
		return slices.ContainsFunc(crds, func(c snapshot.CRD) bool { return c.Name == name })
	}
	if !yes || hook.Creates {
		return check.Finding{}, false
	}
	for _, next := range operator.CRDsOf(u.To) {
		if has(next.Name()) {
			continue
		}
		crd := snapshot.Ref{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: next.Name()}
		return check.Finding{
			About: check.Named(crd), Severity: check.Error, Field: "metadata.name", Identity: check.Identity{Kind: "create"},
			Hop: u.FirstHop(func(v operator.Version) bool { return !operator.HookOf(v).Creates }),
			Message: fmt.Sprintf(
				"the CRD hook of %s will fail, and the upgrade with it: it may not create CRDs, and this one does not exist", u.To),
			Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.OperatorCRDs, Ref: crd}}},
			Evidence:     []check.Evidence{{Object: crd, Field: "metadata.name", Value: "not found"}},
			Next:         hookOff(u),
		}, true
	}
	return check.Finding{}, false
}

func hookOff(u *check.Upgrade) []check.Step {
	return []check.Step{{When: check.Before, Do: "set hook.upgradeCrd to false in the values, and apply the CRDs yourself",
		Command: upgrade.CRDCommand(u, upgrade.ReleaseOf(u), "")}}
}
