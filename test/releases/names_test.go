package releases

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestUIService looks when the controller makes the UI Service: before the submission, which fails then with it, or after
// it, and the state stays as it is.
func TestUIService(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			return // it logs what goes wrong, and goes on
		}
		in := operator.Installation{Version: r.Version, Recognised: true, Controller: &snapshot.Deployment{}}
		got, proven := in.NameFault("etl.v2")
		require.True(t, proven)
		makes := func(method string) bool {
			return slices.Contains(called(t, r, reconciler, method), "createWebUIService")
		}
		before, after := makes("submitSparkApplication"), makes("reconcileSubmittedSparkApplication")
		require.NotEqual(t, before, after)
		require.Equal(t, before, got == operator.NoSubmission)
		require.Equal(t, after, got == operator.StaysSubmitted)
	})
}
