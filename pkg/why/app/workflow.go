package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// Awaits is a step of an Argo Workflow that runs, made the application, and waits for its status.
type Awaits struct {
	Workflow         snapshot.Ref
	Template         snapshot.Ref // WorkflowTemplate that the Workflow was made from; empty: none
	Step, Of         string       // the step, and its template
	Success, Failure string       // conditions: "status.applicationState.state == COMPLETED"; empty: none
	Started          time.Time    // the step
}

// The lines of a manifest that name its object. Argo fills in what stands in braces.
var (
	manifestKind = lazyregexp.New(`(?m)^kind:\s*"?(\w+)`)
	manifestName = lazyregexp.New(`(?m)^\s+(name|generateName):\s*["']?([^\s"'{]*)([^\s"']*)`)
)

// workflows keeps the steps that wait for the application: of the Workflow that owns it, those whose manifest is of its name.
func (s *sorter) workflows(objects []unstructured.Unstructured) {
	a := s.e.Application
	if a == nil {
		return
	}
	for i := range objects {
		o := &objects[i]
		owns := slices.ContainsFunc(a.OwnerReferences, ownedBy("Workflow", o.GetName()))
		if o.GetKind() != "Workflow" || o.GroupVersionKind().Group != "argoproj.io" || o.GetNamespace() != a.Namespace || !owns {
			continue
		}
		f := whole.Fields(o.Object)
		templates := append(f.Objects("spec", "templates"), f.Objects("status", "storedWorkflowTemplateSpec", "templates")...)
		for id := range f.Object("status", "nodes") {
			node := f.Object("status", "nodes", id)
			at := slices.IndexFunc(templates, func(t whole.Fields) bool { return t.Text("name") == node.Text("templateName") })
			if node.Text("phase") != "Running" || at < 0 || !makes(templates[at].Text("resource", "manifest"), a.Kind, a.Name) {
				continue
			}
			one := Awaits{Workflow: refOf(o), Step: node.Text("displayName"), Of: node.Text("templateName"),
				Success: templates[at].Text("resource", "successCondition"), Failure: templates[at].Text("resource", "failureCondition")}
			one.Started = node.When("startedAt")
			if name := o.GetLabels()["workflows.argoproj.io/workflow-template"]; name != "" {
				one.Template = snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: "WorkflowTemplate", Namespace: o.GetNamespace(), Name: name}
			}
			s.e.Awaits = append(s.e.Awaits, one)
		}
	}
	slices.SortFunc(s.e.Awaits, func(a, b Awaits) int { return cmp.Or(a.Workflow.Compare(b.Workflow), cmp.Compare(a.Step, b.Step)) })
}

// makes reports whether a manifest makes an object of a kind and name. Of a name that Argo or the API server completes, the beginning is
// known.
func makes(manifest, kind, name string) bool {
	of := manifestKind.FindStringSubmatch(manifest)
	named := manifestName.FindStringSubmatch(manifest)
	if of == nil || named == nil || of[1] != kind {
		return false
	}
	if whole := named[1] == "name" && named[3] == ""; whole {
		return named[2] == name
	}
	return strings.HasPrefix(name, named[2])
}
