package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAmendReplacesWhatAdmissionIsJudgedBy fetches each part of a webhook's path again, one at a time.
func TestAmendReplacesWhatAdmissionIsJudgedBy(t *testing.T) {
	named := func(apiVersion, kind string) Object {
		return Object{Ref: Ref{APIVersion: apiVersion, Kind: kind, Namespace: "spark-operator", Name: "x"}}
	}
	b := NewBuilder(time.Time{})
	b.Add(Deployments, &Deployment{Object: named("apps/v1", "Deployment"), Ready: 0})
	b.Add(WebhookServices, &Service{Object: named("v1", "Service")})
	b.Add(WebhookEndpoints, &EndpointSlice{Object: named("discovery.k8s.io/v1", "EndpointSlice")})
	b.Add(MutatingWebhooks, &WebhookConfiguration{Object: named("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration")})
	b.Add(ValidatingWebhooks, &WebhookConfiguration{Object: named("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration")})
	s := b.Seal()
	fresh := Deployment{Object: named("apps/v1", "Deployment"), Ready: 1}
	amended := s.Amend([]Update{
		{View: Deployments, Ref: fresh.Ref, Record: &fresh},
		{View: WebhookServices, Ref: named("v1", "Service").Ref},
		{View: WebhookEndpoints, Ref: named("discovery.k8s.io/v1", "EndpointSlice").Ref,
			Record: &EndpointSlice{Object: named("discovery.k8s.io/v1", "EndpointSlice"), Ready: 2}},
		{View: MutatingWebhooks, Ref: named("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration").Ref},
		{View: ValidatingWebhooks, Ref: named("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration").Ref},
	})
	require.EqualValues(t, 1, amended.Deployments()[0].Ready)
	require.Empty(t, amended.WebhookServices())
	require.Equal(t, 2, amended.WebhookEndpoints()[0].Ready)
	require.Empty(t, amended.MutatingWebhooks())
	require.Empty(t, amended.ValidatingWebhooks())
	require.EqualValues(t, 0, s.Deployments()[0].Ready, "the snapshot itself stays as it was")
	require.Len(t, s.WebhookServices(), 1)
}
