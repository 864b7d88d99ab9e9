package checks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// correlated runs checks on a fixture as a scan does.
func correlated(t *testing.T, path string, ids ...string) []check.Reported {
	t.Helper()
	f := checktest.Read(t, path)
	list := make([]check.Check, 0, len(ids))
	for _, id := range ids {
		list = append(list, checkOf(t, id))
	}
	var out []check.Reported
	for _, r := range check.Correlate(check.Run(f.Snapshot(t), list, f.Params)) {
		out = append(out, r.Findings...)
	}
	return out
}

func TestOneCauseIsOneFinding(t *testing.T) {
	found := correlated(t, "lifecycle/testdata/SD6002/image.yaml", "SD6002")
	require.Len(t, found, 2, "an image, and another one")
	require.Equal(t, 2, found[0].Affected())
	require.Regexp(t, `^2 applications, such as SparkApplication team-a/etl: driver pod "etl-driver" has been Pending for 59 min: image "registry.example.com/spark:none" cannot be pulled`, found[0].Message)
	require.Equal(t, 1, found[1].Affected())

	rooms := correlated(t, "lifecycle/testdata/SD6002/no-room.yaml", "SD6002")
	require.Len(t, rooms, 1, "the same reasons in other numbers, and in another namespace")
	require.Equal(t, 2, rooms[0].Affected())

	reruns := correlated(t, "lifecycle/testdata/SD6003/all-gone.yaml", "SD6003")
	require.Len(t, reruns, 1)
	require.Len(t, reruns[0].Fixes, 3, "each application is made to move")
	require.Len(t, correlated(t, "lifecycle/testdata/SD6001/nothing-moves.yaml", "SD6001"), 1)
}

// TestFingerprintsOfSharedCauses holds that a shared cause keeps its name when other applications come and go.
func TestFingerprintsOfSharedCauses(t *testing.T) {
	two := correlated(t, "lifecycle/testdata/SD6002/image.yaml", "SD6002")
	require.NotEqual(t, two[0].Fingerprint(), two[1].Fingerprint())
	require.Equal(t, two[0].Fingerprint(), correlated(t, "lifecycle/testdata/SD6002/image.yaml", "SD6002")[0].Fingerprint())
}

func TestCausesOfStuckApplications(t *testing.T) {
	for _, c := range []struct{ path, cause, effect string }{
		{"lifecycle/testdata/SD6003/driver-terminating.yaml", "SD2005", "SD6003"},
		{"lifecycle/testdata/SD6006/legacy-stays-new.yaml", "SD6006", "SD6001"},
		{"lifecycle/testdata/SD6006/two-operators.yaml", "SD5004", "SD6006"},
	} {
		f := checktest.Read(t, c.path)
		f.Params.StuckAfter = time.Minute
		results := check.Correlate(check.Run(f.Snapshot(t), []check.Check{checkOf(t, c.cause), checkOf(t, c.effect)}, f.Params))
		require.Len(t, results[0].Findings, 1, c.path)
		require.Len(t, results[1].Findings, 1, c.path)
		require.Equal(t, []string{results[0].Findings[0].Fingerprint()}, results[1].Findings[0].CausedBy, c.path)
	}
}

// TestOneOfManyIsAccepted holds that who accepts the fault of one application is not shown it because of others.
func TestOneOfManyIsAccepted(t *testing.T) {
	f := checktest.Read(t, "lifecycle/testdata/SD6003/all-gone.yaml")
	s := f.Snapshot(t)
	results := check.Correlate(check.Run(s, []check.Check{checkOf(t, "SD6003")}, f.Params))
	suppression := check.SuppressionRule{Check: "SD6003", Namespace: "team-a", Name: "plain", Reason: "known", By: check.ByFlag}
	got := checks.Suppress(s, results, []check.SuppressionRule{suppression}, nil, check.Selection{})[0].Findings
	require.Len(t, got, 2)
	require.Nil(t, got[0].Suppressed)
	require.Equal(t, 2, got[0].Affected())
	require.Contains(t, got[0].Message, "2 applications, such as SparkApplication team-a/etl")
	require.Equal(t, "plain", got[1].Object.Name)
	require.NotNil(t, got[1].Suppressed)

	suppression.Name = "*"
	got = checks.Suppress(s, results, []check.SuppressionRule{suppression}, nil, check.Selection{})[0].Findings
	require.Len(t, got, 1)
	require.NotNil(t, got[0].Suppressed)
	require.Equal(t, 3, got[0].Affected())
}

// TestRerunsWithoutSightOfIngresses holds that who may not list Ingresses is told of the applications that have none, and
// nothing about those that have one.
func TestRerunsWithoutSightOfIngresses(t *testing.T) {
	now := time.Date(2026, 11, 20, 4, 0, 0, 0, time.UTC)
	b := snapshot.NewBuilder(now)
	b.FromServer()
	for _, name := range []string{"plain", "shown"} {
		app := &snapshot.SparkApplication{State: "PENDING_RERUN"}
		app.Ref = snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: name, UID: name}
		if app.StatusChanged = now.Add(-time.Hour); name == "shown" {
			app.UIIngress = "shown-ui-ingress"
		}
		b.Add(snapshot.SparkApplications, app)
	}
	for _, v := range []snapshot.View{snapshot.SparkApplications, snapshot.SparkPods, snapshot.Services, snapshot.Deployments,
		snapshot.Namespaces} {
		b.Cover(v, snapshot.Coverage{State: snapshot.Complete})
	}
	b.Cover(snapshot.Ingresses, snapshot.Coverage{State: snapshot.Unseeable,
		Unseen: []snapshot.Unseen{{Verb: "list", Resource: "ingresses.networking.k8s.io", Reason: "forbidden"}}})
	r := check.Run(b.Seal(), []check.Check{checkOf(t, "SD6003")}, check.DefaultParams())[0]
	require.True(t, r.Partial)
	require.Len(t, r.Findings, 1)
	require.Equal(t, "plain", r.Findings[0].Object.Name)
}
