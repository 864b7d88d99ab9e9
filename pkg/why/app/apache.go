package app

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Apache is a SparkApplication or a SparkCluster of the Apache Spark Kubernetes Operator, as far as it says how it stands (apache/
// spark-kubernetes-operator spark-operator-api/src/main/java/org/apache/spark/k8s/operator/status/BaseStatus.java@1.0.0).
type Apache struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	State, Message string    // of status.currentState
	Since          time.Time // of that state; zero: nothing tells
	// Transitions are the states that it had, oldest first, the current one included; those of an earlier attempt too, where they are kept.
	Transitions []Transition
	Attempt     int // of status.currentAttemptSummary, the first is 0

	// Of spec.applicationTolerations (spec/ApplicationTolerations.java of the same):
	Init, Min, Max           int // instanceConfig: executors
	DriverStart, DriverReady time.Duration
	ExecutorStart            time.Duration
	RestartPolicy            string
	MaxRestarts              *int

	Conf map[string]string // spec.sparkConf
}

// Transition is a state that the operator wrote.
type Transition struct {
	State, Message string
	At             time.Time
	Field          string            // where it stands in the status
	Driver         *corev1.PodStatus // that the operator saw last; nil: it says none
}

// The states that tell how a run ended, and those that only follow from it (status/ApplicationStateSummary.java of the same).
const (
	DriverStartTimedOut    = "DriverStartTimedOut"
	DriverReadyTimedOut    = "DriverReadyTimedOut"
	ExecutorsStartTimedOut = "ExecutorsStartTimedOut"
	SchedulingFailure      = "SchedulingFailure"
	DriverEvicted          = "DriverEvicted"
	ApacheFailed           = "Failed"
	ApacheSucceeded        = "Succeeded"

	scheduledToRestart = "ScheduledToRestart"
)

// Ref names the object.
func (a *Apache) Ref() snapshot.Ref { return refTo(&a.TypeMeta, &a.ObjectMeta) }

// IsCluster reports whether it is a SparkCluster.
func (a *Apache) IsCluster() bool { return a.Kind == cluster }

// Released reports whether the operator is done with it, which says nothing of how it ended.
func (a *Apache) Released() bool {
	return a.State == "ResourceReleased" || a.State == "TerminatedWithoutReleaseResources"
}

// Restarts reports whether the operator will start it again.
func (a *Apache) Restarts() bool { return a.State == scheduledToRestart }

// Outcome is the last state that tells how it stands or ended: what the operator does afterwards, it does after each end.
func (a *Apache) Outcome() Transition {
	for _, t := range slices.Backward(a.Transitions) {
		if t.State != "ResourceReleased" && t.State != "TerminatedWithoutReleaseResources" && t.State != scheduledToRestart {
			return t
		}
	}
	return a.Current()
}

// Current is the state that it has now; zero: none.
func (a *Apache) Current() Transition {
	if len(a.Transitions) == 0 {
		return Transition{}
	}
	return a.Transitions[len(a.Transitions)-1]
}

// Failed reports whether the operator gave the run up, or saw it fail. Nothing is not.
func (a *Apache) Failed() bool {
	return a != nil && slices.Contains([]string{DriverStartTimedOut, DriverReadyTimedOut, ExecutorsStartTimedOut, SchedulingFailure,
		DriverEvicted, ApacheFailed}, a.Outcome().State)
}

// Stopped reports whether its resources were released although no state tells an end: the operator does that to what was deleted
// (appCancelled in spark-operator/src/main/java/org/apache/spark/k8s/operator/utils/SparkAppStatusUtils.java@1.0.0).
func (a *Apache) Stopped() bool {
	return a.State == "ResourceReleased" && !a.Failed() && a.Outcome().State != ApacheSucceeded
}

// Entered is when the last attempt came into a state; zero: it did not.
func (a *Apache) Entered(state string) time.Time {
	for _, t := range slices.Backward(a.Transitions) {
		switch t.State {
		case state:
			return t.At
		case "Submitted":
			return time.Time{}
		}
	}
	return time.Time{}
}

// MaxAttempts is how often it may be started; 0: that is not limited, or not known.
func (a *Apache) MaxAttempts() int {
	switch {
	case a.IsCluster():
		return 0
	case a.RestartPolicy == "Never":
		return 1
	case a.MaxRestarts != nil:
		return *a.MaxRestarts + 1
	default:
		return 0
	}
}

// Allocates reports whether Spark chooses the number of executors, as the operator reads it (isDynamicAllocationEnabled in
// spark-operator/src/main/java/org/apache/spark/k8s/operator/reconciler/reconcilesteps/AppRunningStep.java@1.0.0).
func (a *Apache) Allocates() bool {
	return strings.EqualFold(a.Conf[dynamicAllocation+"enabled"], "true")
}

const dynamicAllocation = "spark.dynamicAllocation."

// Most is the most executors that Spark asks for, the setting that says so, and whether it is set: without dynamic allocation two, if
// nothing is set (DEFAULT_NUMBER_EXECUTORS in core/src/main/scala/org/apache/spark/scheduler/cluster/SchedulerBackendUtils.scala of
// apache/spark@v4.0.0). 0: there is no bound, or it is no number.
func (a *Apache) Most() (n int, setting string, set bool) {
	setting = "spark.executor.instances"
	if a.Allocates() {
		setting = dynamicAllocation + "maxExecutors"
	}
	text, set := a.Conf[setting]
	if !set && !a.Allocates() {
		return 2, setting, false
	}
	n, _ = strconv.Atoi(strings.TrimSpace(text)) // 0: it is none
	return n, setting, set
}

// Begins is how many executors dynamic allocation asks for before any task waits for one (getDynamicAllocationInitialExecutors in
// core/src/main/scala/org/apache/spark/util/Utils.scala of apache/spark@v4.0.0).
func (a *Apache) Begins() int {
	most := 0
	for _, setting := range []string{dynamicAllocation + "minExecutors", dynamicAllocation + "initialExecutors", "spark.executor.instances"} {
		n, _ := strconv.Atoi(strings.TrimSpace(a.Conf[setting])) // 0: it is not set
		most = max(most, n)
	}
	return most
}

// roleOf is the role of a pod of the last attempt, by its name alone; empty: it is no such pod, or its name was too long to have this form
// (generateSparkAppId in spark-submission-worker/src/main/java/org/apache/spark/k8s/operator/SparkAppSubmissionWorker.java@1.0.0).
func (a *Apache) roleOf(pod string) string {
	attempt := a.Attempt
	if a.Restarts() && attempt > 0 {
		attempt--
	}
	name := PodNameOf(pod)
	if a.IsCluster() || name.Prefix != a.Name+"-"+strconv.Itoa(attempt) {
		return ""
	}
	return name.role()
}

// owns reports whether a pod is of the application or the cluster, by its label.
func (a *Apache) owns(labels map[string]string) bool {
	label := snapshot.ApacheNameLabel
	if a.IsCluster() {
		label = snapshot.ApacheClusterLabel
	}
	return labels[label] == a.Name
}

func ofApache(o *unstructured.Unstructured) bool {
	return o.GroupVersionKind().Group == snapshot.ApacheGroup
}

// apacheOf is what the Apache Spark Kubernetes Operator made a pod for, by its labels; nil: it did not, or that was not seen.
func apacheOf(objects []unstructured.Unstructured, pod *unstructured.Unstructured) *Apache {
	for i := range objects {
		o := &objects[i]
		if !ofApache(o) || o.GetNamespace() != pod.GetNamespace() {
			continue
		}
		if a := decodeApache(o); a.owns(pod.GetLabels()) {
			return a
		}
	}
	return nil
}
