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
}

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
		Phase: string(p.Status.Phase),
	}
	if p.Status.StartTime != nil {
		out.Started = p.Status.StartTime.UTC()
	}
	if n, err := strconv.Atoi(p.Labels[ExecutorIDLabel]); err == nil {
		out.ExecutorID = n
	}
	return out
}
