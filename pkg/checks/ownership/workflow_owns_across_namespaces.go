package ownership

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func workflowOwnsAcrossNamespaces() check.Check {
	views := []check.View{snapshot.Workflows, snapshot.WorkflowTemplates, snapshot.ClusterWorkflowTemplates, snapshot.CronWorkflows}
	needs := make([]snapshot.Need, 0, len(views))
	for _, v := range views {
		needs = append(needs, snapshot.Need{View: v, Role: snapshot.Subject})
	}
	return check.Check{
		ID: "SD2004", Slug: "workflow-owns-across-namespaces", Since: "0.1.0", Consequence: check.LosesWork,
		Title:     "an Argo template makes itself the owner of a Spark object in another namespace",
		Needs:     needs,
		Relations: check.Relations{Breaks: []check.Part{check.TemplateOwner}},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			open := 0
			for _, v := range views {
				list := p.Workflows(v)
				for i := range list {
					findings, unclear := acrossNamespaces(&list[i])
					a.Findings = append(a.Findings, findings...)
					open += unclear
					if unclear == 0 {
						a.Judged++
					}
				}
			}
			if open > 0 {
				a.Unjudged = []string{fmt.Sprintf(
					"%s with setOwnerReference: the namespace is a template expression, or the manifest cannot be read without its parameters",
					phrase.Counted(open, "Spark manifest"))}
			}
			return a
		},
	}
}

// acrossNamespaces judges the templates of one workflow, and counts the manifests that cannot be judged.
func acrossNamespaces(w *snapshot.Workflow) (findings []check.Finding, unclear int) {
	for _, t := range w.Templates {
		if !t.SetOwnerReference || !slices.Contains([]string{"", "create", "apply", "replace"}, t.Action) {
			continue
		}
		runsIn := facts.ManifestNamespace(w.Namespace, t.Namespace)
		for _, m := range t.SparkObjects {
			goes := facts.ManifestNamespace(w.Namespace, m.Namespace)
			ofWorkflow := m.Namespace == "{{workflow.namespace}}" && t.Namespace == ""
			switch {
			case m.Unclear:
				unclear++
			case m.Namespace == "" || m.Namespace == t.Namespace || ofWorkflow:
				// Without a namespace the object goes where the workflow runs.
			case goes == "" || runsIn == "" && t.Namespace != "":
				unclear++
			case goes != runsIn:
				findings = append(findings, ownsAcross(w, t, m.Kind, goes, runsIn))
			}
		}
	}
	return findings, unclear
}

func ownsAcross(w *snapshot.Workflow, t snapshot.ResourceTemplate, kind, goes, runsIn string) check.Finding {
	field := t.Path + ".resource"
	f := check.Finding{
		About: check.Of(w), Severity: check.Error, Field: field,
		Identity: check.Identity{What: t.Name + "/" + kind + "/" + goes},
		Message: fmt.Sprintf(
			"template %q owns the %s that it creates in namespace %q, but the workflow runs in %q: the garbage collector deletes it", t.Name,
			kind, goes, runsIn),
		Evidence: []check.Evidence{
			{Object: w.Ref, Field: cmp.Or(t.ByDefault, t.Path) + ".resource.setOwnerReference", Value: "true"},
			{Object: w.Ref, Field: field + ".manifest", Value: "metadata.namespace: " + goes},
		},
	}
	if t.ByDefault != "" && w.Kind != "Workflow" && w.Kind != "CronWorkflow" {
		f.Certainty = check.Likely // a workflow that uses only this template of it has defaults of its own
	}
	if runsIn == "" {
		// A ClusterWorkflowTemplate runs where the workflow that uses it is submitted.
		f.Severity, f.Certainty = check.Warning, check.Likely
		f.Message = fmt.Sprintf(
			"template %q owns the %s that it creates in namespace %q: the garbage collector deletes it, unless the workflow that uses the "+
				"template runs there", t.Name, kind, goes)
	}
	drop := command.Do("drop setOwnerReference from template %s, or run the workflow in namespace %s", t.Name, goes)
	if w.Kind != "Workflow" { // one that was submitted keeps its templates
		drop = drop.On("edit", w.Ref)
	}
	f.Then(drop)
	return f
}
