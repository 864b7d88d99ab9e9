package scan_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// caseOf serves the objects of a fixture.
func caseOf(t *testing.T, path string) *recordedCase {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	c := recordedCase{Case: corpus.Case{Namespace: "team-a", AsOf: time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)}}
	for _, document := range bytes.Split(text, []byte("\n---\n"))[1:] {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal(document, &o.Object))
		c.objects = append(c.objects, o)
	}
	return &c
}

// TestLostFieldsInUse: a cluster and its files are compared with the schemas of the target, an archive cannot be.
func TestLostFieldsInUse(t *testing.T) {
	const dir = "../checks/changes/testdata"
	path := filepath.Join(dir, "SD7026", "fields-in-use.yaml")
	cluster, _ := caseOf(t, path).serve(t)
	severities := func(source scan.Source) (out []string) {
		r, err := scan.Gate(t.Context(), scan.GateOptions{
			Options: scan.Options{Source: source}, To: operator.Version{Major: 2, Minor: 5, Patch: 2},
			Manifests: filepath.Join(dir, "target", "fields-of-a-fork.yaml"),
		})
		require.NoError(t, err)
		for _, i := range r.Items {
			if i.Check == "SD7026" {
				out = append(out, i.Severity)
			}
		}
		return out
	}
	used := []string{"warning", "warning", "warning"}
	require.Equal(t, used, severities(cluster))
	require.Equal(t, used, severities(scan.Files{Paths: []string{path}, Complete: true}))
	require.Equal(t, []string{"info"}, severities(scan.Files{Paths: []string{saved(t, cluster)}}))
}

// TestRefusedValuesInUse: so are the values that the target's CRDs refuse. An archive says which demands are new, and that is left open.
func TestRefusedValuesInUse(t *testing.T) {
	const dir = "../checks/changes/testdata"
	path := filepath.Join(dir, "SD7029", "refused.yaml")
	cluster, _ := caseOf(t, path).serve(t)
	gated := func(source scan.Source) (found []string, reason string) {
		r, err := scan.Gate(t.Context(), scan.GateOptions{
			Options: scan.Options{Source: source}, To: operator.Version{Major: 2, Minor: 1, Patch: 1},
			Manifests: filepath.Join(dir, "target", "values-narrowed.yaml"),
		})
		require.NoError(t, err)
		for _, i := range r.Items {
			if i.Check == "SD7029" {
				found = append(found, i.Object.Name)
			}
		}
		for _, c := range r.Checks {
			if c.ID == "SD7029" {
				reason = c.Reason
			}
		}
		slices.Sort(found)
		return found, reason
	}
	refused := []string{"aliases", "enum", "maximum", "pattern", "shell", "type"}
	found, _ := gated(cluster)
	require.Equal(t, refused, found)
	found, _ = gated(scan.Files{Paths: []string{path}, Complete: true})
	require.Equal(t, refused, found)
	found, reason := gated(scan.Files{Paths: []string{saved(t, cluster)}})
	require.Empty(t, found)
	require.Contains(t, reason, "whether the new CRD accepts what stored sparkapplications set at spec")
}
