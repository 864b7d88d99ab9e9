package snapshot

import (
	"regexp"
	"strings"

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
	Name              string // of one that stands in a task or step, that of its template, a dot and the task's
	Path              string // spec.templates[i], spec.workflowSpec.templates[i] in a CronWorkflow, spec.templates[i].dag.tasks[j].inline
	Namespace         string // of the workflow that a manifest creates and that has this template; empty: it is of this one
	Action            string
	SetOwnerReference bool
	ByDefault         string           // the path of the templateDefaults that set it; empty: the template does
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
	Spec wireWorkflowSpec `json:"spec"`
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
	out.Templates = w.Spec.resourceTemplates("spec")
	return out, nil
}

var documentMarker = regexp.MustCompile(`(?m)^---.*$`)

// templateObjects finds the Spark objects in a manifest of one or more documents. Text that is YAML only after its
// {{expressions}} are replaced is unclear if it speaks of Spark objects at all.
func templateObjects(text string) (list []TemplateObject, workflows []wireManifest) {
	for _, doc := range documentMarker.Split(text, -1) {
		if !strings.Contains(doc, SparkGroup) {
			continue
		}
		var m wireManifest
		plain, err := YAMLToJSON([]byte(doc))
		if err == nil {
			err = json.Unmarshal(plain, &m, decodeOptions())
		}
		if err != nil {
			if strings.Contains(doc, SparkGroup+"/") {
				list = append(list, TemplateObject{Unclear: true})
			}
			continue
		}
		for _, m := range m.each() {
			switch {
			case strings.HasPrefix(m.APIVersion, SparkGroup+"/"):
				list = append(list, TemplateObject{Kind: m.Kind, Name: m.Metadata.Name, Namespace: m.namespace(), Contested: m.contested()})
			case strings.HasPrefix(m.APIVersion, argoGroup+"/"):
				workflows = append(workflows, m)
			}
		}
	}
	return list, workflows
}

// wireManifest is a Spark object in a manifest, a workflow that has some, or a list of such.
type wireManifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		wireContestedSpec
		wireWorkflowSpec
		Template wireContestedSpec `json:"template"`
	} `json:"spec"`
	Items []wireManifest `json:"items"`
}

// each returns the object, or those of a list, which kubectl creates one by one.
func (m *wireManifest) each() []wireManifest {
	if m.Kind != "List" {
		return []wireManifest{*m}
	}
	return m.Items
}

func (m *wireManifest) namespace() string { return strings.ReplaceAll(m.Metadata.Namespace, " ", "") }

func (m *wireManifest) contested() Contested {
	spec := &m.Spec.wireContestedSpec
	if m.Kind == "ScheduledSparkApplication" {
		spec = &m.Spec.Template
	}
	c := spec.contested()
	c.NoMainFile = c.NoMainFile && m.Kind != "SparkConnect"
	return c
}
