package whole

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWorkflowKeepsWhatItsStepsWaitFor: parameters, commands and the rest of manifests, in which secrets may stand, are left out.
func TestWorkflowKeepsWhatItsStepsWaitFor(t *testing.T) {
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"kind": "Workflow", "metadata": {"name": "w"},
		"spec": {"arguments": {"parameters": [{"name": "p", "value": "hidden"}]}, "templates": [
			{"name": "say", "container": {"command": ["hidden"]}},
			{"name": "etl", "resource": {"action": "create", "successCondition": "status.a == b", "flags": ["hidden"],
				"manifest": "kind: SparkApplication\nmetadata:\n  generateName: etl-\nspec:\n  arguments: [hidden]\n"}}]},
		"status": {"phase": "Running", "outputs": {"parameters": [{"value": "hidden"}]},
			"nodes": {"w-1": {"displayName": "run", "templateName": "etl", "phase": "Running", "inputs": {"parameters": ["hidden"]}}}}}`), &fields))
	workflow(fields)
	text, err := json.Marshal(fields)
	require.NoError(t, err)
	require.NotContains(t, string(text), "hidden")
	for _, kept := range []string{"status.a == b", "kind: SparkApplication", "generateName: etl-",
		`"displayName":"run"`, `"phase":"Running"`} {
		require.Contains(t, string(text), kept)
	}
}
