package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestCorrelateLinksWhatDoesNotHappen(t *testing.T) {
	controller, other, run := ref("Deployment", "controller"), ref("Deployment", "other"), ref("SparkApplication", "nightly-1")
	blocked := check.Reported{Finding: check.Finding{About: check.Named(ref("ScheduledSparkApplication", "nightly")),
		Identity: check.Identity{Kind: "blocked"}, Related: []snapshot.Ref{controller, run}}}
	overdue := check.Reported{Finding: check.Finding{About: check.Named(ref("ScheduledSparkApplication", "hourly")),
		Identity: check.Identity{Kind: "overdue"}, Related: []snapshot.Ref{controller}}}
	long := check.Reported{Finding: check.Finding{About: check.Named(ref("ScheduledSparkApplication", "long")),
		Identity: check.Identity{Kind: "name-too-long"}, Related: []snapshot.Ref{controller}}}
	expired := check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace",
		Name: "team-a"}), Identity: check.Identity{Kind: "expired"}, Related: []snapshot.Ref{controller}}}
	kept := expired
	kept.Kind = "no-time-to-live"
	ill, illToo := check.Reported{Finding: check.Finding{About: check.Named(controller), Severity: check.Error}},
		check.Reported{Finding: check.Finding{About: check.Named(other), Severity: check.Error}}
	lost := check.Reported{Finding: check.Finding{About: check.About{Object: ref("Pod", "nightly-1-driver"), App: "nightly-1"}}}
	unwatched := check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace",
		Name: "team-a"})}}
	out := check.Correlate([]check.Result{
		result(t, "SD5001", unwatched), result(t, "SD5008", ill, illToo), result(t, "SD4001", lost),
		result(t, "SD6007", blocked, overdue, long), result(t, "SD6008", expired, kept),
	})
	ill.Check, lost.Check, unwatched.Check = "SD5008", "SD4001", "SD5001"
	require.Equal(t, []string{lost.Fingerprint()}, out[3].Findings[0].CausedBy)
	require.Equal(t, []string{unwatched.Fingerprint(), ill.Fingerprint()}, out[3].Findings[1].CausedBy)
	require.Empty(t, out[3].Findings[2].CausedBy)
	require.Equal(t, []string{unwatched.Fingerprint(), ill.Fingerprint()}, out[4].Findings[0].CausedBy)
	require.Empty(t, out[4].Findings[1].CausedBy)
}
