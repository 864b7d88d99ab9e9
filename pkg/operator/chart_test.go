package operator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What charts say is compared with the charts themselves in test/releases.

func TestChartOf(t *testing.T) {
	for _, v := range Releases() {
		c, known := ChartOf(v)
		require.True(t, known, v.String())
		require.True(t, c.Webhook)
		require.NotEmpty(t, c.Source)
		require.NotEmpty(t, c.Spark)
	}
	legacy, known := ChartOf(version(1, 6, 2))
	require.True(t, known)
	require.False(t, legacy.Webhook)
	require.Equal(t, []string{""}, legacy.JobNamespaces)
	for _, v := range []Version{{}, version(1, 5, 0), version(2, 99, 0)} {
		_, known := ChartOf(v)
		require.False(t, known, v.String())
	}
}

func TestChartNames(t *testing.T) {
	require.Equal(t, "spark-operator", FullName("spark-operator"))
	require.Equal(t, "my-spark-operator-2", FullName("my-spark-operator-2"))
	require.Equal(t, "etl-spark-operator", FullName("etl"))
	require.Len(t, FullName(strings.Repeat("x", 60)), 63)

	before, after := ChartNamesOf(version(1, 6, 2), "etl", FullName("etl")), ChartNamesOf(version(2, 0, 0), "etl", FullName("etl"))
	require.Equal(t, "etl-spark", before.SparkAccount)
	require.Equal(t, "etl-spark-operator-spark", after.SparkAccount)
	require.Equal(t, "etl-spark-operator-webhook-config", before.Mutating)
	require.Equal(t, "etl-spark-operator-webhook", after.Mutating)
	require.Equal(t, before.WebhookService, after.WebhookService, "so a configuration that 1.x left calls the webhook of 2.x")

	before, after = ChartNamesOf(version(1, 6, 2), "spark-operator", "spark-operator"),
		ChartNamesOf(version(2, 0, 0), "spark-operator", "spark-operator")
	require.Equal(t, before.SparkAccount, after.SparkAccount, "the account of a release of this name stays")
}

func TestChartWebhooks(t *testing.T) {
	paths := func(v Version) []string {
		var out []string
		for _, w := range ChartWebhooks(v) {
			out = append(out, w.Path)
			for _, legacy := range []bool{true, false} {
				require.Equal(t, legacy == (v.Major == 1), lineOf(legacy).serves(w.Path), w.Path)
			}
		}
		return out
	}
	require.Equal(t, []string{"/webhook"}, paths(version(1, 6, 2)))
	require.Len(t, paths(version(2, 4, 0)), 5)
	require.Len(t, paths(version(2, 5, 0)), 7)
	require.Contains(t, paths(version(2, 5, 0)), "/validate-sparkoperator-k8s-io-v1alpha1-sparkconnect")
}

// TestShortfalls: what a release needs and its chart grants is told by two lists that were read apart, the code and the
// charts. Where they disagree somebody has reported it.
func TestShortfalls(t *testing.T) {
	want := map[string][]string{
		"2.0.0": {"list/watch ingresses", "list/watch configmaps", "create persistentvolumeclaims"},
		"2.0.1": {"list/watch ingresses"}, "2.0.2": {"list/watch ingresses"},
		"2.5.1": {"list/watch ingresses", "create persistentvolumeclaims"},
		"2.5.2": {"list/watch ingresses", "create persistentvolumeclaims"},
	}
	for _, v := range stated() {
		var got []string
		for _, s := range Shortfalls(v) {
			got = append(got, strings.Join(s.Missing, "/")+" "+s.Resource)
			require.Equal(t, ToController, s.To)
		}
		require.Equal(t, want[v.String()], got, v.String())
	}
	require.Empty(t, Shortfalls(version(1, 6, 2)))
}

func TestAllows(t *testing.T) {
	claims := func(v Version) bool { return Allows(v, ToController, "create", "", "persistentvolumeclaims") }
	require.True(t, claims(version(1, 6, 2)))
	require.False(t, claims(version(2, 0, 0)))
	require.True(t, claims(version(2, 5, 0)))
	require.False(t, claims(version(2, 5, 1)))
	require.True(t, Allows(version(2, 5, 2), ToDrivers, "create", "", "persistentvolumeclaims"))
	require.False(t, Allows(version(2, 5, 2), ToWebhook, "get", "", "secrets"), "only its own")
	require.False(t, Allows(version(2, 5, 2), ToController, "list", "", "namespaces"), "only with a selector")
}

func TestCRDsOf(t *testing.T) {
	require.Len(t, CRDsOf(version(1, 6, 2)), 2)
	require.Len(t, CRDsOf(version(2, 2, 1)), 2)
	require.Len(t, CRDsOf(version(2, 3, 0)), 3)
	require.Empty(t, CRDsOf(version(2, 0, 2))[0].Required)
	require.NotContains(t, CRDsOf(version(2, 0, 2))[1].RequiredOfTemplate, "mainApplicationFile")
	require.Contains(t, CRDsOf(version(2, 1, 0))[1].RequiredOfTemplate, "mainApplicationFile")
	require.Empty(t, KeyedLists(version(2, 1, 0)))
	require.Equal(t, "name", KeyedLists(version(2, 1, 1))["sidecars[].env"])
}
