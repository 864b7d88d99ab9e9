package size_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/size"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestMissingDriverIsLookedUpAgain: pods are listed by label and before applications, so the driver is fetched by name.
func TestMissingDriverIsLookedUpAgain(t *testing.T) {
	s := checktest.Parse(t, bigApplication(1, ""), time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	results := check.Run(s, []check.Check{checktest.Lookup(t, size.Checks(), "SD3005")}, check.DefaultParams())
	require.Len(t, results[0].Findings, 1)
	app := s.SparkApplications()[0]
	over := *app
	over.State = "FAILING"
	unlabelled := &snapshot.Pod{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team-a",
		Name: "stream-driver"}}}
	for name, tt := range map[string]struct {
		app   snapshot.Record
		pod   *snapshot.Pod
		found int
	}{
		"it is still missing":             {app, nil, 1},
		"it has no label":                 {app, unlabelled, 0},
		"the operator has seen it by now": {&over, nil, 0},
		"the application is gone by now":  {nil, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			waited := time.Duration(0)
			confirmer := check.Confirmer{
				Wait: func(_ context.Context, d time.Duration) error { waited = d; return nil },
				Fetch: func(_ context.Context, _ check.View, ref snapshot.Ref) (snapshot.Record, error) {
					switch {
					case ref.Kind == "SparkApplication":
						return tt.app, nil
					case tt.pod != nil && ref.Name == tt.pod.Name:
						return tt.pod, nil
					default:
						return nil, nil
					}
				},
			}
			_, again, err := check.Confirm(t.Context(), s, results, check.DefaultParams(), confirmer)
			require.NoError(t, err)
			require.Equal(t, 10*time.Second, waited)
			require.Len(t, again[0].Findings, tt.found)
			for _, f := range again[0].Findings {
				require.Equal(t, check.Proven, f.Certainty)
			}
		})
	}
}

func TestSubmissionWithoutATimeIsCounted(t *testing.T) {
	const undated = `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"a","namespace":"n","uid":"u"},
		"spec":{},"status":{"applicationState":{"state":"RUNNING"}}}`
	r := run(t, checktest.Parse(t, undated, time.Now()), "SD3005")
	require.Empty(t, r.Findings)
	require.Equal(t, "1 SparkApplication without a driver pod and without status.lastSubmissionAttemptTime", r.Reason)
}
