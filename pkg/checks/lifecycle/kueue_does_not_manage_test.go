package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestWhatIsKnownOfWorkloads: a kind that is not served is empty; one that could not be read says nothing.
func TestWhatIsKnownOfWorkloads(t *testing.T) {
	app := &snapshot.SparkApplication{
		Object: snapshot.Object{
			Ref: snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: "etl",
				UID: "app-1"},
			Created: checktest.Now().Add(-3 * time.Hour), Labels: snapshot.LabelsOf(map[string]string{snapshot.QueueOfKueue: "batch"}),
		},
		Run: snapshot.Run{Suspend: true}, State: "SUSPENDED",
	}
	for name, tt := range map[string]struct {
		cover        snapshot.Coverage
		want, reason string
	}{
		"not served": {snapshot.Coverage{State: snapshot.NotServed},
			`suspended for 3 h in Kueue queue "batch", but the cluster does not serve workloads.kueue.x-k8s.io: without Kueue nothing starts it`, ""},
		"none there": {snapshot.Coverage{State: snapshot.Complete},
			`suspended for 3 h in Kueue queue "batch", but no Workload belongs to it: Kueue does not manage it and will never start it`, ""},
		"forbidden": {snapshot.Coverage{State: snapshot.Unseeable}, "",
			"1 suspended application of a Kueue queue, whose Workloads were not seen"},
		"elsewhere": {snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-b"}}, "",
			"1 suspended application of a Kueue queue, whose Workloads were not seen"},
	} {
		t.Run(name, func(t *testing.T) {
			b := snapshot.NewBuilder(checktest.Now())
			b.FromServer()
			b.Add(snapshot.SparkApplications, app)
			b.Cover(snapshot.SparkApplications, snapshot.Coverage{State: snapshot.Complete})
			b.Cover(snapshot.KueueWorkloads, tt.cover)
			r := run(t, b.Seal(), "SD6014")
			require.Equal(t, tt.reason, r.Reason)
			if tt.want == "" {
				require.Empty(t, r.Findings)
				return
			}
			require.Equal(t, []string{"error likely: " + tt.want}, messages(r))
			require.Equal(t, check.Failed, r.Status)
		})
	}
}
