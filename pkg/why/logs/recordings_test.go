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

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestRecordingsOfANode reads what containers wrote on a real node. What its kubelet and the API server say is not for their logs to say:
// a container that was killed wrote nothing of it.
func TestRecordingsOfANode(t *testing.T) {
	const recordings = "../../../test/node/recordings"
	want := map[string]cause.Class{
		"driver-class-missing":           cause.Dependency,
		"driver-exception":               cause.CodeFailed,
		"driver-heap":                    cause.Configuration,
		"driver-ignores-term":            "",
		"driver-message":                 cause.CodeFailed,
		"driver-not-permitted":           cause.Credentials,
		"driver-service-gone":            cause.Network,
		"python-module-missing":          cause.Dependency,
		"python-traceback":               cause.CodeFailed,
		"init-container-fails":           cause.Credentials,
		"quota-used-up":                  cause.Quota,
		"sidecar-outlives-failed-driver": cause.CodeFailed,
	}
	dirs, err := filepath.Glob(filepath.Join(recordings, "*"))
	require.NoError(t, err)
	require.Greater(t, len(dirs), 50)
	for _, dir := range dirs {
		e := &app.Evidence{}
		objects, err := os.ReadFile(filepath.Join(dir, "objects.yaml"))
		require.NoError(t, err)
		addObjects(t, e, string(objects))
		files, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			parts := strings.Split(strings.TrimSuffix(filepath.Base(file), ".log"), "_")
			pod, container := parts[1], parts[2]
			role := "driver"
			if strings.Contains(pod, "-exec-") {
				role = "executor"
			}
			e.Logs = append(e.Logs, app.Log{
				Namespace: filepath.Base(dir), Pod: pod, Container: container, Tail: string(text), Role: role,
			})
		}
		found := logs.Causes(e)
		if class := want[filepath.Base(dir)]; class != "" {
			require.NotEmpty(t, found, dir)
			require.Equal(t, class, found[0].Class, "%s: %s", dir, said(found[0]))
			continue
		}
		for _, c := range found {
			require.True(t, c.Effect, "%s: %s", dir, said(c))
		}
	}
}

func addObjects(t *testing.T, e *app.Evidence, text string) {
	t.Helper()
	for _, document := range strings.Split("\n"+text, "\n---\n") {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(document), &o.Object))
		if !o.IsList() {
			addObject(t, e, &o)
			continue
		}
		require.NoError(t, o.EachListItem(func(item runtime.Object) error {
			addObject(t, e, item.(*unstructured.Unstructured))
			return nil
		}))
	}
}

func addObject(t *testing.T, e *app.Evidence, o *unstructured.Unstructured) {
	t.Helper()
	switch o.GetKind() {
	case "Pod":
		var pod corev1.Pod
		require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &pod))
		e.Pods = append(e.Pods, pod)
	case "SparkApplication":
		e.Application = app.Decode(o)
	}
}
