package snapshot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pod is what checks read of a pod that the operator or SparkConnect launched.
type Pod struct {
	Object
	Phase    string
	Started  time.Time
	Requests Requests
	Features Features    // what it has of the fields that the webhook sets; shared by pods that are alike
	Trouble  *PodProblem // nil where nothing is wrong; shared by pods that are alike
}

// Requests are what the scheduler holds for a pod's containers. Init containers are over when the others run.
type Requests struct{ MilliCPU, Memory int64 } // thousandths of a core, bytes

// Labels that link a pod to its application (pkg/common/spark.go@v2.5.2).
const (
	AppNameLabel      = "sparkoperator.k8s.io/app-name"
	SubmissionIDLabel = "sparkoperator.k8s.io/submission-id"
	ConnectNameLabel  = "sparkoperator.k8s.io/connect-name"
	// SparkNameLabel is Spark's own (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/Constants.scala@v3.5.5).
	SparkNameLabel   = "spark-app-name"
	RoleLabel        = "spark-role"
	ExecutorIDLabel  = "spark-exec-id"
	AppSelectorLabel = "spark-app-selector"
)

// Labels that link a pod to an application, or to a cluster, of the Apache Spark Kubernetes Operator (apache/spark-kubernetes-operator
// spark-operator-api/src/main/java/org/apache/spark/k8s/operator/Constants.java@1.0.0).
const (
	ApacheNameLabel    = "spark.operator/spark-app-name"
	ApacheClusterLabel = "spark.operator/spark-cluster-name"
)

// App returns the name of the pod's application, by label.
func (p *Pod) App() string { return p.label(func(s *LabelSet) string { return s.app }) }

// SubmissionID returns the submission that made the pod, by label.
func (p *Pod) SubmissionID() string { return p.label(func(s *LabelSet) string { return s.submission }) }

// AppNameLabels are labels of pods that no operator of ours started, by which their application is called: that of Apache's operator
// (apache/spark-kubernetes-operator Constants.java, LABEL_SPARK_APPLICATION_NAME), the job of EMR on EKS
// (docs.aws.amazon.com/emr/latest/EMR-on-EKS-DevelopmentGuide), and what Spark makes of spark.app.name
// (resource-managers/kubernetes/core Constants.scala@v3.5.5, SPARK_APP_NAME_LABEL), which is all that spark-submit and Dataproc have.
//
// A SparkApplication can only be one of Apache's operator, which has a kind of that name.
func AppNameLabels(kind string) []string {
	switch kind {
	case "SparkApplication":
		return []string{ApacheNameLabel}
	case "":
	default:
		return nil
	}
	return []string{ApacheNameLabel, "emr-containers.amazonaws.com/job.id", "spark-app-name"}
}

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

// SparkContainers are the names of the Spark container; Spark 2 called an executor's just "executor"
// (pkg/common/spark.go@v2.5.2).
func SparkContainers(role string) []string {
	switch role {
	case "driver":
		return []string{"spark-kubernetes-driver"}
	case "executor":
		return []string{"spark-kubernetes-executor", "executor"}
	default:
		return nil
	}
}

// PodProblem is what keeps a pod from working, or how it ended. Pods that work have none.
type PodProblem struct {
	Scheduling string // why a pending pod has no node: Unschedulable, SchedulingGated, or NoScheduler
	Scheduler  string // spec.schedulerName of a pod without a node, if it is not the default
	Queue      string // the annotation of a pod without a node that names the queue of a batch scheduler
	Reason     string // status.reason: Evicted, DeadlineExceeded, NodeLost
	Message    string // of the scheduler, or of the failed pod, first 512 bytes
	Disruption string // reason of the condition DisruptionTarget: who ended the pod, if it did not end by itself
	Containers []ContainerProblem

	// Of a driver that runs and is not ready, or is being deleted.
	Node      string    // spec.nodeName
	LostSince time.Time // when it became unready although its containers are ready: the node controller does that
}

// NoScheduler is the Scheduling of a pending pod of which neither a scheduler nor a kubelet has said anything.
const NoScheduler = "NoScheduler"

// StillRunning is the Reason of an init container for which the others of a pending pod wait.
const StillRunning = "StillRunning"

// OOMKilled is the kubelet's reason for a container that the kernel killed.
const OOMKilled = "OOMKilled"

// ContainerProblem is a container that waits for more than its turn, that keeps others waiting, or that ended.
type ContainerProblem struct {
	Name, Image     string
	Init            bool
	Ended           bool
	ExitCode        int
	Reason, Message string    // first 512 bytes of the message
	Finished        time.Time // of one that ended
}

// Container returns what is wrong with one of the containers of these names, or nil.
func (t *PodProblem) Container(names ...string) *ContainerProblem {
	if t == nil {
		return nil
	}
	for _, name := range names {
		for i := range t.Containers {
			if c := &t.Containers[i]; c.Name == name && !c.Init {
				return c
			}
		}
	}
	return nil
}

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
			sameUID := r.UID == a.UID || a.UID == ""
			return sameUID && ofSparkApplication(r) && r.Name == a.Name
		})
	})
}

func ofSparkApplication(r OwnerReference) bool {
	return r.GroupKind() == GroupKind{SparkGroup, "SparkApplication"}
}

// jobs are the pods of each application: parts of one list, for a map of lists that grow one by one takes more than the
// pods themselves.
type jobs map[[2]string][]*Pod

// jobsOf cuts pods, sorted by namespace and application, at each application. Most pods are named after theirs, so that
// they are in that order already.
func jobsOf(pods []*Pod) jobs {
	sorted := pods
	order := func(a, b *Pod) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.App(), b.App()))
	}
	if !slices.IsSortedFunc(pods, order) {
		sorted = slices.Clone(pods)
		slices.SortStableFunc(sorted, order)
	}
	out := make(jobs, len(pods)/manyPods)
	from := 0
	app := ""
	for i, p := range sorted {
		if name := p.App(); i == from || name != app || p.Namespace != sorted[from].Namespace {
			out.put(sorted[from:i], app)
			from, app = i, name
		}
	}
	out.put(sorted[from:], app)
	return out
}

// manyPods are as many as an application has as a rule: it only decides for how many applications there is room at first.
const manyPods = 8

func (j jobs) put(pods []*Pod, app string) {
	if app != "" && len(pods) > 0 {
		j[[2]string{pods[0].Namespace, app}] = slices.Clip(pods)
	}
}

// PodsOf returns the Spark pods of a namespace that are labelled with the name of an application. The slice and what it
// holds must not be changed.
func (s *Snapshot) PodsOf(namespace, app string) []*Pod {
	s.use(SparkPods)
	return s.records.jobs[[2]string{namespace, app}]
}
