package app

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Application is a SparkApplication or a SparkConnect as typed values: what of it is in use, as the API says it. A field that is not set,
// or holds a value of another type, is zero; where zero means something else, the field is a pointer, and nil.
type Application struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Spec    Spec
	Status  Status
	Dropped []Dropped
}

// Dropped is a field of the spec that was applied and that the API server did not keep, and names in it (package whole).
type Dropped struct {
	Path  string // "driver.template"
	Names []string
}

// Ref names the application.
func (a *Application) Ref() snapshot.Ref { return refTo(&a.TypeMeta, &a.ObjectMeta) }

// Failed reports whether a run failed by its state (api/v1beta2/sparkapplication_types.go@v2.5.2).
func (a *Application) Failed() bool {
	return slices.Contains([]string{"FAILED", "FAILING", "SUBMISSION_FAILED"}, a.Status.State)
}

func refTo(is *metav1.TypeMeta, o *metav1.ObjectMeta) snapshot.Ref {
	return snapshot.Ref{APIVersion: is.APIVersion, Kind: is.Kind, Namespace: o.Namespace, Name: o.Name, UID: string(o.UID)}
}

// Spec is what an application asks for.
type Spec struct {
	Type, Mode           string
	Image, SparkVersion  string
	ImagePullSecrets     []string
	MainClass            string
	MainApplicationFile  string
	Arguments            []string
	MemoryOverheadFactor string
	SparkConfigMap       string
	Suspend              bool
	DynamicAllocation    DynamicAllocation
	RestartPolicy        RestartPolicy
	TimeToLiveSeconds    int
	Queue                string            // spec.batchSchedulerOptions.queue
	GroupAsks            bool              // spec.batchSchedulerOptions.resources says what the PodGroup asks for
	Conf                 map[string]string // spec.sparkConf
	HadoopConf           map[string]string
	Packages             []string // spec.deps.packages
	Jars                 []string // spec.deps.jars
	Archives             []string // spec.deps.archives
	ExposesDriver        bool     // spec.monitoring.exposeDriverMetrics
	ExposesExecutors     bool     // spec.monitoring.exposeExecutorMetrics
	Volumes              []corev1.Volume
	NodeSelector         map[string]string

	Driver, Executor, Server Role // Server: of a SparkConnect, which has no Driver
	Service                  *Service

	// Shown are fields as text, by their path below spec, where they are set, to be shown beside a verdict. What decides reads the fields.
	Shown map[string]string
}

// DynamicAllocation is spec.dynamicAllocation.
type DynamicAllocation struct {
	Enabled      bool
	MaxExecutors *int
}

// RestartPolicy is spec.restartPolicy.
type RestartPolicy struct {
	Type             string
	OnFailureRetries *int
}

// Role is what the spec gives to pods of a role.
type Role struct {
	Cores                               int
	CoreRequest, CoreLimit              string
	Memory, MemoryOverhead, MemoryLimit string
	Instances                           int
	PodName, PriorityClassName, Image   string
	JavaOptions                         string
	Env                                 []string        // names: values are not kept
	EnvWhole                            []corev1.EnvVar // the same list, where it holds nothing but locales and references; nil: it holds more
	EnvFrom                             []VariablesOf
	EnvSecretKeyRefs                    []KeyRef // by variable
	EnvRefs                             []KeyRef // those of env, in its order
	VolumeMounts                        []corev1.VolumeMount
	ConfigMaps                          []Mount
	Secrets                             []SecretMount
	NodeSelector, Labels, Annotations   map[string]string
	Tolerations                         []corev1.Toleration
	ServiceAccount                      string
	Secured                             bool // it has a securityContext, or a podSecurityContext
	Template                            Template
}

// VariablesOf is a ConfigMap or Secret all of whose keys become variables.
type VariablesOf struct{ Kind, Name string }

// Mount is where a ConfigMap is to be found in a container.
type Mount struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// SecretMount is where a Secret is to be found in a container. The type says what of it is a credential, which the operator points to by a
// variable (internal/controller/sparkapplication/submission.go@v2.5.2).
type SecretMount struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Type string `json:"secretType,omitempty"`
}

// Template is a template of pods.
type Template struct {
	Containers []TemplateContainer
	// Pod is the spec of the template, without values of variables; empty: there is none, or it does not decode as a whole.
	Pod corev1.PodSpec
}

// TemplateContainer is a container of a template.
type TemplateContainer struct{ Name, Image string }

// Service is spec.server.service of a SparkConnect.
type Service struct{ Name string }

// Status is what the operator recorded.
type Status struct {
	State, Message string    // of applicationState; of a SparkConnect state, and what its condition ServerPodReady says
	Since          time.Time // of the state, where the status of a SparkConnect says it
	Submitted      time.Time // lastSubmissionAttemptTime; startTime of a SparkConnect
	Ended          time.Time // terminationTime
	Attempts       int       // executionAttempts
	DriverPod      string    // driverInfo.podName
	SubmissionID   string
	ExecutorStates map[string]string // by the name of the pod

	// Of a SparkConnect:

	// by phase, in lower case (updateExecutorStatus in internal/controller/sparkconnect/reconciler.go@v2.5.2)
	ExecutorCounts           map[string]int
	ServerPod, ServerService string
}

// Schedule is a ScheduledSparkApplication.
type Schedule struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Suspend           bool
	ConcurrencyPolicy string
	Cron, TimeZone    string    // spec.schedule and spec.timeZone
	State, Reason     string    // scheduleState and reason of the status
	LastRun           string    // name
	LastRunAt         time.Time // when it was started; zero: not known
	NextRun           string    // as the status says it
	Next              time.Time // that time; zero: it is none
	Failed, Succeeded []string  // names of past runs
}

// Ref names the schedule.
func (s *Schedule) Ref() snapshot.Ref { return refTo(&s.TypeMeta, &s.ObjectMeta) }

// Queued is what stands for an application in a queue: a Workload of Kueue, a PodGroup of Volcano or of the scheduler plugins.
type Queued struct {
	snapshot.Ref

	Queue      string              // spec.queueName of a Workload, spec.queue of a PodGroup
	Wants      string              // spec.minResources, as text
	Least      corev1.ResourceList // the same; nil: it does not say
	Asks       []Field             // minMember, minResources and queue, where they are set
	Conditions []Condition         // of the status
}

// Queue is one of Volcano.
type Queue struct {
	snapshot.Ref

	Capability, Allocated corev1.ResourceList // the most that it may have, by spec.capability, and what it has; what is not there is not set
}

// ClusterQueue is one of Kueue, and why it takes nothing.
type ClusterQueue struct {
	snapshot.Ref

	Inactive Condition // its condition Active, where that is False; zero: it is not
	Missing  []string  // the ResourceFlavors that do not exist, by that condition
}

// Field is a field and what it says.
type Field struct{ Path, Value string }

// Condition is one of a status.
type Condition struct {
	Type, Status, Reason, Message string

	Says QueueSays // what the message tells
}

// QueueSays is what a queue says of work that it holds back.
type QueueSays struct {
	Stopped bool // the queue is stopped
	Invalid bool // the queue does not exist, or takes nothing
	// Absent is the kind of the queue that does not exist, Inactive of the one that takes nothing: LocalQueue or ClusterQueue; empty: it is
	// not that.
	Absent, Inactive string
	Name             string // of that queue
	Quota            bool   // it is about the queue and what it may use
	Memory           bool   // it names that resource
	// Executors says that it is about the pods of executors: Kueue names the pod set (pkg/scheduler/flavorassigner/flavorassigner.go@v0.14.4).
	Executors bool
}
