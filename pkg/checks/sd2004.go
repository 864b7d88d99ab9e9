package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

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
		for _, m := range sparkManifests(t.Manifest) {
			switch {
			case m.unclear:
				unclear++
			case m.namespace == "" || m.namespace == "{{workflow.namespace}}":
				// Without a namespace the object goes where the workflow runs.
			case strings.Contains(m.namespace, "{{"):
				unclear++
			case m.namespace != w.Namespace:
				findings = append(findings, ownsAcross(w, t, m))
			}
		}
	}
	return findings, unclear
}

func ownsAcross(w *snapshot.Workflow, t snapshot.ResourceTemplate, m manifest) Finding {
	field := t.Path + ".resource"
	f := Finding{
		Object: w.Ref, Location: w.Location, Labels: w.Labels, Severity: Error, Field: field,
		What:    t.Name + "/" + m.kind + "/" + m.namespace,
		Message: fmt.Sprintf("template %q owns the %s that it creates in namespace %q, but the workflow runs in %q: the garbage collector deletes it", t.Name, m.kind, m.namespace, w.Namespace),
		Evidence: []Evidence{
			{Object: w.Ref, Field: field + ".setOwnerReference", Value: "true"},
			{Object: w.Ref, Field: field + ".manifest", Value: "metadata.namespace: " + m.namespace},
		},
	}
	if w.Namespace == "" {
		// A ClusterWorkflowTemplate runs where the workflow that uses it is submitted.
		f.Severity, f.Certainty = Warning, Likely
		f.Message = fmt.Sprintf("template %q owns the %s that it creates in namespace %q: the garbage collector deletes it, unless the workflow that uses the template runs there", t.Name, m.kind, m.namespace)
	}
	return f
}

// manifest is one Spark object in a resource template.
type manifest struct {
	kind, namespace string
	unclear         bool
}

var documentMarker = regexp.MustCompile(`(?m)^---.*$`)

// sparkManifests finds the Spark objects in a manifest of one or more documents. Text that is YAML only after its
// {{expressions}} are replaced is unclear if it speaks of Spark objects at all.
func sparkManifests(text string) []manifest {
	var out []manifest
	for _, doc := range documentMarker.Split(text, -1) {
		var head struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Metadata   struct {
				Namespace string `json:"namespace"`
			} `json:"metadata"`
		}
		switch err := yaml.Unmarshal([]byte(doc), &head); {
		case err != nil && strings.Contains(doc, snapshot.SparkGroup+"/"):
			out = append(out, manifest{unclear: true})
		case err == nil && strings.HasPrefix(head.APIVersion, snapshot.SparkGroup+"/"):
			out = append(out, manifest{kind: head.Kind, namespace: strings.ReplaceAll(head.Metadata.Namespace, " ", "")})
		}
	}
	return out
}
