package checks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestHundredsOfForeignWebhooks holds that other projects' webhooks are left alone, whatever is wrong with them: they fail
// open, have no caBundle, and call Services that do not exist, on a path of the operator's.
func TestHundredsOfForeignWebhooks(t *testing.T) {
	ca := issue(t, nil, -200, 3650)
	b := newBed(ca.pem(), ownData(t, ca, issue(t, ca, -50, 3650))).with(func(b *bed) {
		b.more = func(out *snapshot.Builder) {
			for i := range 600 {
				kind := [...]string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}[i%2]
				out.Add(snapshot.MutatingWebhooks, &snapshot.WebhookConfiguration{
					Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: kind, Name: fmt.Sprint("foreign-", i),
						UID: fmt.Sprint(i)}},
					Webhooks: []snapshot.Webhook{{
						Name: fmt.Sprintf("validate-%d.example.com", i), FailurePolicy: "Ignore", Path: "/mutate--v1-pod", Port: 443,
						Service: snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Service"}, Namespace: "elsewhere", Name: fmt.Sprint("gone-", i)},
						Rules:   []snapshot.WebhookRule{{Operations: []string{"CREATE"}, Groups: []string{""}, Resources: []string{"pods"}}},
					}},
				})
			}
		}
	})
	list, err := check.Select(checks.All(), []string{"SD1001", "SD1003", "SD1004", "SD1005", "SD1006", "SD1007", "SD1008", "SD1009"}, nil)
	require.NoError(t, err)
	for _, r := range check.Run(b.snapshot(t), list, check.DefaultParams()) {
		require.Empty(t, r.Findings, r.Check.ID)
		require.Equal(t, check.Passed, r.Status, r.Check.ID)
	}
	r := b.run(t, "SD1002")
	require.Len(t, r.Findings, 1, "the operator's own, which is not there in this bed")
	require.Equal(t, "spark-operator-webhook", r.Findings[0].Object.Name)
}
