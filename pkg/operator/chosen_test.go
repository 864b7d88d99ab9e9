package operator_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestChooseAsHelmRenders compares with what Helm made of the charts of two releases with these values.
func TestChooseAsHelmRenders(t *testing.T) {
	values, err := helm.ParseValues([]byte("spark: {jobNamespaces: [spark-apps]}\nwebhook: {replicas: 2}"))
	require.NoError(t, err)
	for _, release := range []string{"2.0.2", "2.1.1"} {
		s, _, err := manifests.Read(t.Context(), manifests.Options{Namespace: "spark-operator", Now: time.Now(),
			Paths: []string{filepath.Join("..", "checks", "testdata", "rendered", "chart-"+release+".yaml")}})
		require.NoError(t, err)
		want := operator.Find(s.Deployments())[0]
		to, err := operator.ReleaseNamed(release)
		require.NoError(t, err)
		chosen := operator.Choose(to.Application, values, "spark", "spark-operator")
		got := &chosen.Installation
		require.Equal(t, want.Name, got.Name)
		require.Equal(t, want.Version, got.Version)
		require.Equal(t, want.Controller.Ref.Key(), got.Controller.Ref.Key())
		require.Equal(t, want.Controller.Account, got.Controller.Account)
		require.Equal(t, want.Webhook.Ref.Key(), got.Webhook.Ref.Key())
		require.Equal(t, want.Webhook.Account, got.Webhook.Account)
		require.Equal(t, want.Namespaces(), got.Namespaces())
		require.Equal(t, want.WebhookNamespaces(), got.WebhookNamespaces())
		require.Equal(t, want.Repository(), got.Repository())
		require.Equal(t, want.WebhookPort(), got.WebhookPort())
		require.Equal(t, want.WebhookService(), got.WebhookService())
		require.Equal(t, want.WebhookSecret(), got.WebhookSecret())
		require.Equal(t, want.CertificateUse(), got.CertificateUse())
		require.Equal(t, want.UIIngress(), got.UIIngress())
		require.True(t, slices.ContainsFunc(s.ServiceAccounts(), func(o snapshot.Object) bool {
			return o.Namespace == chosen.Accounts[0].Namespace && o.Name == chosen.Accounts[0].Name
		}))
		require.Len(t, chosen.Accounts, 1)
	}
}

func TestChoose(t *testing.T) {
	of := func(text string) *operator.Chosen {
		v, err := helm.ParseValues([]byte(text))
		require.NoError(t, err)
		return operator.Choose(operator.Newest(), v, "jobs", "etl")
	}
	plain := of("")
	require.Equal(t, []string{"default"}, plain.Installation.Namespaces())
	require.Equal(t, []snapshot.Account{{Namespace: "default", Name: "jobs-spark-operator-spark"}}, plain.Accounts)
	require.Equal(t, "jobs-spark-operator", plain.Installation.Name)
	require.Equal(t, int32(9443), plain.Installation.WebhookPort())
	require.False(t, plain.UpgradesCRDs)
	require.True(t, plain.Installation.Recognised)

	for _, all := range []string{"spark: {jobNamespaces: ['']}", "spark: {jobNamespaces: []}", "spark: {jobNamespaces: null}",
		"spark: {jobNamespaces: [team-a, '']}"} {
		require.Nil(t, of(all).Installation.Namespaces(), all)
	}
	require.Empty(t, of("spark: {jobNamespaces: ['']}").Accounts, "the chart makes none in all namespaces")
	require.Empty(t, of("spark: {serviceAccount: {create: false}}").Accounts)
	require.Nil(t, of("webhook: {enable: false}").Installation.Webhook)
	require.Equal(t, "own", of("fullnameOverride: own").Installation.Name)
	require.Equal(t, "jobs-spark", of("nameOverride: spark").Installation.Name)
	require.Equal(t, "jobs", of("nameOverride: job").Installation.Name)
	require.Equal(t, "registry.example/kubeflow/spark-operator/controller",
		of("image: {registry: registry.example}").Installation.Repository())
	require.Equal(t, "ghcr.io/docker.io/kubeflow/spark-operator", of("image: {repository: docker.io/kubeflow/spark-operator}").
		Installation.Repository(), "as 2.x reads a value of 1.x")
	require.Equal(t, operator.Newest(), of("image: {tag: mine}").Installation.Judged())
	require.True(t, of("hook: {upgradeCrd: true}").UpgradesCRDs)
	require.Equal(t, operator.FromCertManager, of("certManager: {enable: true}").Installation.CertificateUse())
	require.NotEmpty(t, of("spark: {jobNamespaceSelector: team=a}").Installation.NamespaceSelector())
	// What is no value of the chart, or of another type, changes nothing and breaks nothing.
	for _, odd := range []string{"sparkJobNamespaces: [a]", "spark: 7", "webhook: [1]", "image: {registry: {a: b}}",
		"spark: {jobNamespaces: {a: b}}"} {
		require.NotNil(t, of(odd).Installation.Controller, odd)
	}
}

// TestOfUser: what only repeats the installed chart's defaults is what helm get values --all adds.
func TestOfUser(t *testing.T) {
	const all = "nameOverride: ''\nfullnameOverride: ''\nimage: {registry: docker.io, repository: kubeflow/spark-operator, tag: '', " +
		"pullPolicy: IfNotPresent}\n" +
		"webhook: {enable: true, port: 9443, failurePolicy: Ignore}\nspark: {jobNamespaces: [team-a]}"
	v, err := helm.ParseValues([]byte(all))
	require.NoError(t, err)
	user, computed := operator.OfUser(v, operator.Version{Major: 2, Minor: 1, Patch: 1})
	require.True(t, computed)
	require.Empty(t, user.Text("image.registry"))
	require.Empty(t, user.Text("webhook.port"))
	require.Equal(t, "Ignore", user.Text("webhook.failurePolicy"))
	require.Equal(t, []string{"team-a"}, user.List("spark.jobNamespaces"))
	user, computed = operator.OfUser(helm.Values{"image": map[string]any{"registry": "docker.io"}},
		operator.Version{Major: 2, Minor: 1, Patch: 1})
	require.False(t, computed)
	require.Equal(t, "docker.io", user.Text("image.registry"))
}
