package helm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseValues(t *testing.T) {
	for name, text := range map[string]string{
		"yaml":              "spark:\n  jobNamespaces: [a, b]\nwebhook: {port: 443, enable: false}\n",
		"as a person reads": "USER-SUPPLIED VALUES:\nspark:\n  jobNamespaces: [a, b]\nwebhook: {port: 443, enable: false}\n",
		"computed":          "COMPUTED VALUES:\nspark: {jobNamespaces: [a, b]}\nwebhook: {port: 443, enable: false}\n",
		"json":              `{"spark":{"jobNamespaces":["a","b"]},"webhook":{"port":443,"enable":false}}`,
	} {
		v, err := ParseValues([]byte(text))
		require.NoError(t, err, name)
		require.Equal(t, []string{"a", "b"}, v.List("spark.jobNamespaces"), name)
		require.Equal(t, "443", v.Text("webhook.port"), name)
		require.Equal(t, "false", v.Text("webhook.enable"), name)
		require.False(t, v.Has("webhook.port.number"), name)
		require.False(t, v.Has("controller.replicas"), name)
	}
	for _, none := range []string{"", "null\n", "USER-SUPPLIED VALUES:\nnull\n", "{}"} {
		v, err := ParseValues([]byte(none))
		require.NoError(t, err)
		require.Empty(t, v)
	}
	v, err := ParseValues([]byte("spark: {jobNamespaces: null}"))
	require.NoError(t, err)
	require.True(t, v.Has("spark.jobNamespaces"))
	require.Nil(t, v.At("spark.jobNamespaces"))
}

func TestParseValuesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"- a":                            "no map",
		"just text":                      "no map",
		"a: [":                           "not YAML",
		"password: hunter2\npassword: x": "",
		"apiVersion: v1\nkind: Secret\n": "a Kubernetes object",
		"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n" +
			"e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f]": "aliases expand it",
		"a: &a " + strings.Repeat("x", 100_000) + "\nb:\n" + strings.Repeat("- *a\n", 20_000): "aliases expand it", // to 2 GB
		"a: " + strings.Repeat("x", MaxValues):                                                "larger than",
	} {
		_, err := ParseValues([]byte(text))
		if want == "" {
			continue
		}
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

func TestBelow(t *testing.T) {
	v, err := ParseValues([]byte("spark-operator: {webhook: {port: 443}}\ncache: {}"))
	require.NoError(t, err)
	require.Equal(t, "443", v.Below("spark-operator").Text("webhook.port"))
	require.Equal(t, v, v.Below("redis"))
}
