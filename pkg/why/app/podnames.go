package app

import (
	"strings"
)

// What names tell where no label and no owner does: of pods that are gone, of which events and logs have the name alone, and of files
// without labels.

// ExecutorNumber is how Spark numbers the executor of a pod, by the end of its name (resource-managers/kubernetes/core/src/main/scala/org/
// apache/spark/deploy/k8s/features/BasicExecutorFeatureStep.scala@v3.5.5: PREFIX-exec-NUMBER).
func ExecutorNumber(pod string) (number string, is bool) {
	_, number, is = strings.Cut(pod, "-exec-")
	return number, is
}

// operatorName reports whether a pod may be the operator's: the chart's release is called so as a rule, and an event has no labels
// (charts/spark-operator-chart/templates/_helpers.tpl@v2.5.2).
func operatorName(pod string) bool { return strings.Contains(pod, "operator") }

// DriverName reports whether a name is that of a driver as the operator and Spark form it (getDriverPodName in
// internal/controller/sparkapplication/submission.go@v2.5.2).
func DriverName(pod string) bool { return strings.HasSuffix(pod, "-driver") }

// OfDriver is the application of a driver by its name.
func OfDriver(pod string) string { return strings.TrimSuffix(pod, "-driver") }

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
