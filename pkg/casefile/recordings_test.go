package casefile_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile"
)

func readRecording(t *testing.T, dir string) ([]unstructured.Unstructured, time.Time) {
	t.Helper()
	var list unstructured.UnstructuredList
	var raw struct {
		Items []map[string]any `json:"items"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(readText(t, dir, "objects.yaml")), &raw), dir)
	for _, item := range raw.Items {
		list.Items = append(list.Items, unstructured.Unstructured{Object: item})
	}
	var situation struct {
		Taken time.Time `json:"taken"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(readText(t, dir, "situation.yaml")), &situation), dir)
	return list.Items, situation.Taken
}

// TestOpenAnswersRecordings asks about applications of a real node: real objects, events and logs.
func TestOpenAnswersRecordings(t *testing.T) {
	dirs, err := filepath.Glob("../../test/node/recordings/*/objects.yaml")
	require.NoError(t, err)
	for _, dir := range dirs {
		name := filepath.Base(filepath.Dir(dir))
		f := casefile.Open(recording(t, name))
		t.Logf("%s: %s (%s): %.260s", name, f.Verdict().Class, f.Verdict().Certainty, f.Verdict().Message)
	}
}
