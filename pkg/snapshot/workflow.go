package snapshot

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
