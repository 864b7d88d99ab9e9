package checks_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestConfirmAdmission fetches again what a finding of admission misses, once as it was and once as it is by then.
func TestConfirmAdmission(t *testing.T) {
	object := func(r snapshot.Ref) snapshot.Object { return snapshot.Object{Ref: r} }
	for name, c := range map[string]struct {
		path string
		back func(snapshot.View, snapshot.Ref) snapshot.Record
	}{
		"an endpoint is ready by now": {"webhook/testdata/SD1002/no-endpoints-fail.yaml", func(v snapshot.View, r snapshot.Ref) snapshot.Record {
			return &snapshot.EndpointSlice{Object: object(r), Service: "spark-operator-webhook-svc", Ready: 1}
		}},
		"the Service is there": {"webhook/testdata/SD1009/uninstalled-ignore.yaml", func(v snapshot.View, r snapshot.Ref) snapshot.Record {
			return &snapshot.Service{Object: object(r), Ports: []int32{443}}
		}},
		"the configuration is there": {"webhook/testdata/SD1008/deleted-2x.yaml", func(v snapshot.View, r snapshot.Ref) snapshot.Record {
			return &snapshot.WebhookConfiguration{Object: object(r), Webhooks: []snapshot.Webhook{{Name: "mutate--v1-pod.sparkoperator.k8s.io"}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := checktest.Read(t, c.path)
			s, list := f.Snapshot(t), []check.Check{checkOf(t, f.ID())}
			found := check.Run(s, list, f.Params)
			require.Len(t, found[0].Findings, 1)
			absent := found[0].Findings[0].Absent
			require.NotEmpty(t, absent)
			confirm := func(gone bool) []check.Result {
				subject := found[0].Findings[0].Object
				_, results, err := check.Confirm(t.Context(), s, found, f.Params, check.Confirmer{
					Wait: func(context.Context, time.Duration) error { require.Fail(t, "nothing to wait for"); return nil },
					Fetch: func(_ context.Context, v snapshot.View, r snapshot.Ref) (snapshot.Record, error) {
						if v != absent[0].View || r.Name != absent[0].Ref.Name {
							return same(t, s, v, subject), nil
						}
						if gone {
							return same(t, s, v, absent[0].Ref), nil
						}
						return c.back(v, r), nil
					},
				})
				require.NoError(t, err)
				return results
			}
			require.Equal(t, checktest.Summary(found[0].Findings), checktest.Summary(confirm(true)[0].Findings))
			require.Empty(t, confirm(false)[0].Findings)
		})
	}
}

// same returns the record of an object as the snapshot has it, nil if it has none.
func same(t *testing.T, s *snapshot.Snapshot, v snapshot.View, r snapshot.Ref) snapshot.Record {
	t.Helper()
	switch v {
	case snapshot.MutatingWebhooks:
		for _, c := range s.MutatingWebhooks() {
			if c.Key() == r.Key() {
				return &c
			}
		}
	case snapshot.Deployments:
		for _, d := range s.Deployments() {
			if d.Key() == r.Key() {
				return &d
			}
		}
	case snapshot.WebhookEndpoints:
		for _, e := range s.WebhookEndpoints() {
			if e.Key() == r.Key() {
				return &e
			}
		}
	default:
	}
	return nil
}
