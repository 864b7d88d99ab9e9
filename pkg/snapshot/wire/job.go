package wire

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func jobFrom(j *batchv1.Job, loc snapshot.Location) *snapshot.Job {
	out := snapshot.Job{
		Object:    objectFrom("batch/v1", "Job", &j.ObjectMeta, loc),
		Pods:      int(j.Status.Active) + int(j.Status.Failed) + int(j.Status.Succeeded),
		Suspended: j.Spec.Suspend != nil && *j.Spec.Suspend,
	}
	for _, c := range j.Status.Conditions {
		if c.Type == batchv1.JobFailed && c.Status == corev1.ConditionTrue {
			out.Failed, out.Reason = c.LastTransitionTime.UTC(), c.Reason
		}
	}
	return &out
}
