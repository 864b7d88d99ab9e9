package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func workflowOwnsAcrossNamespaces() Check {
	views := []View{snapshot.Workflows, snapshot.WorkflowTemplates, snapshot.ClusterWorkflowTemplates, snapshot.CronWorkflows}
	needs := make([]snapshot.Need, 0, len(views))
	for _, v := range views {
		needs = append(needs, snapshot.Need{View: v, Role: snapshot.Subject})
	}
	return Check{
		ID: workflowOwnsID, Slug: "workflow-owns-across-namespaces", Since: "0.1.0",
		Title: "an Argo template makes itself the owner of a Spark object in another namespace",
		Next:  "run the workflow in the application's namespace, or drop setOwnerReference and link the two by a label",
		Needs: needs,
		Run: func(s *snapshot.Snapshot, _ Params) Answer {
			var a Answer
			open := 0
			for _, v := range views {
				list := s.Workflows(v)
				for i := range list {
					findings, unclear := acrossNamespaces(&list[i])
					a.Findings = append(a.Findings, findings...)
					open += unclear
				}
			}
			if open > 0 {
				a.Unjudged = []string{fmt.Sprintf("%s with setOwnerReference: the namespace is a template expression, or the manifest cannot be read without its parameters", counted(open, "Spark manifest"))}
			}
			return a
		},
	}
}

// acrossNamespaces judges the templates of one workflow, and counts the manifests that cannot be judged.
func acrossNamespaces(w *snapshot.Workflow) (findings []Finding, unclear int) {
	for _, t := range w.Templates {
		if !t.SetOwnerReference || !slices.Contains([]string{"", "create", "apply", "replace"}, t.Action) {
			continue
		}
		for _, m := range t.SparkObjects {
			switch {
			case m.Unclear:
				unclear++
			case m.Namespace == "" || m.Namespace == "{{workflow.namespace}}":
				// Without a namespace the object goes where the workflow runs.
			case strings.Contains(m.Namespace, "{{"):
				unclear++
			case m.Namespace != w.Namespace:
				findings = append(findings, ownsAcross(w, t, m))
			}
		}
	}
	return findings, unclear
}

func ownsAcross(w *snapshot.Workflow, t snapshot.ResourceTemplate, m snapshot.TemplateObject) Finding {
	field := t.Path + ".resource"
	f := Finding{
		Object: w.Ref, Location: w.Location, Labels: w.Labels, Severity: Error, Field: field,
		What:    t.Name + "/" + m.Kind + "/" + m.Namespace,
		Message: fmt.Sprintf("template %q owns the %s that it creates in namespace %q, but the workflow runs in %q: the garbage collector deletes it", t.Name, m.Kind, m.Namespace, w.Namespace),
		Evidence: []Evidence{
			{Object: w.Ref, Field: field + ".setOwnerReference", Value: "true"},
			{Object: w.Ref, Field: field + ".manifest", Value: "metadata.namespace: " + m.Namespace},
		},
	}
	if w.Namespace == "" {
		// A ClusterWorkflowTemplate runs where the workflow that uses it is submitted.
		f.Severity, f.Certainty = Warning, Likely
		f.Message = fmt.Sprintf("template %q owns the %s that it creates in namespace %q: the garbage collector deletes it, unless the workflow that uses the template runs there", t.Name, m.Kind, m.Namespace)
	}
	return f
}
