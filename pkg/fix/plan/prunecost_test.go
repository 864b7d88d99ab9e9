package plan

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestGrownStatusIsCheap holds what a prune allocates for each entry that it removes. A fleet may have hundreds of grown
// applications, each with tens of thousands of entries in its status and as many in its managedFields.
func TestGrownStatusIsCheap(t *testing.T) {
	const entries, keep = 3000, 1000
	f := fix.NewFresh()
	f.Put(grownApplication(entries))
	prune := fix.PruneExecutorState{
		Application: snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: "etl",
			UID: "u"},
		Submission: "s", Keep: keep,
	}
	r := ResolvedFrom(Candidate{Intent: prune}, f)
	require.NoError(t, r.Err)
	require.Len(t, r.Steps, 1)
	require.Len(t, r.Steps[0].Changes, entries-keep)
	planned := NewPlan(Cluster{}, time.Time{}, []Resolved{r}, nil).Fixes[0]

	perEntry := func(allocations float64) float64 { return allocations / (entries - keep) }
	require.LessOrEqual(t, perEntry(testing.AllocsPerRun(3, func() {
		_, err := fix.Resolve(prune, f)
		require.NoError(t, err)
	})), 3.0, "a path, a pointer and a place in a list")
	require.LessOrEqual(t, perEntry(testing.AllocsPerRun(3, func() {
		now, err := fix.Resolve(planned.Intent(false), f)
		require.NoError(t, err)
		require.True(t, fix.Within(planned.Steps, now))
	})), 6.0, "and two keys to compare it with the plan")
}

func grownApplication(entries int) *fix.Object {
	states, fields := map[string]any{}, map[string]any{}
	for i := range entries {
		name := fmt.Sprintf("etl-9f8e7d6c5b4a3210-exec-%d", i+1)
		states[name], fields["f:"+name] = "COMPLETED", map[string]any{}
	}
	manager := map[string]any{
		"manager": "spark-operator", "operation": "Update", "subresource": "status", "fieldsType": "FieldsV1",
		"fieldsV1": map[string]any{"f:status": map[string]any{"f:executorState": fields}},
	}
	return &fix.Object{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
		"metadata": map[string]any{"name": "etl", "namespace": "team-a", "uid": "u", "resourceVersion": "7", "managedFields": []any{manager}},
		"status":   map[string]any{"submissionID": "s", "executorState": states},
	}}
}
