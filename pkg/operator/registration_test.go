package operator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func namespace(name string, labels map[string]string) *snapshot.Object {
	return &snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}, Labels: snapshot.LabelsOf(labels)}
}

// TestReconcilesAndHandles asks who takes up team-a, labelled spark=yes, and whose webhook mutates there.
func TestReconcilesAndHandles(t *testing.T) {
	const image = "ghcr.io/kubeflow/spark-operator/controller:2.5.1"
	for name, c := range map[string]struct {
		controller, webhook  string
		unseen               bool // the namespace itself was not seen
		reconciles, isKnown  bool
		handles, handlesKnow bool
	}{
		"both by name": {controller: "--namespaces=default,team-a", webhook: "--namespaces=default,team-a",
			reconciles: true, isKnown: true, handles: true, handlesKnow: true},
		"neither": {controller: "--namespaces=default", webhook: "--namespaces=default", isKnown: true,
			handlesKnow: true},
		"a selector adds to the list": {controller: "--namespaces=default --namespace-selector=spark=yes",
			webhook: "--namespaces=default", reconciles: true, isKnown: true, handlesKnow: true},
		"a selector that does not match": {controller: "--namespaces=default --namespace-selector=spark=no",
			webhook: "--namespaces=default", isKnown: true, handlesKnow: true},
		"a selector alone is not all": {controller: "--namespaces= --namespace-selector=spark=no", webhook: "--namespaces=",
			isKnown: true, handles: true, handlesKnow: true},
		"an empty name is all, selector or no": {controller: `--namespaces="" --namespace-selector=spark=no`, webhook: `--namespaces=""`,
			reconciles: true, isKnown: true, handles: true, handlesKnow: true},
		"labels that nobody saw": {controller: "--namespaces=default --namespace-selector=spark=yes",
			webhook: "--namespaces=default", unseen: true, handlesKnow: true},
		"a selector nobody can read": {controller: "--namespaces=default --namespace-selector==,=", webhook: "--namespaces=default",
			handlesKnow: true},
		"a webhook with a selector, some day": {controller: "--namespaces=default --namespace-selector=spark=yes",
			webhook: "--namespaces=default --namespace-selector=spark=yes", reconciles: true, isKnown: true, handles: true, handlesKnow: true},
	} {
		t.Run(name, func(t *testing.T) {
			found := Find([]snapshot.Deployment{
				deployment("x-controller", image, "controller start "+c.controller), deployment("x-webhook", image, "webhook start "+c.webhook),
			})
			require.Len(t, found, 1)
			seen := namespace("team-a", map[string]string{"spark": "yes"})
			if c.unseen {
				seen = nil
			}
			yes, known := found[0].Reconciles("team-a", seen)
			require.Equal(t, []bool{c.reconciles, c.isKnown}, []bool{yes, known})
			yes, known = found[0].Handles("team-a", seen)
			require.Equal(t, []bool{c.handles, c.handlesKnow}, []bool{yes, known})
		})
	}
}

func TestRegistration(t *testing.T) {
	for name, c := range map[string]struct {
		deployment                   snapshot.Deployment
		mutating, validating, served string
		serves                       map[string]bool
	}{
		"1.x": {
			deployment("spark", "docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0",
				"-enable-webhook=true -webhook-svc-namespace=ops -webhook-svc-name=svc -webhook-config-name=spark-webhook-config-a"),
			"spark-webhook-config-a", "spark-webhook-config-a", "ops/svc", map[string]bool{"/webhook": true, "/mutate--v1-pod": false},
		},
		"2.x": {
			deployment("x-webhook", "ghcr.io/kubeflow/spark-operator/controller:2.5.1",
				"webhook start --webhook-svc-namespace=ops --webhook-svc-name=svc --mutating-webhook-name=m --validating-webhook-name=v"),
			"m", "v", "ops/svc", map[string]bool{"/webhook": false, "/mutate--v1-pod": true, "/some-day": true},
		},
		"kustomize passes its namespace in a variable": {
			deployment("spark-operator-webhook", "ghcr.io/kubeflow/spark-operator/controller:2.5.1",
				"webhook start --webhook-svc-namespace=$(WEBHOOK_NAMESPACE) --webhook-svc-name=svc "+
					"--mutating-webhook-name=mutating-webhook-configuration"),
			"mutating-webhook-configuration", "spark-operator-webhook", "spark-operator/svc", map[string]bool{"/mutate--v1-pod": true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := Find([]snapshot.Deployment{c.deployment})[0]
			require.Equal(t, c.mutating, in.Registration(true).Name)
			require.Equal(t, c.validating, in.Registration(false).Name)
			service := in.WebhookService()
			require.Equal(t, c.served, service.Namespace+"/"+service.Name)
			for path, served := range c.serves {
				require.Equal(t, served, in.Serves(path), path)
				require.Equal(t, served, in.Calls(snapshot.Webhook{Service: service, Path: path}), path)
			}
			own := snapshot.WebhookConfiguration{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1",
				Kind: "MutatingWebhookConfiguration", Name: c.mutating}}}
			require.True(t, in.Claims(&own, snapshot.Webhook{}), "by name")
			own.Name = "another"
			require.False(t, in.Claims(&own, snapshot.Webhook{}))
		})
	}
}

func TestPicks(t *testing.T) {
	of := func(filter string) *Installation {
		return &Find([]snapshot.Deployment{deployment("spark", "docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0",
			"-enable-webhook=true -label-selector-filter="+filter)})[0]
	}
	app := snapshot.LabelsOf(map[string]string{"team": "a"})
	require.True(t, of("").Picks(app))
	require.True(t, of("team=a").Picks(app))
	require.False(t, of("team=b").Picks(app))
}
