package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// situations is the table of the recordings for people.
const situations = "../../test/situations.md"

const situationsHead = `# What a real cluster says, and what a scan says

Each row is a recording of a real node ([README](README.md#what-a-real-kubelet-says)). *The cluster* is the state of the application
and of the pods in its namespace; ` + "`situation.yaml`" + ` of the recording says what was done to nodes and to the operator. *A scan* is
every finding of ` + "`scan`" + `, or nothing. TestTableOfSituations holds this table; with UPDATE_SCRIPTS=1 it writes it.

| situation | the cluster | a scan |
| --- | --- | --- |
`

// TestTableOfSituations holds the table against the recordings. TestRecordedSituations says what the findings must be.
func TestTableOfSituations(t *testing.T) {
	quietHome(t)
	dirs, err := os.ReadDir(recordings)
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString(situationsHead)
	for _, dir := range dirs {
		path := filepath.Join(recordings, dir.Name())
		objects, taken := recorded(t, path)
		found := foundIn(t, filepath.Join(path, "snapshot.tar.gz"))
		// Older archives lack what these checks read. The objects were read a few seconds later, so that ages differ.
		for _, f := range foundIn(t, filepath.Join(path, "objects.yaml"), "--checks", "failures,connect", "--as-of", taken) {
			about := f[:strings.Index(f, ": ")]
			if !slices.ContainsFunc(found, func(before string) bool { return strings.HasPrefix(before, about+": ") }) {
				found = append(found, f)
			}
		}
		said := stated(t, objects)
		require.NotEmpty(t, said, dir.Name())
		fmt.Fprintf(&b, "| %s | %s | %s |\n", dir.Name(), cell(said), cmp.Or(cell(found), "nothing"))
	}
	if os.Getenv("UPDATE_SCRIPTS") != "" {
		require.NoError(t, os.WriteFile(situations, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(situations)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func recorded(t *testing.T, dir string) (objects []unstructured.Unstructured, taken string) {
	t.Helper()
	var list unstructured.UnstructuredList
	text, err := os.ReadFile(filepath.Join(dir, "objects.yaml")) // #nosec G304 -- of the test
	require.NoError(t, err)
	var raw struct {
		Items []map[string]any `json:"items"`
	}
	require.NoError(t, yaml.Unmarshal(text, &raw))
	for _, item := range raw.Items {
		list.Items = append(list.Items, unstructured.Unstructured{Object: item})
	}
	var situation struct {
		Taken time.Time `json:"taken"`
	}
	text, err = os.ReadFile(filepath.Join(dir, "situation.yaml")) // #nosec G304 -- of the test
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &situation))
	return list.Items, situation.Taken.Format(time.RFC3339)
}

// stated is what the objects of a recording say, without what differs from run to run but is of no interest.
func stated(t *testing.T, objects []unstructured.Unstructured) []string {
	t.Helper()
	var out []string
	for i := range objects {
		o := &objects[i]
		switch o.GetKind() {
		case "SparkApplication":
			state, _, _ := unstructured.NestedString(o.Object, "status", "applicationState", "state")
			message, _, _ := unstructured.NestedString(o.Object, "status", "applicationState", "errorMessage")
			text := "application " + cmp.Or(state, "without a state")
			if message != "" {
				text += ": " + shortened(message)
			}
			out = append(out, text)
		case "Pod":
			var pod corev1.Pod
			require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &pod))
			out = append(out, statedByPod(&pod))
		case "Service":
			if len(o.GetOwnerReferences()) == 0 {
				out = append(out, "Service "+o.GetName()+" without an owner")
			}
		case "Deployment":
			var d appsv1.Deployment
			require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &d))
			out = append(out, fmt.Sprintf("Deployment %s: %d of %d ready", d.Name, d.Status.ReadyReplicas, d.Status.Replicas))
		}
	}
	if len(out) == 0 {
		return []string{"no Spark object is left"}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func statedByPod(pod *corev1.Pod) string {
	name := cmp.Or(pod.Labels["spark-role"], pod.Name)
	text := name + " " + string(pod.Status.Phase)
	if pod.Status.Reason != "" {
		text += " (" + pod.Status.Reason + ")"
	}
	if pod.DeletionTimestamp != nil {
		text += ", terminating"
	}
	for _, c := range pod.Status.Conditions {
		switch {
		case c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue:
			text += ", DisruptionTarget " + c.Reason
		case c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse:
			text += ", " + c.Reason + ": " + shortened(c.Message)
		case c.Type == corev1.PodReady && c.Status == corev1.ConditionFalse && pod.Status.Phase == corev1.PodRunning:
			text += ", not ready"
		}
	}
	for _, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		switch w, e := c.State.Waiting, c.State.Terminated; {
		case w != nil && w.Reason != "PodInitializing" && w.Reason != "ContainerCreating":
			text += fmt.Sprintf(", %s %s", c.Name, w.Reason)
		case e != nil && (e.ExitCode != 0 || pod.Status.Phase == corev1.PodRunning):
			text += fmt.Sprintf(", %s %s (exit code %d)", c.Name, e.Reason, e.ExitCode)
		}
		if e := c.LastTerminationState.Terminated; e != nil {
			text += fmt.Sprintf(", %s restarted after %s (exit code %d)", c.Name, e.Reason, e.ExitCode)
		}
	}
	return text
}

// shortened is the beginning of the first line of a message.
func shortened(message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	const most = 100
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

// cell has one line of a table for several texts. They may hold what Markdown takes for its own.
func cell(texts []string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "*", "\\*", "_", "\\_", "\n", " ").Replace(strings.Join(texts, "; "))
}
