package snapshot

import (
	"strconv"
	"time"
)

// Pod is what checks read of a pod that the operator or SparkConnect launched.
type Pod struct {
	Object
	Phase    string
	Started  time.Time
	Requests Requests
	Features Features // what it has of the fields that the webhook sets; shared by pods that are alike
	Trouble  *Trouble // nil where nothing is wrong; shared by pods that are alike
}

// Requests are what the scheduler holds for a pod's containers. Init containers are over when the others run.
type Requests struct{ MilliCPU, Memory int64 } // thousandths of a core, bytes

// Labels that link a pod to its application (pkg/common/spark.go@v2.5.2).
const (
	AppNameLabel      = "sparkoperator.k8s.io/app-name"
	SubmissionIDLabel = "sparkoperator.k8s.io/submission-id"
	ConnectNameLabel  = "sparkoperator.k8s.io/connect-name"
	RoleLabel         = "spark-role"
	ExecutorIDLabel   = "spark-exec-id"
	AppSelectorLabel  = "spark-app-selector"
)

// App returns the name of the pod's application, by label.
func (p *Pod) App() string { return p.label(func(s *LabelSet) string { return s.app }) }

// SubmissionID returns the submission that made the pod, by label.
func (p *Pod) SubmissionID() string { return p.label(func(s *LabelSet) string { return s.submission }) }

// Role returns driver, executor or connect-server, by label.
func (p *Pod) Role() string { return p.label(func(s *LabelSet) string { return s.role }) }

func (p *Pod) label(of func(*LabelSet) string) string {
	if p.Labels.Shared == nil {
		return ""
	}
	return of(p.Labels.Shared)
}

// Alike reports whether another pod is known to have the same namespace, labels but for the number of an executor, and
// owners: executors of an application share them.
func (p *Pod) Alike(o *Pod) bool {
	return p.Namespace == o.Namespace && p.Labels.Shared == o.Labels.Shared && SameOwners(p.Owners, o.Owners)
}

// SameOwners reports whether two objects share their owners.
func SameOwners(a, b []OwnerReference) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// ExecutorID returns the number of an executor, by label; 0 if it is missing or no number.
func (p *Pod) ExecutorID() int {
	n, err := strconv.Atoi(p.Labels.Get(ExecutorIDLabel))
	if err != nil {
		return 0
	}
	return n
}

// Alive reports whether the pod may still be doing work.
func (p *Pod) Alive() bool { return p.Phase != "Succeeded" && p.Phase != "Failed" }

func (p *Pod) dates(see func(time.Time)) { see(p.Started) }
