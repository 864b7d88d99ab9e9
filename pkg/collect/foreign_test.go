package collect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestForeignWebhooksCostNothing holds that only the Services of the operator's webhooks are read, however many others
// there are.
func TestForeignWebhooksCostNothing(t *testing.T) {
	objects := append(webhook(), replicas()...)
	for i := range 300 {
		objects = append(objects, &admissionv1.MutatingWebhookConfiguration{
			TypeMeta:   metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"},
			ObjectMeta: objectMeta(fmt.Sprint("foreign-", i), ""),
			Webhooks: []admissionv1.MutatingWebhook{{
				Name: fmt.Sprintf("mutate-%d.example.com", i),
				ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "elsewhere",
					Name: fmt.Sprint("svc-", i)}},
			}},
		})
	}
	server := newServer(t, objects...)
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.MutatingWebhooks, snapshot.Deployments, snapshot.WebhookServices,
		snapshot.WebhookEndpoints, snapshot.OperatorPods)})
	require.Len(t, s.MutatingWebhooks(), 301)
	for _, r := range server.requests {
		require.NotContains(t, r, "/namespaces/elsewhere/")
	}
	require.LessOrEqual(t, len(server.requests), 6, strings.Join(server.requests, "\n"))
}
