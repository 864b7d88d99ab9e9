package snapshot

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Pod is what checks read of a pod that the operator or SparkConnect launched.
type Pod struct {
	Object
	App          string // label sparkoperator.k8s.io/app-name
	SubmissionID string // label sparkoperator.k8s.io/submission-id
	Role         string // label spark-role: driver, executor, connect-server
	ExecutorID   int    // label spark-exec-id; 0 if missing or no number
	Phase        string
	Started      time.Time
	Requests     Requests
	Features     Features // what it has of the fields that the webhook sets; shared by pods that are alike
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

// Alive reports whether the pod may still be doing work.
func (p *Pod) Alive() bool { return p.Phase != "Succeeded" && p.Phase != "Failed" }

func podFrom(p *corev1.Pod, loc Location) Pod {
	out := Pod{
		Object: objectFrom("v1", "Pod", &p.ObjectMeta, loc),
		App:    p.Labels[AppNameLabel], SubmissionID: p.Labels[SubmissionIDLabel], Role: p.Labels[RoleLabel],
		Phase: string(p.Status.Phase), Requests: requestsOf(p.Spec.Containers),
		Features: podFeatures(&p.Spec, p.Labels[RoleLabel]),
	}
	if p.Status.StartTime != nil {
		out.Started = p.Status.StartTime.UTC()
	}
	if n, err := strconv.Atoi(p.Labels[ExecutorIDLabel]); err == nil {
		out.ExecutorID = n
	}
	return out
}

func requestsOf(containers []corev1.Container) Requests {
	var r Requests
	for i := range containers {
		list := containers[i].Resources.Requests
		r.MilliCPU += list.Cpu().MilliValue()
		r.Memory += list.Memory().Value()
	}
	return r
}
