package whole

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"

// Standing leaves of a SparkApplication or a SparkCluster of the Apache Spark Kubernetes Operator what tells how it stands: its name, when
// it was created, and its states. It is for lists, which may hold thousands.
func Standing(w *snapshot.Whole) *snapshot.Whole {
	f := fieldsOf(w)
	metadata := map[string]any{}
	for _, name := range []string{"name", "namespace", "uid", "creationTimestamp"} {
		if value, is := f.Value("metadata", name); is {
			metadata[name] = value
		}
	}
	status := map[string]any{}
	if current := f.Object("status", "currentState"); current != nil {
		status["currentState"] = stateIn(current)
	}
	if states := statesIn(f.Object("status", "stateTransitionHistory")); states != nil {
		status["stateTransitionHistory"] = states
	}
	if states := statesIn(f.Object("status", "previousAttemptSummary", "stateTransitionHistory")); states != nil {
		status["previousAttemptSummary"] = map[string]any{"stateTransitionHistory": states}
	}
	w.Fields = map[string]any{"apiVersion": w.APIVersion, "kind": w.Kind, "metadata": metadata, "status": status}
	return w
}

func statesIn(history Fields) map[string]any {
	if history == nil {
		return nil
	}
	out := map[string]any{}
	for key := range history {
		if state := history.Object(key); state != nil {
			out[key] = stateIn(state)
		}
	}
	return out
}

// stateIn is a state without what was seen of the driver at it.
func stateIn(state Fields) map[string]any {
	out := map[string]any{}
	for _, name := range []string{"currentStateSummary", "lastTransitionTime"} {
		if text := state.Text(name); text != "" {
			out[name] = text
		}
	}
	return out
}
