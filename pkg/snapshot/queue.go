package snapshot

import (
	"cmp"
	"slices"
)

// Where a pod names the queue of its batch scheduler: of Volcano (volcano.sh/apis pkg/apis/batch/v1alpha1/labels.go and
// pkg/apis/scheduling/v1beta1/labels.go), of YuniKorn (yunikorn.apache.org/docs/user_guide/labels_and_annotations_in_yunikorn),
// whose older label is "queue", which the operator sets (internal/scheduler/yunikorn/scheduler.go@v2.5.2), of Kueue.
const (
	QueueOfVolcano      = "volcano.sh/queue-name"
	QueueOfVolcanoGroup = "scheduling.volcano.sh/queue-name"
	QueueOfYuniKorn     = "yunikorn.apache.org/queue"
	QueueLabel          = "queue"
	QueueOfKueue        = "kueue.x-k8s.io/queue-name"
)

// Queue returns the queue that a pod without a node names by annotation or label; empty: none.
func (p *Pod) Queue() string {
	if p.Trouble != nil && p.Trouble.Queue != "" {
		return p.Trouble.Queue
	}
	return cmp.Or(p.Labels.Get(QueueOfVolcano), p.Labels.Get(QueueOfYuniKorn), p.Labels.Get(QueueOfKueue), p.Labels.Get(QueueLabel))
}

// KueueWorkloads returns metadata of the Workloads that SparkApplications own.
func (s *Snapshot) KueueWorkloads() []Object { return read[Object](s, KueueWorkloads) }

// OwnsWorkload reports whether an application owns one of some Workloads. Kueue makes the application the controller of
// its Workload (kubernetes-sigs/kueue pkg/controller/jobframework/reconciler.go).
func (a *SparkApplication) OwnsWorkload(workloads []Object) bool {
	return slices.ContainsFunc(workloads, func(w Object) bool {
		return w.Namespace == a.Namespace && slices.ContainsFunc(w.Owners, func(r OwnerReference) bool {
			return ofSparkApplication(r) && r.Name == a.Name && (r.UID == a.UID || a.UID == "")
		})
	})
}

func ofSparkApplication(r OwnerReference) bool {
	return r.GroupKind() == GroupKind{SparkGroup, "SparkApplication"}
}
