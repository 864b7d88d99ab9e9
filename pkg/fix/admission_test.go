package fix

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func configuration() snapshot.Ref {
	return snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "c", UID: "c"}
}

// aConfiguration has one webhook w1 with these further fields.
func aConfiguration(fields string) string {
	return fmt.Sprintf("apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: c, uid: "+
		"c}\nwebhooks:\n- {name: w1.sparkoperator.k8s.io, clientConfig: {caBundle: b2xk, service: {namespace: op, name: svc}}%s}\n---\n", fields)
}

const (
	aDeployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: op, name: webhook, uid: d}\nspec: {replicas: %d%s, " +
		"template: {metadata: {}}}\n---\n"
	aLease = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: op, name: lock, uid: l}\nspec: {holderIdentity: " +
		"old}\n---\n"
	aSecret    = "apiVersion: v1\nkind: Secret\nmetadata: {namespace: op, name: certs, uid: s}\ndata: {ca-cert.pem: %s}\n---\n"
	namespaces = "apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, labels: {kubernetes.io/metadata.name: " +
		"kube-system}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: op, labels: {kubernetes.io/metadata.name: op, team: infra}}\n---\n"
)

func TestResolveAdmission(t *testing.T) {
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	policy := SetFailurePolicy{Configuration: configuration(), Webhooks: []string{"w1.sparkoperator.k8s.io"}, Operator: "op"}
	bundle := PatchBundle{Configuration: configuration(), Webhooks: []string{"w1.sparkoperator.k8s.io"}, Secret: secret(), Key: "ca-cert.pem"}
	restart := Restart{Deployment: deployment(), At: at, Lease: "lock"}
	stale := DeleteObject{Object: configuration(), Services: []string{"op/svc"},
		Absent: []snapshot.Ref{{APIVersion: "v1", Kind: "Service", Namespace: "op", Name: "svc"}}}
	const set = "webhooks[name=w1.sparkoperator.k8s.io].failurePolicy: Ignore becomes Fail"
	restarted := `spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"]: set to 2026-11-21T03:00:00Z`
	for _, tc := range []struct {
		name   string
		intent Intent
		world  string
		want   string
	}{
		{"policy, by labels of objects", policy, aConfiguration(", failurePolicy: Ignore, objectSelector: {matchLabels: {a: b}}"), set},
		{"policy, by names of namespaces", policy, aConfiguration(", failurePolicy: Ignore, namespaceSelector: {matchExpressions: [{key: "+
			"kubernetes.io/metadata.name, operator: In, values: [team-a]}]}") + namespaces, set},
		{"policy, by labels of namespaces", policy, aConfiguration(", failurePolicy: Ignore, namespaceSelector: {matchLabels: {team: a}}") +
			namespaces, set},
		{"policy, everywhere", policy, aConfiguration(", failurePolicy: Ignore"),
			"refused: w1.sparkoperator.k8s.io has no selector that leaves out namespace kube-system"},
		{"policy, an empty selector", policy, aConfiguration(", failurePolicy: Ignore, objectSelector: {}, namespaceSelector: {}"),
			"refused: w1.sparkoperator.k8s.io has no selector that leaves out namespace kube-system"},
		{"policy, a selector that is none", policy, aConfiguration(", failurePolicy: Ignore, namespaceSelector: {matchExpressions: [{key: a, " +
			"operator: Near}]}"), "refused: w1.sparkoperator.k8s.io has no selector that leaves out namespace kube-system"},
		{"policy, with the operator", policy, aConfiguration(", failurePolicy: Ignore, namespaceSelector: {matchLabels: {team: infra}}") +
			namespaces, "refused: w1.sparkoperator.k8s.io has no selector that leaves out namespace op"},
		{"policy of another webhook", SetFailurePolicy{Configuration: configuration(), Webhooks: []string{"w2"}, Operator: "op"},
			aConfiguration(", failurePolicy: Ignore"), "done: no webhook of MutatingWebhookConfiguration c has Ignore any more"},
		{"policy that is set", policy, aConfiguration(", failurePolicy: Fail"), "done: "},
		{"policy, unproven", SetFailurePolicy{Configuration: configuration(), Webhooks: []string{"w1.sparkoperator.k8s.io"},
			Unproven: "nobody asked"}, aConfiguration(", failurePolicy: Ignore"),
			"refused: the path of the webhook is not proven to be healthy: nobody asked"},

		{"bundle", bundle, aConfiguration("") + fmt.Sprintf(aSecret, "bmV3"),
			"webhooks[name=w1.sparkoperator.k8s.io].clientConfig.caBundle: b2xk becomes bmV3"},
		{"bundle that is right", bundle, aConfiguration("") + fmt.Sprintf(aSecret, "b2xk"), "done: caBundle holds the CA of Secret op/certs"},
		{"bundle, nothing in the Secret", bundle, aConfiguration("") + fmt.Sprintf(aSecret, `""`), "stale: Secret op/certs has no ca-cert.pem"},
		{"bundle, another Secret", bundle, aConfiguration("") + strings.ReplaceAll(fmt.Sprintf(aSecret, "bmV3"), "uid: s", "uid: t"),
			"stale: Secret op/certs was replaced by another object of that name"},

		{"restart", restart, fmt.Sprintf(aDeployment, 2, "") + aLease, restarted},
		{"restart without election", Restart{Deployment: deployment(), At: at}, fmt.Sprintf(aDeployment, 2, ""), restarted},
		{"restart of nothing", restart, fmt.Sprintf(aDeployment, 0, ""), "refused: Deployment op/webhook is scaled to 0"},
		{"restart while paused", restart, fmt.Sprintf(aDeployment, 1, ", paused: true"),
			"refused: the rollout of Deployment op/webhook is paused"},
		{"restarted", restart, strings.ReplaceAll(fmt.Sprintf(aDeployment, 1, ""), "{metadata: {}}",
			`{metadata: {annotations: {kubectl.kubernetes.io/restartedAt: "2026-11-21T03:00:00Z"}}}`),
			"done: Deployment op/webhook was restarted at 2026-11-21T03:00:00Z"},

		{"reassert", ReassertBundle{Configuration: configuration(), At: at}, aConfiguration(""),
			`metadata.annotations["sparkdoctor.io/reasserted-at"]: set to 2026-11-21T03:00:00Z`},

		{"leftover", stale, aConfiguration(""), "delete"},
		{"leftover whose Service is back", stale, aConfiguration("") + "apiVersion: v1\nkind: Service\nmetadata: {namespace: op, name: svc}",
			"stale: Service op/svc exists after all"},
		{"leftover that calls another", DeleteObject{Object: configuration(), Services: []string{"op/other"}}, aConfiguration(""),
			"stale: MutatingWebhookConfiguration c calls [op/svc], no longer [op/other]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := say(Resolve(tc.intent, cluster(t, tc.world)))
			require.True(t, strings.HasPrefix(got, tc.want), "%q does not begin with %q", got, tc.want)
		})
	}
}

func TestRestartWaitsForANewLeader(t *testing.T) {
	intent := Restart{Deployment: deployment(), At: aTime(), Lease: "lock"}
	steps, err := Resolve(intent, cluster(t, fmt.Sprintf(aDeployment, 1, "")+aLease))
	require.NoError(t, err)
	require.Equal(t, "old", steps[0].Await.Held)
	require.Equal(t, "lock", steps[0].Await.Lease.Name)
	steps, err = Resolve(intent, cluster(t, fmt.Sprintf(aDeployment, 1, "")))
	require.NoError(t, err)
	require.Empty(t, steps[0].Await.Lease.Name, "without a lease nobody is elected")
}

func TestReassertKnowsWhatElse(t *testing.T) {
	require.Nil(t, TraitsOf(ReassertBundle{Configuration: configuration()}).Otherwise)
	require.Equal(t, Restart{Deployment: deployment()}, TraitsOf(ReassertBundle{Configuration: configuration(),
		Fallback: Restart{Deployment: deployment()}}).Otherwise)
}
