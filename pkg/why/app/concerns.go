package app

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// Concerns reports whether an object of an input may be of use to answer the query: what is in its namespace, and what is in none. Of pods
// only those that may be the application's.
func (q Query) Concerns(w *snapshot.Whole) bool {
	switch {
	case w.Namespace == "":
		return true
	case w.Kind == "Event":
		return q.in(w.Namespace) || slices.ContainsFunc(whole.About(w), func(of snapshot.Ref) bool {
			return of.Kind == "Pod" && operatorName(of.Name) || of.Kind == "Node"
		})
	case w.Kind == "Pod" && ofOperator(w):
		return true
	case w.Kind == "Pod" && q.mayBeClient(w):
		return true
	case w.Kind == "Pod" && q.mayBeIngress(w), w.Kind == "DaemonSet", w.Kind == "Service", w.Group() == certManager:
		return true
	case w.Kind == "SparkApplication" && w.Name == q.Name: // the same one elsewhere, blue beside green
		return true
	case w.Kind == "Application" && w.Group() == "argoproj.io": // of Argo CD, which has a namespace of its own
		return true
	case !q.in(w.Namespace):
		return false
	case w.Kind == "Pod":
		return q.mayOwn(w)
	}
	return true
}

// mayBeClient reports whether a pod is of a task of Airflow that failed, whose log may tell that it deleted the application: the pods of
// its KubernetesExecutor have this label (providers/cncf/kubernetes/src/airflow/providers/cncf/kubernetes/pod_generator.py of
// apache/airflow@2.10.5). Those that succeeded are many, and have nothing to tell.
func (q Query) mayBeClient(pod *snapshot.Whole) bool {
	of := q.Kind == "" || q.Kind == "SparkApplication"
	status, _ := pod.Fields["status"].(map[string]any)
	return of && whole.Label(pod, "kubernetes_executor") == "True" && status["phase"] == "Failed"
}

// mayBeIngress reports whether a pod is of a controller of Ingresses, whose log may tell of calls of a server.
func (q Query) mayBeIngress(pod *snapshot.Whole) bool {
	return whole.Label(pod, "app.kubernetes.io/name") == "ingress-nginx" && (q.Kind == "" || q.Kind == connect)
}

// mayOwn reports whether a pod may be the application's: by its own name, or by that of its application. One that names none
// counts if it has the labels of Spark or of a SparkConnect, or if it is of a standalone cluster, whose logs may tell of the application of
// a driver.
func (q Query) mayOwn(pod *snapshot.Whole) bool {
	role := whole.Label(pod, snapshot.RoleLabel)
	if pod.Name == q.Name || role == "master" || role == "worker" {
		return true
	}
	app := whole.Label(pod, labelApplication)
	if app == "" {
		return whole.Label(pod, labelSelector)+whole.Label(pod, labelConnect) != ""
	}
	return q.Kind == "Pod" || app == q.Name || strings.HasPrefix(app, q.Name+"-") || strings.HasPrefix(pod.Name, q.Name+"-")
}

// ofOperator reports whether a pod is one of the operator's, by the label of the chart, or runs that of 1.x, which manifests without the
// label in other ways.
func ofOperator(w *snapshot.Whole) bool {
	return whole.Label(w, "app.kubernetes.io/name") == "spark-operator" ||
		slices.ContainsFunc(whole.Containers(w), func(c whole.Container) bool { return operator.LegacyController(c.Image, c.Args) })
}
