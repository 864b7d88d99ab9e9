package upgrade

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

func crdsNotUpgraded() check.Check {
	return check.Check{
		ID: "SD7003", Slug: "crds-not-upgraded", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "a CRD is missing or older than the target release, and helm upgrade does not change it",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.OperatorCRDs, Role: snapshot.Subject, Scope: snapshot.Everywhere},
		},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			u := p.Upgrade
			certainty, left := LeavesCRDs(u)
			if !left {
				return a
			}
			applies := AppliesCRDs(ReleaseOf(u).Tool)
			crds := p.OperatorCRDs()
			at := func(name check.View) int {
				return slices.IndexFunc(crds, func(c snapshot.CRD) bool { return c.Name == string(name) })
			}
			for i := range crds {
				c := &crds[i]
				brought := slices.DeleteFunc(operator.TelltalesOf(u.To, c.Name), func(t operator.Telltale) bool { return t.Since.Compare(u.From) <= 0 })
				if missing := facts.LackingFields(c, brought); len(missing) > 0 && (!applies || failsClientSide(c)) {
					a.Findings = append(a.Findings, staleCRD(c, u, missing))
				}
			}
			// Without the first CRD a dump leaves CRDs out.
			whole := !p.Excerpt() && at(snapshot.SparkApplications) >= 0
			if whole && !applies && operator.StartsConnect(u.To) && !operator.StartsConnect(u.From) && at(snapshot.SparkConnects) < 0 {
				a.Findings = append(a.Findings, connectNotDefined(u))
			}
			for i := range a.Findings {
				a.Findings[i].Certainty = certainty
			}
			return a
		},
	}
}

// LeavesCRDs reports whether the upgrade leaves CRDs as they are. Helm does; a hook of the chart applies them where
// somebody asked for it, and rendered manifests then have the hook's service account (charts/spark-operator-chart/
// templates/hook/serviceaccount.yaml@v2.3.0, #2371).
func LeavesCRDs(u *check.Upgrade) (c check.Certainty, yes bool) {
	chart, _ := operator.ChartOf(u.To)
	switch {
	case !chart.UpgradesCRDs:
		return check.Proven, true
	case u.Target == nil && u.Chosen != nil:
		return check.Proven, !u.Chosen.UpgradesCRDs
	case u.Target == nil:
		return check.Likely, true
	default:
		return check.Proven, !slices.ContainsFunc(u.Target.ServiceAccounts(), func(o snapshot.Object) bool {
			return o.Labels.Get("app.kubernetes.io/component") == "hook"
		})
	}
}

// maxAnnotations is how many bytes the annotations of an object may take (k8s.io/apimachinery/pkg/api/validation,
// TotalAnnotationSizeLimitB). The CRDs of applications have outgrown it since chart 1.4.5, so that kubectl apply, which
// keeps a copy in an annotation, fails (#2151).
const maxAnnotations = 256 << 10

// failsClientSide reports whether a CRD was applied so, which the next one will have outgrown.
func failsClientSide(c *snapshot.CRD) bool {
	return c.LastApplied > 0 && c.Name != string(snapshot.SparkConnects)
}

// AppliesCRDs reports whether a tool applies the CRDs of a release together with the rest, unless it is told not to.
func AppliesCRDs(t command.Tool) bool {
	return t == command.ArgoCD || t == command.Kustomize || t == command.PlainKustomize
}

func staleCRD(c *snapshot.CRD, u *check.Upgrade, missing []operator.Telltale) check.Finding {
	oldest := missing[0].Since
	fields := make([]string, 0, len(missing))
	for _, t := range missing {
		fields = append(fields, "spec."+t.Field)
		if t.Since.Compare(oldest) < 0 {
			oldest = t.Since
		}
	}
	hop, _ := u.Brings(oldest)
	f := check.Finding{
		About: check.Of(c), Severity: check.Warning, Field: "spec.versions", Hop: hop,
		Message:  fmt.Sprintf("operator %s uses fields that this CRD drops: %s", u.To, facts.SomeOf(fields, facts.MaxNamed, "field")),
		Evidence: []check.Evidence{{Object: c.Ref, Field: "missing fields", Value: strings.Join(fields, ", ")}},
		Next:     []check.Step{ApplyCRDs(u)},
	}
	if failsClientSide(c) {
		f.Message += fmt.Sprintf("; it was applied client-side, which fails for the CRD of %s", u.To)
		f.Saw(c.Ref, "metadata.annotations (at most "+fmt.Sprint(maxAnnotations)+" bytes)",
			fmt.Sprintf("last-applied-configuration of %d bytes", c.LastApplied))
		f.Next = append([]check.Step{{When: check.Before,
			Do: "have whatever applies the CRDs do it server-side (Argo CD: ServerSideApply=true)"}}, f.Next...)
	}
	return f
}

// connectNotDefined states that the controller will end, see withoutConnect.
func connectNotDefined(u *check.Upgrade) check.Finding {
	crd := snapshot.Ref{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: string(snapshot.SparkConnects)}
	return check.Finding{
		About: check.Named(crd), Severity: check.Error, Hop: u.FirstHop(operator.StartsConnect),
		Message: fmt.Sprintf(
			"operator %s watches SparkConnect, whose CRD does not exist: the controller exits soon after each start and reconciles nothing",
			u.To),
		Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.OperatorCRDs, Ref: crd}}},
		Evidence:     []check.Evidence{{Object: crd, Field: "metadata.name", Value: "not found"}},
		Next:         []check.Step{ApplyCRDs(u)},
	}
}

// ApplyCRDs is what Helm does not do: it creates CRDs and never changes them, nor adds any in an upgrade
// (helm.sh/docs/chart_best_practices/custom_resource_definitions). Argo CD applies the chart's unless skipCrds is set
// (argoproj/argo-cd#8012), Flux those of a HelmRelease only as its spec.upgrade.crds says, which is Skip by default
// (fluxcd/helm-controller#250, #986).
func ApplyCRDs(u *check.Upgrade) check.Step {
	r := ReleaseOf(u)
	step := check.Step{When: check.During, CRDs: true, Do: fmt.Sprintf("apply the CRDs of %s", u.To)}
	if u.To.Unreleased { // of which there is no chart and no tag
		step.Do = "apply the CRDs of the release that will come of next"
		return step
	}
	switch r.Tool {
	case command.ArgoCD:
		step.Do = fmt.Sprintf("let Argo CD apply the CRDs of %s: without skipCrds, and with ServerSideApply=true in the syncOptions of "+
			"application %s", u.To, r.Source)
	case command.FluxHelm:
		step.Do = fmt.Sprintf("let Flux apply the CRDs of %s: set spec.upgrade.crds to CreateReplace in HelmRelease %s", u.To, r.Source)
	case command.Kustomize:
		step.Do = fmt.Sprintf("put the CRDs of %s into the repository that Kustomization %s applies", u.To, r.Source)
	default:
		step.Command = CRDCommand(u, r, "")
	}
	return step
}

// CRDCommand applies the CRDs of the target: from the chart, or for kustomize from the files of the tag, which are the same. The
// kustomization beside them is no substitute: it has them converted by a Service in namespace "system", and before 2.5.1 leaves out
// SparkConnect, without which the controller exits (config/crd/{kustomization.yaml,bases,patches}@v2.2.1 to @v2.5.2).
func CRDCommand(u *check.Upgrade, r command.Installer, flags string) string {
	const apply = "kubectl apply --server-side --force-conflicts"
	if r.Tool != command.Kustomize && r.Tool != command.PlainKustomize {
		return fmt.Sprintf("helm show crds spark-operator/spark-operator --version %s | %s%s -f -", u.To, apply, flags)
	}
	line := apply + flags
	for _, crd := range operator.CRDsOf(u.To) {
		line += fmt.Sprintf(" -f https://raw.githubusercontent.com/kubeflow/spark-operator/v%s/config/crd/bases/%s_%s.yaml", u.To,
			snapshot.SparkGroup, crd.Resource)
	}
	return line
}
