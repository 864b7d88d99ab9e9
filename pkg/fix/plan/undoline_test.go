package plan

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestUndoOfThousandsIsALine: the line of an undo counts entries that only their names tell apart, in however many requests they go.
func TestUndoOfThousandsIsALine(t *testing.T) {
	const entries = 12000
	f := fix.NewFresh()
	f.Put(grownApplication(0))
	back := fix.Restore{Object: snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a",
		Name: "etl", UID: "u"}, Subresource: "status", Of: "pruneExecutorState", Manager: "kubectl-sparkdoctor",
		Preconditions: []fix.Precondition{{Path: fix.Path{"status", "submissionID"}, Value: "s"}}}
	for i := range entries {
		back.Changes = append(back.Changes, fix.Change{Path: fix.Path{"status", "executorState", fmt.Sprint("e-", i)}, Old: "FAILED"})
	}
	line := func() string {
		r := ResolvedFrom(Candidate{Intent: back}, f)
		require.NoError(t, r.Err)
		return NewPlan(Cluster{}, time.Time{}, []Resolved{r}, nil).Fixes[0].Line()
	}
	require.Equal(t, "team-a/etl status.executorState (12000 entries) written back", line())
	back.Changes = back.Changes[:2]
	require.Equal(t, `team-a/etl status.executorState["e-0"]: set to FAILED, status.executorState["e-1"]: set to FAILED`, line())
}
