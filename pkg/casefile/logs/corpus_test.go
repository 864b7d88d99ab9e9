package logs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
)

const openCorpus = "../testdata/corpus/open"

// answer is what case.yaml says that is right.
type answer struct {
	Class        string   `json:"class"`
	AlsoRight    []string `json:"alsoRight"`
	MustNotClaim []string `json:"mustNotClaim"`
	Proof        string   `json:"proof"`
}

// caseOf reads a case of the corpus: its pods, its application and its logs.
func caseOf(t *testing.T, dir string) (*evidence.Evidence, answer) {
	t.Helper()
	text := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	var right answer
	require.NoError(t, yaml.Unmarshal([]byte(text(filepath.Join(dir, "case.yaml"))), &right))
	e := &evidence.Evidence{}
	addObjects(t, e, text(filepath.Join(dir, "objects.yaml")))
	files, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".log")
		name, previous := strings.CutSuffix(name, ".previous")
		parts := strings.Split(name, "_")
		require.Len(t, parts, 3)
		e.Logs = append(e.Logs, evidence.Log{
			Namespace: parts[0], Pod: parts[1], Container: parts[2], Previous: previous, Tail: text(file), Role: roleOf(e, parts[1]),
		})
	}
	return e, right
}

func addObjects(t *testing.T, e *evidence.Evidence, text string) {
	t.Helper()
	for _, document := range strings.Split("\n"+text, "\n---\n") {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(document), &o.Object))
		switch o.GetKind() {
		case "Pod":
			var pod corev1.Pod
			require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &pod))
			e.Pods = append(e.Pods, pod)
		case "SparkApplication":
			e.Application = &o
		}
	}
}

func roleOf(e *evidence.Evidence, name string) string {
	for i := range e.Pods {
		if e.Pods[i].Name == name {
			return e.Pods[i].Labels["spark-role"]
		}
	}
	return ""
}

func openCases(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(openCorpus, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	return dirs
}
