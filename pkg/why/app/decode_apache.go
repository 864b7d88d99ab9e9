package app

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// ApacheIn reads how an object of the Apache Spark Kubernetes Operator stands.
func ApacheIn(w *snapshot.Whole) *Apache {
	object, _ := plain(w.Fields).(map[string]any)
	return decodeApache(&unstructured.Unstructured{Object: object})
}

// decodeApache reads a SparkApplication or a SparkCluster of the Apache Spark Kubernetes Operator.
func decodeApache(o *unstructured.Unstructured) *Apache {
	status, tolerations := whole.Fields(o.Object).Object("status"), whole.Fields(o.Object).Object("spec", "applicationTolerations")
	current := transitionOf(status.Object("currentState"), "status.currentState")
	instances, times, restart := tolerations.Object("instanceConfig"), tolerations.Object("applicationTimeoutConfig"),
		tolerations.Object("restartConfig")
	a := &Apache{
		State: current.State, Message: current.Message, Since: current.At, Transitions: transitionsOf(status, current),
		Attempt: status.Count("currentAttemptSummary", "attemptInfo", "id"),
		Init:    instances.Count("initExecutors"), Min: instances.Count("minExecutors"), Max: instances.Count("maxExecutors"),
		DriverStart: timeoutOf(times, "driverStartTimeoutMillis"), DriverReady: timeoutOf(times, "driverReadyTimeoutMillis"),
		ExecutorStart: timeoutOf(times, "executorStartTimeoutMillis"),
		RestartPolicy: cmp.Or(restart.Text("restartPolicy"), "Never"), MaxRestarts: restart.Number("maxRestartAttempts"),
		Conf: whole.Fields(o.Object).TextsByName("spec", "sparkConf"),
	}
	a.TypeMeta, a.ObjectMeta = metaOf(o)
	return a
}

// timeoutOf is a timeout; 0: it is off. Those that are not set are five minutes (spec/ApplicationTimeoutConfig.java@1.0.0).
func timeoutOf(f whole.Fields, field string) time.Duration {
	n := f.Number(field)
	if n == nil {
		return 5 * time.Minute
	}
	return time.Duration(max(0, *n)) * time.Millisecond
}

// transitionsOf are the states by their numbers, those of the attempt before this one ahead, and the current one.
func transitionsOf(status whole.Fields, current Transition) []Transition {
	type numbered struct {
		number int
		Transition
	}
	var all []numbered
	for _, path := range [][]string{{"previousAttemptSummary", "stateTransitionHistory"}, {"stateTransitionHistory"}} {
		history := status.Object(path...)
		for key := range history {
			n, err := strconv.Atoi(key)
			known := slices.ContainsFunc(all, func(one numbered) bool { return one.number == n })
			if t := transitionOf(history.Object(key), "status."+strings.Join(path, ".")+"["+key+"]"); err == nil && t.State != "" && !known {
				all = append(all, numbered{n, t})
			}
		}
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	var out []Transition
	for _, one := range all {
		out = append(out, one.Transition)
	}
	if last := len(out) - 1; current.State != "" && (last < 0 || out[last].State != current.State || !out[last].At.Equal(current.At)) {
		out = append(out, current)
	}
	return out
}

func transitionOf(f whole.Fields, field string) Transition {
	t := Transition{State: f.Text("currentStateSummary"), Message: strings.TrimSpace(f.Text("message")),
		At: f.When("lastTransitionTime").UTC(), Field: field}
	if observed := f.Object("lastObservedDriverStatus"); observed != nil {
		status := ofEachField[corev1.PodStatus](observed)
		t.Driver = &status
	}
	return t
}
