package manifests

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMisnamed holds that a slip in the kind or the group of a Spark object is said, and that other kinds and groups stay what they are.
func TestMisnamed(t *testing.T) {
	for object, want := range map[string]string{
		"sparkoperator.k8s.io/v1beta2 SparkApplication":         "",
		"sparkoperator.k8s.io/v1beta2 SparkApplicationList":     "",
		"sparkoperator.k8s.io/v1beta2 SparkApplicationTemplate": "", // of another release, perhaps
		"spark.apache.org/v1 SparkCluster":                      "",
		"spark.stackable.tech/v1alpha1 SparkApplication":        "",
		"sparkoperator.hpe.com/v1beta2 SparkApplication":        "",
		"v1 Service": "",
		"sparkoperator.k8s.io/v1beta2 SparkAplication":           `sparkoperator.k8s.io has no kind "SparkAplication", did you mean SparkApplication?`,
		"sparkoperator.k8s.io/v1beta2 sparkapplication":          "did you mean SparkApplication?",
		"sparkoperator.k8s.io/v1beta2 ScheduledSparkAplications": "did you mean ScheduledSparkApplication?",
		"sparkoperator.k8s.oi/v1beta2 SparkApplication":          `serves the group "sparkoperator.k8s.oi", did you mean sparkoperator.k8s.io?`,
		"spark.apache.og/v1 SparkCluster":                        "did you mean spark.apache.org?",
	} {
		version, kind, _ := strings.Cut(object, " ")
		err := misnamed(&head{APIVersion: version, Kind: kind})
		if want == "" {
			require.NoError(t, err, object)
			continue
		}
		require.ErrorContains(t, err, want, object)
	}
}

// TestMisnamedAmongOthers holds that the rest of the file is read.
func TestMisnamedAmongOthers(t *testing.T) {
	text := app("b") + "---\n" + strings.Replace(appA, "kind: SparkApplication", "kind: SparkAplication", 1) + "---\n" + app("c")
	o := Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Now: later, SkipUnreadable: true}
	s, in, err := Read(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, []string{"b", "c"}, names(s))
	require.Len(t, in.Unreadable, 1)
	require.Contains(t, in.Unreadable[0], "stdin: document 2, line ")
	o.Stdin, o.SkipUnreadable = strings.NewReader(text), false
	_, _, err = Read(t.Context(), o)
	require.ErrorContains(t, err, "did you mean SparkApplication?")
}
