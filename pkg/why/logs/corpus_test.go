package logs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

const corpus = "../testdata/corpus"

// answer is what case.yaml says that is right.
type answer struct {
	Class        string   `json:"class"`
	AlsoRight    []string `json:"alsoRight"`
	MustNotClaim []string `json:"mustNotClaim"`
	Proof        string   `json:"proof"`
}

// caseOf reads a case of the corpus: its pods, its application and its logs.
func caseOf(t *testing.T, dir string) (*app.Evidence, answer) {
	t.Helper()
	text := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	var right answer
	require.NoError(t, yaml.Unmarshal([]byte(text(filepath.Join(dir, "case.yaml"))), &right))
	e := &app.Evidence{}
	addObjects(t, e, text(filepath.Join(dir, "objects.yaml")))
	files, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".log")
		name, previous := strings.CutSuffix(name, ".previous")
		parts := strings.Split(name, "_")
		require.Len(t, parts, 3)
		e.Logs = append(e.Logs, app.Log{
			Namespace: parts[0], Pod: parts[1], Container: parts[2], Previous: previous, Tail: text(file), Role: roleOf(e, parts[1]),
		})
	}
	return e, right
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
		e.Application = o
	}
}

func roleOf(e *app.Evidence, name string) string {
	for i := range e.Pods {
		if e.Pods[i].Name == name {
			return e.Pods[i].Labels["spark-role"]
		}
	}
	return ""
}

func openCases(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, part := range []string{"open", "more", "later"} {
		dirs, err := filepath.Glob(filepath.Join(corpus, part, "*"))
		require.NoError(t, err)
		require.NotEmpty(t, dirs)
		out = append(out, dirs...)
	}
	return out
}

// TestOpenCorpusIsNotMisread: a log gives a class that is right, or none. What the objects of a case prove is not for its log to say.
func TestOpenCorpusIsNotMisread(t *testing.T) {
	withLogs, told := 0, 0
	for _, dir := range openCases(t) {
		e, right := caseOf(t, dir)
		if len(e.Logs) == 0 {
			continue
		}
		withLogs++
		for i, c := range logs.Causes(e) {
			if c.Effect {
				continue
			}
			require.Contains(t, append(right.AlsoRight, right.Class), string(c.Class), "%s: %s", dir, said(c))
			if i == 0 {
				told++
			}
		}
	}
	require.GreaterOrEqual(t, withLogs, 25)
	require.GreaterOrEqual(t, told, 22)
}

// TestHealthyLogsGiveNothing: their WARN and ERROR lines were followed by success.
func TestHealthyLogsGiveNothing(t *testing.T) {
	checked := 0
	for _, dir := range openCases(t) {
		e, right := caseOf(t, dir)
		if len(e.Logs) == 0 || !slices.Contains([]string{"succeeded", "runningNormally", "slowButProgressing", "observerMissed"}, right.Class) {
			continue
		}
		checked++
		for _, c := range logs.Causes(e) {
			require.Contains(t, right.AlsoRight, string(c.Class), dir) // what holds back the rest of a slow job
		}
	}
	require.GreaterOrEqual(t, checked, 4)
}

// TestOrderOfLogsDoesNotMatter reads the logs of all cases as of one application, in two orders.
func TestOrderOfLogsDoesNotMatter(t *testing.T) {
	all := &app.Evidence{}
	for _, dir := range openCases(t) {
		e, _ := caseOf(t, dir)
		all.Pods = append(all.Pods, e.Pods...)
		all.Logs = append(all.Logs, e.Logs...)
	}
	want := logs.Causes(all)
	require.NotEmpty(t, want)
	for range 3 {
		all.Logs = append(all.Logs[7:], all.Logs[:7]...)
		slices.Reverse(all.Logs[3:])
		require.Equal(t, want, logs.Causes(all))
	}
}

// quiet lines tell nothing, so that a cut between two of them is as good as one beside them.
func quiet(line string) bool { return strings.Contains(line, " INFO ") || strings.HasPrefix(line, "+") }

// TestWhatIsCutOffProvesNothing cuts each log before and after each of its lines: what then looks first may be a consequence, and must
// not be called proven.
func TestWhatIsCutOffProvesNothing(t *testing.T) {
	for _, dir := range sampling.Of(openCases(t)) {
		e, right := caseOf(t, dir)
		for i := range e.Logs {
			whole := e.Logs[i]
			lines := strings.SplitAfter(whole.Tail, "\n")
			for at := range lines {
				if quiet(lines[at]) && (at == 0 || quiet(lines[at-1])) {
					continue
				}
				for _, part := range []string{strings.Join(lines[:at], ""), strings.Join(lines[at:], "")} {
					log := whole
					log.Tail = part
					for _, c := range logs.Causes(&app.Evidence{Pods: e.Pods, Application: e.Application, Logs: []app.Log{log}}) {
						if c.Certainty == check.Proven {
							require.False(t, c.Effect, "%s line %d: %s", dir, at, said(c))
							require.Contains(t, append(right.AlsoRight, right.Class), string(c.Class), "%s line %d: %s", dir, at, said(c))
						}
					}
				}
			}
		}
	}
}
