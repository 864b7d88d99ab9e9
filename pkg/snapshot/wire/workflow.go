package wire

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type wireWorkflow struct {
	wireObject
	Spec wireWorkflowSpec `json:"spec"`
}

func (d *Decoder) decodeWorkflow(_ snapshot.Source, item Item) (*snapshot.Workflow, error) {
	var w wireWorkflow
	if err := json.Unmarshal(item.Raw, &w, Options()); err != nil {
		return nil, err
	}
	out := &snapshot.Workflow{Object: w.object(item.Location)}
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
func templateObjects(text string) (list []snapshot.TemplateObject, workflows []wireManifest) {
	for _, doc := range documentMarker.Split(text, -1) {
		if !strings.Contains(doc, snapshot.SparkGroup) {
			continue
		}
		var m wireManifest
		plain, err := YAMLToJSON([]byte(doc))
		if err == nil {
			err = json.Unmarshal(plain, &m, Options())
		}
		if err != nil {
			if strings.Contains(doc, snapshot.SparkGroup+"/") {
				list = append(list, snapshot.TemplateObject{Unclear: true})
			}
			continue
		}
		for _, m := range m.each() {
			switch {
			case strings.HasPrefix(m.APIVersion, snapshot.SparkGroup+"/"):
				list = append(list, snapshot.TemplateObject{
					Kind: m.Kind, Name: m.Metadata.Name, Namespace: m.namespace(), ReleaseDependentFields: m.releaseDependent(),
				})
			case strings.HasPrefix(m.APIVersion, snapshot.ArgoGroup+"/"):
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
		wireReleaseDependentSpec
		wireWorkflowSpec
		Template wireReleaseDependentSpec `json:"template"`
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

func (m *wireManifest) releaseDependent() snapshot.ReleaseDependentFields {
	spec := &m.Spec.wireReleaseDependentSpec
	if m.Kind == "ScheduledSparkApplication" {
		spec = &m.Spec.Template
	}
	c := spec.releaseDependent()
	c.NoMainFile = c.NoMainFile && m.Kind != "SparkConnect"
	return c
}

// wireWorkflowSpec is spec of a workflow, or of a CronWorkflow, which has that of its workflows in it.
type wireWorkflowSpec struct {
	wireTemplates
	WorkflowSpec wireTemplates `json:"workflowSpec"`
}

// wireTemplates are the templates of a workflow, and what the controller merges into each of them before it runs it
// (mergedTemplateDefaultsInto in workflow/controller/operator.go of argo-workflows).
type wireTemplates struct {
	Templates []wireTemplate `json:"templates"`
	Defaults  struct {
		Resource wireResource `json:"resource"`
	} `json:"templateDefaults"`
}

// wireTemplate is a template. Tasks and steps may have one of their own instead of naming one, as deep as one likes (DAGTask and
// WorkflowStep in pkg/apis/workflow/v1alpha1/workflow_types.go of argo-workflows). Containers, scripts and the like create nothing.
type wireTemplate struct {
	Name     string        `json:"name"`
	Resource *wireResource `json:"resource"`
	Steps    [][]wireTask  `json:"steps"`
	DAG      struct {
		Tasks []wireTask `json:"tasks"`
	} `json:"dag"`
}

type wireTask struct {
	Name   string        `json:"name"`
	Inline *wireTemplate `json:"inline"`
}

type wireResource struct {
	Action            string `json:"action"`
	SetOwnerReference bool   `json:"setOwnerReference"`
	Manifest          string `json:"manifest"`
}

func (w *wireWorkflowSpec) resourceTemplates(path string) []snapshot.ResourceTemplate {
	return append(w.wireTemplates.resourceTemplates(path), w.WorkflowSpec.resourceTemplates(path+".workflowSpec")...)
}

func (w *wireTemplates) resourceTemplates(path string) []snapshot.ResourceTemplate {
	found := &templateFinder{defaults: w.Defaults.Resource, defaultsPath: path + ".templateDefaults"}
	for i := range w.Templates {
		found.in(&w.Templates[i], w.Templates[i].Name, indexed(path+".templates", i))
	}
	return found.list
}

// templateFinder gathers the templates of a workflow that create objects, wherever they stand.
type templateFinder struct {
	defaults     wireResource
	defaultsPath string
	list         []snapshot.ResourceTemplate
}

func (f *templateFinder) in(t *wireTemplate, name, path string) {
	if t.Resource != nil {
		f.add(t.Resource, name, path)
	}
	for i, group := range t.Steps {
		for j := range group {
			f.task(&group[j], name, indexed(indexed(path+".steps", i), j))
		}
	}
	for i := range t.DAG.Tasks {
		f.task(&t.DAG.Tasks[i], name, indexed(path+".dag.tasks", i))
	}
}

func (f *templateFinder) task(t *wireTask, template, path string) {
	if t.Inline != nil {
		f.in(t.Inline, template+"."+t.Name, path+".inline")
	}
}

// add notes a template with what the defaults give it: they hold where it says nothing, and "false" is nothing (omitempty).
func (f *templateFinder) add(r *wireResource, name, path string) {
	t := snapshot.ResourceTemplate{Name: name, Path: path, Action: cmp.Or(r.Action, f.defaults.Action), SetOwnerReference: r.SetOwnerReference}
	if f.defaults.SetOwnerReference && !r.SetOwnerReference {
		t.SetOwnerReference, t.ByDefault = true, f.defaultsPath
	}
	var workflows []wireManifest
	t.SparkObjects, workflows = templateObjects(cmp.Or(r.Manifest, f.defaults.Manifest))
	if len(t.SparkObjects) > 0 {
		f.list = append(f.list, t)
	}
	for i := range workflows {
		f.created(&workflows[i], name, path+".resource.manifest")
	}
}

// created notes the templates of a workflow that a template creates.
func (f *templateFinder) created(m *wireManifest, template, path string) {
	for _, t := range m.Spec.resourceTemplates(path + ": spec") {
		t.Name, t.Namespace = template+"."+t.Name, cmp.Or(t.Namespace, m.namespace())
		f.list = append(f.list, t)
	}
}
