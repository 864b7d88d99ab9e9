package plan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// TestEveryFieldIsShown: only entries that their names alone tell apart stand for each other, in whichever step they are.
func TestEveryFieldIsShown(t *testing.T) {
	var first, second fix.Step
	first.Target, second.Target = app(), app()
	first.Subresource, second.Subresource = "status", "status"
	for i := range 12 {
		first.Changes = append(first.Changes, fix.Change{Path: fix.Path{"status", "executorState", fmt.Sprint("e-", i)}, Old: "FAILED"})
	}
	second.Changes = []fix.Change{{Path: fix.Path{"status", "executorState", "e-98"}, Old: "FAILED"},
		{Path: fix.Path{"status", "submissionID"}, Old: "s1", New: "s2"}, {Path: fix.Path{"status", "executorState", "e-99"}, New: "FAILED"}}
	text, err := Fix{ID: 1, Steps: []fix.Step{first, second}}.Text()
	require.NoError(t, err)
	for _, want := range []string{"-    e-0: FAILED", "-    e-9: FAILED", "-  submissionID: s1", "+  submissionID: s2", "+    e-99: FAILED",
		"# and 3 more entries of status.executorState, removed like these\n"} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "e-98")

	owners := fix.Step{Target: app()}
	for i := range 12 {
		uid := fmt.Sprint("o", i)
		owners.Changes = append(owners.Changes, fix.Change{Path: fix.Path{"metadata", "ownerReferences", "[uid=" + uid + "]"},
			Old: map[string]any{"uid": uid}})
	}
	text, err = owners.Diff()
	require.NoError(t, err)
	require.Contains(t, text, "uid: o11")
	require.NotContains(t, text, "more entries")
}

// TestWhatStaysIsShown: a diff of a map that is pruned shows that the map and its other entries stay.
func TestWhatStaysIsShown(t *testing.T) {
	step := fix.Step{Target: app(), Subresource: "status", Stay: 104,
		Changes: []fix.Change{{Path: fix.Path{"status", "executorState", "e-1"}, Old: "FAILED"}}}
	text, err := step.Diff()
	require.NoError(t, err)
	require.Contains(t, text, " status:\n   executorState:\n     …: 104 that stay\n-    e-1: FAILED\n")
	step.Stay = 0
	text, err = step.Diff()
	require.NoError(t, err)
	require.Contains(t, text, "-status:\n-  executorState:\n-    e-1: FAILED\n", "the map goes with its last entry")
}
