package snapshot

import (
	"strings"
	"time"
)

// Schedule is what checks read of a scheduledsparkapplications.sparkoperator.k8s.io (api/v1beta2@v2.5.2).
type Schedule struct {
	Object
	Cron      string // spec.schedule
	TimeZone  string // spec.timeZone, since 2.2.0
	Policy    string // spec.concurrencyPolicy
	Suspended bool
	Template  SparkApplication // spec.template, without metadata: see Application

	SpecChanged time.Time // when somebody last wrote what includes the spec; zero where managedFields do not tell

	State       string // status.scheduleState; empty until the operator looked at it
	Reason      string // first 512 bytes of status.reason
	LastRun     time.Time
	NextRun     time.Time
	LastRunName string

	// Malformed says what of spec or status could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

// Application returns what the schedule makes: an application without a status, here with the schedule's own metadata. A run has its
// namespace, its labels and another one, and a name that begins with its name (createSparkApplication,
// internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
func (s *Schedule) Application() *SparkApplication {
	a := s.Template
	a.Object, a.Malformed = s.Object, s.Malformed
	return &a
}

// Path returns where a field of an application's specification is in the object that holds it: in a schedule below
// spec.template.
func (a *SparkApplication) Path(field string) string {
	below, ofSpec := strings.CutPrefix(field, "spec")
	if !ofSpec || a.Kind != "ScheduledSparkApplication" {
		return field
	}
	return "spec.template" + below
}

func (s *Schedule) dates(see func(time.Time)) { see(s.LastRun) }

// SparkConnect is what checks read of a sparkconnects.sparkoperator.k8s.io (api/v1alpha1@v2.5.2).
type SparkConnect struct {
	Object
	ReleaseDependentFields

	SparkVersion     string
	ServerAccount    string // spec.server.template.spec.serviceAccountName, or serviceAccount, which says the same
	ExecutorTemplate bool   // spec.executor.template is set
	ExecutorMemory   string // spec.executor.memory
	Executors        int    // spec.executor.instances
	Allocates        bool   // spec.dynamicAllocation.enabled, or spark.dynamicAllocation.enabled=true

	State       string    // status.state; empty until the operator has made all parts of it
	Started     time.Time // status.startTime
	ServerPodIP string    // status.server.podIp
	Unready     time.Time // since when status.conditions[ServerPodReady] is False; zero: it is not
	Running     int       // status.executors[running]

	// Malformed says what of spec could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

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
	Kind                   string
	Name                   string // may be empty, or hold a {{template expression}}
	Namespace              string // may be a {{template expression}}
	ReleaseDependentFields        // of its spec, or of that's template
	Unclear                bool   // the text is YAML only after its expressions are replaced
}
