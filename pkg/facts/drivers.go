package facts

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The values of spark-role that the operator knows (pkg/common/spark.go@v2.5.2).
const (
	DriverRole   = "driver"
	ExecutorRole = "executor"
)

// RefTo returns the reference of a pod to the application that its label names, or none. The operator gives it to
// drivers, and from 2.4.0 to 2.5.2 to executors (internal/controller/sparkapplication/submission.go@v2.4.0).
func RefTo(pod *snapshot.Pod) snapshot.OwnerReference {
	for _, ref := range pod.Owners {
		if ref.Kind == "SparkApplication" && ref.GroupKind().Group == snapshot.SparkGroup && ref.Name == pod.App() {
			return ref
		}
	}
	return snapshot.OwnerReference{}
}

// DriverRef returns what names the driver pod of an application.
func DriverRef(app *snapshot.SparkApplication) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: app.Namespace, Name: app.DriverPod()}
}

// DriverOf returns the driver pod of an application, by its name, or nil.
func DriverOf(s *snapshot.Snapshot, app *snapshot.SparkApplication) *snapshot.Pod {
	name := app.DriverPod()
	for _, pod := range s.PodsOf(app.Namespace, app.Name) { // few, and it is among them but where somebody took its label away
		if pod.Name == name && pod.Role() != ExecutorRole {
			return pod
		}
	}
	return DriverPod(s, DriverRef(app))
}

// DriverPod returns the pod of a name unless it is an executor, or nil.
func DriverPod(s *snapshot.Snapshot, ref snapshot.Ref) *snapshot.Pod {
	if pod := s.SparkPod(ref.Key()); pod != nil && pod.Role() != ExecutorRole {
		return pod
	}
	return nil
}
