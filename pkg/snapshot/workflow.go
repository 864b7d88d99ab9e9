package snapshot

import (
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"sigs.k8s.io/yaml"
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
	SparkObjects      []TemplateObject // in its manifest; the rest of that may hold secrets
}

// TemplateObject is a Spark object in the manifest of a template.
type TemplateObject struct {
	Kind      string
	Name      string // may be empty, or hold a {{template expression}}
	Namespace string // may be a {{template expression}}
	Contested        // of its spec, or of that's template
	Unclear   bool   // the text is YAML only after its expressions are replaced
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
			SetOwnerReference: t.Resource.SetOwnerReference, SparkObjects: templateObjects(t.Resource.Manifest),
		})
	}
	return out
}

var documentMarker = regexp.MustCompile(`(?m)^---.*$`)

// templateObjects finds the Spark objects in a manifest of one or more documents. Text that is YAML only after its
// {{expressions}} are replaced is unclear if it speaks of Spark objects at all.
func templateObjects(text string) []TemplateObject {
	var out []TemplateObject
	for _, doc := range documentMarker.Split(text, -1) {
		if !strings.Contains(doc, SparkGroup) {
			continue
		}
		var m wireManifest
		plain, err := yaml.YAMLToJSON([]byte(doc))
		if err == nil {
			err = json.Unmarshal(plain, &m, decodeOptions())
		}
		switch {
		case err != nil && strings.Contains(doc, SparkGroup+"/"):
			out = append(out, TemplateObject{Unclear: true})
		case err == nil && strings.HasPrefix(m.APIVersion, SparkGroup+"/"):
			out = append(out, TemplateObject{Kind: m.Kind, Name: m.Metadata.Name, Namespace: strings.ReplaceAll(m.Metadata.Namespace, " ", ""), Contested: m.contested()})
		}
	}
	return out
}

// wireManifest is a Spark object in a manifest.
type wireManifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		wireContestedSpec
		Template wireContestedSpec `json:"template"`
	} `json:"spec"`
}

func (m *wireManifest) contested() Contested {
	spec := &m.Spec.wireContestedSpec
	if m.Kind == "ScheduledSparkApplication" {
		spec = &m.Spec.Template
	}
	c := spec.contested()
	c.NoMainFile = c.NoMainFile && m.Kind != "SparkConnect"
	return c
}
