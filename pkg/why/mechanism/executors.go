package mechanism

import (
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// atWork reports whether the application runs: by the operator's status, or, of a SparkConnect, by its pod.
func (v *View) atWork() bool {
	serves := v.IsConnect() && v.DriverRuns()
	return serves || v.State == "RUNNING"
}

// Names are those of all executors of the run that are known, gone or not.
func (v *View) Names() map[string]string {
	out := map[string]string{}
	maps.Copy(out, v.ExecutorStates)
	for _, p := range v.Executors {
		if out[p.Name] == "" {
			out[p.Name] = strings.ToUpper(string(p.Status.Phase))
		}
	}
	return out
}

// Running is how many executors run: by their pods, and by the status where not all pods were seen.
func (v *View) Running() int {
	n := 0
	partial := v.isPartial("pods")
	for name, state := range v.Names() {
		p := v.Pod(name)
		switch {
		case p != nil && p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil, p == nil && partial && state == "RUNNING":
			n++
		}
	}
	if partial {
		n = max(n, v.ExecutorCounts["running"])
	}
	return n
}
