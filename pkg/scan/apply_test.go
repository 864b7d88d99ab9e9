package scan

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func configuration() snapshot.Ref {
	return snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "c", UID: "c"}
}

// planFor is a plan with one fix for a finding.
func planFor(t *testing.T, w Writer, i fix.Intent) plan.Plan {
	t.Helper()
	r := w.resolve(t.Context(), plan.Candidate{Finding: plan.Finding{Name: "sd1003-000000000001", Check: "SD1003", Object: configuration()},
		Intent: i})
	require.NoError(t, r.Err)
	return plan.NewPlan(plan.Cluster{UID: w.Cluster}, time.Time{}, []plan.Resolved{r}, nil)
}

func journalFor(t *testing.T, p plan.Plan) *apply.Journal {
	t.Helper()
	j, err := NewJournal(t.TempDir(), p, report.Tool{Version: "test"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	return j
}

// TestOtherwise: what a plan says it would try comes after a look that says that the fix did not help, and is looked at in turn.
func TestOtherwise(t *testing.T) {
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	restart := fix.Restart{Deployment: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "op", Name: "webhook", UID: "d"},
		At: at}
	for name, tc := range map[string]struct {
		states  []State // of the finding, look by look
		shown   error
		patched []string
		want    State
		status  apply.Status
	}{
		"it helped":     {[]State{Resolved}, nil, []string{configurationPath}, Resolved, apply.Applied},
		"the other did": {[]State{Unchanged, Resolved}, nil, []string{configurationPath, deploymentPath}, Resolved, apply.Applied},
		"neither":       {[]State{Unchanged, Worse}, nil, []string{configurationPath, deploymentPath}, Worse, apply.FailedFix},
		"not shown":     {[]State{Unchanged}, errors.New("no terminal"), []string{configurationPath}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, w := newWriter(t)
			p := planFor(t, w, fix.ReassertBundle{Configuration: configuration(), At: at, Fallback: restart})
			looks := 0
			verify := func(_ context.Context, findings []plan.Finding) ([]Ending, error) {
				if len(findings) == 0 {
					return nil, nil
				}
				looks++
				return []Ending{{Finding: findings[0], State: tc.states[looks-1], Reason: "because"}}, nil
			}
			var told []apply.Status
			got, err := w.apply(t.Context(), p, Applying{
				Journal: journalFor(t, p), Tell: func(_ plan.Fix, o apply.Outcome) { told = append(told, o.Status) },
				Otherwise: func(second plan.Plan) error {
					require.Len(t, second.Fixes, 1)
					require.Equal(t, p.Fixes[0].Fallback, second.Fixes[0].Title)
					return tc.shown
				},
			}, verify)
			require.Equal(t, tc.patched, s.patched)
			require.Len(t, told, len(tc.patched))
			require.Equal(t, len(tc.states), looks)
			require.Equal(t, tc.shown, err)
			if err != nil {
				return
			}
			require.Equal(t, tc.want, got.Endings[0].State)
			require.Equal(t, tc.status, got.Outcomes[0].Status)
		})
	}
}

// TestUndo: what was written is taken back from its record, once, and not on another cluster.
func TestUndo(t *testing.T) {
	s, w := newWriter(t)
	before := s.objects[configurationPath]
	secret := snapshot.Ref{APIVersion: "v1", Kind: "Secret", Namespace: "op", Name: "certs", UID: "s"}
	p := planFor(t, w, fix.PatchBundle{Configuration: configuration(), Webhooks: []string{"w.sparkoperator.k8s.io"}, Secret: secret,
		Key: "ca-cert.pem"})
	require.Equal(t, apply.Checked, w.Try(t.Context(), p, nil)[0].Status)
	require.Empty(t, s.patched, "trying writes nothing")
	refused, err := w.Allowed(t.Context(), p)
	require.NoError(t, err)
	require.Empty(t, refused)
	j := journalFor(t, p)
	applied, err := w.Apply(t.Context(), p, Applying{Journal: j, Refused: refused})
	require.NoError(t, err)
	require.Equal(t, apply.Applied, applied.Outcomes[0].Status)
	require.Empty(t, applied.Endings)
	require.Contains(t, s.objects[configurationPath], `"bmV3"`)

	text, err := os.ReadFile(j.Path())
	require.NoError(t, err)
	record, err := plan.ReadRecord(bytes.NewReader(text))
	require.NoError(t, err)
	back, done, err := w.Undo(t.Context(), record)
	require.NoError(t, err)
	require.Empty(t, done)
	require.Len(t, back.Fixes, 1)
	_, err = w.Apply(t.Context(), back, Applying{Journal: journalFor(t, back)})
	require.NoError(t, err)
	require.JSONEq(t, before, s.objects[configurationPath])

	back, done, err = w.Undo(t.Context(), record)
	require.NoError(t, err)
	require.Empty(t, back.Fixes)
	require.Len(t, done, 1, "it is back already")
	var other *OtherClusterError
	_, _, err = Writer{Client: w.Client, Cluster: "another"}.Undo(t.Context(), record)
	require.ErrorAs(t, err, &other)
	_, _, err = Repair{Writer: w}.PlanAgain(t.Context(), plan.Plan{Cluster: plan.Cluster{UID: "another", Server: "https://there"}})
	require.ErrorAs(t, err, &other)
	require.Equal(t, "https://there", other.Server)
}
