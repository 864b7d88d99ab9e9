package snapshot

import (
	"github.com/go-json-experiment/json"
)

// Workflow is an Argo Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow, narrowed to the
// templates that create objects (argo-workflows pkg/apis/workflow/v1alpha1 ResourceTemplate).
type Workflow struct {
	Object
	Templates []ResourceTemplate
}

// ResourceTemplate is a template that applies a manifest.
type ResourceTemplate struct {
	Name              string
	Path              string // spec.templates[i], or spec.workflowSpec.templates[i] in a CronWorkflow
	Action            string
	SetOwnerReference bool
	Manifest          string // YAML or JSON, possibly with {{template expressions}}
}

type wireWorkflow struct {
	wireObject
	Spec struct {
		wireTemplates
		WorkflowSpec wireTemplates `json:"workflowSpec"`
	} `json:"spec"`
}

type wireTemplates struct {
	Templates []struct {
		Name     string `json:"name"`
		Resource *struct {
			Action            string `json:"action"`
			SetOwnerReference bool   `json:"setOwnerReference"`
			Manifest          string `json:"manifest"`
		} `json:"resource"`
	} `json:"templates"`
}

func decodeWorkflow(raw []byte, loc Location) (Workflow, error) {
	var w wireWorkflow
	if err := json.Unmarshal(raw, &w, decodeOptions()); err != nil {
		return Workflow{}, err
	}
	out := Workflow{Object: w.object(loc)}
	// Completed workflows create nothing any more; the label is Argo's own (workflow/common/common.go).
	if w.Kind == "Workflow" && out.Labels.Get("workflows.argoproj.io/completed") == "true" {
		return out, nil
	}
	out.Templates = append(resourceTemplates("spec.templates", w.Spec.wireTemplates), resourceTemplates("spec.workflowSpec.templates", w.Spec.WorkflowSpec)...)
	return out, nil
}

func resourceTemplates(path string, w wireTemplates) []ResourceTemplate {
	var out []ResourceTemplate
	for i, t := range w.Templates {
		if t.Resource == nil || t.Resource.Manifest == "" {
			continue
		}
		out = append(out, ResourceTemplate{
			Name: t.Name, Path: indexed(path, i), Action: t.Resource.Action,
			SetOwnerReference: t.Resource.SetOwnerReference, Manifest: t.Resource.Manifest,
		})
	}
	return out
}
