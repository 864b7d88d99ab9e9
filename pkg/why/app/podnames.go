package app

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// What names tell where no label and no owner does: of pods that are gone, of which events and logs have the name alone, and of files
// without labels.

// PodName is what the name of a pod of Spark tells. Zero: nothing.
type PodName struct {
	// Prefix is what stands before the role: of a driver of the operator its application, of other pods the application and what tells its
	// runs apart.
	Prefix   string
	Driver   bool
	Executor string // how Spark numbers it; empty: it is none
}

// role is the spark-role of such a pod.
func (n PodName) role() string {
	switch {
	case n.Driver:
		return "driver"
	case n.Executor != "":
		return "executor"
	default:
		return ""
	}
}

// PodNameOf takes the name of a pod apart: PREFIX-driver, as the operator forms it (getDriverPodName in internal/controller/
// sparkapplication/submission.go@v2.5.2), and PREFIX-exec-NUMBER (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/
// k8s/features/BasicExecutorFeatureStep.scala@v3.5.5).
func PodNameOf(pod string) PodName {
	if m := executorName.FindStringSubmatch(pod); m != nil {
		return PodName{Prefix: m[1], Executor: m[2]}
	}
	if prefix, is := strings.CutSuffix(pod, driverSuffix); is {
		return PodName{Prefix: prefix, Driver: true}
	}
	return PodName{}
}

// executorName matches the name of an executor's pod.
var executorName = lazyregexp.New(`^(.+)-exec-(\d+)$`)

const driverSuffix = "-driver"

// DriverOf is the name that the operator gives to the driver of an application, where nothing else names it.
func DriverOf(application string) string { return application + driverSuffix }

// podOf tells the name of a pod of an application, as the operator and Spark form it: NAME-driver, NAME-HASH-exec-1 where the hash has 16
// digits (KubernetesConf.getResourceNamePrefix@spark-3.5.5); of a SparkConnect NAME-server and NAME-exec-1
// (internal/controller/sparkconnect/{util,options}.go@v2.5.2). The Apache Spark operator puts the number of the attempt behind the name
// (spark-submission-worker/src/main/java/org/apache/spark/k8s/operator/SparkAppSubmissionWorker.java of
// apache/spark-kubernetes-operator@0.4.0).
func podOf(kind, application, pod string) bool {
	name := PodNameOf(pod)
	behind, longer := strings.CutPrefix(name.Prefix, application+"-")
	switch {
	case application == "":
		return false
	case kind == connect:
		return pod == application+"-server" || name.Executor != "" && name.Prefix == application
	case name.Driver:
		return name.Prefix == application || longer && attemptNumber.MatchString(behind)
	default:
		return name.Executor != "" && longer && (attemptNumber.MatchString(behind) || runHash.MatchString(behind))
	}
}

var (
	attemptNumber = lazyregexp.New(`^\d+$`)
	runHash       = lazyregexp.New(`^[0-9a-f]{16}$`)
)

// RunOf reports whether an application is a run of a schedule, by its name: the operator puts a number behind that of the schedule
// (startNextRun in internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
func RunOf(schedule, application string) bool {
	number, is := strings.CutPrefix(application, schedule+"-")
	return is && attemptNumber.MatchString(number)
}

// NamedAfter reports whether a Service may be of an application, by its name: Spark and the operator put more behind that of the
// application (DriverServiceFeatureStep.scala@v3.5.5; GetDefaultUIServiceName in pkg/util/
// sparkapplication.go of kubeflow/spark-operator@05763c1).
func NamedAfter(application, service string) bool { return strings.HasPrefix(service, application+"-") }

// operatorName reports whether a pod may be the operator's: the chart's release is called so as a rule, and an event has no labels
// (charts/spark-operator-chart/templates/_helpers.tpl@v2.5.2).
func operatorName(pod string) bool { return strings.Contains(pod, "operator") }

// NamesDriverService reports whether a text names the headless Service of a driver (resource-managers/kubernetes/core/src/main/scala/org/
// apache/spark/deploy/k8s/features/DriverServiceFeatureStep.scala@v3.5.5).
func NamesDriverService(text string) bool { return strings.Contains(text, driverService) }

// DriverService reports whether a name is that of such a Service.
func DriverService(name string) bool { return strings.HasSuffix(name, driverService) }

const driverService = "-driver-svc"

// OwnConfigMap reports whether a name is one that spark-submit or the operator gives to a ConfigMap of a pod.
func OwnConfigMap(name string) bool {
	return strings.HasPrefix(name, "spark-drv-") || strings.HasPrefix(name, "spark-exec-") || strings.HasSuffix(name, "-podspec-conf-map")
}

// LocalDirVolume reports whether a volume is one that Spark itself puts its local directories on (resource-managers/kubernetes/core/src/
// main/scala/org/apache/spark/deploy/k8s/features/LocalDirsFeatureStep.scala@v3.5.5).
func LocalDirVolume(name string) bool { return strings.HasPrefix(name, "spark-local-dir-") }

// ScheduledTo is the node to which the scheduler says that it assigned a pod; empty: the event says nothing of the kind
// (pkg/scheduler/schedule_one.go of kubernetes@v1.36.3: "Successfully assigned NAMESPACE/POD to NODE").
func (e *Event) ScheduledTo() string {
	if e.Reason != "Scheduled" {
		return ""
	}
	_, node, _ := strings.Cut(e.Message, " to ")
	return strings.TrimSpace(node)
}
