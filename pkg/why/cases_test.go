package why_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

const corpusDir = "testdata/corpus"

// corpusCase is a case of the corpus with its objects, both of which a test may change.
type corpusCase struct {
	corpus.Case
	objects []unstructured.Unstructured
}

// ofCorpus reads the cases that may be looked at once, for two dozen tests.
var ofCorpus = sync.OnceValues(func() ([]corpus.Case, error) { return corpus.Read(os.DirFS(corpusDir)) })

// shown returns the cases that may be looked at, with logs that a test may change.
func shown(t *testing.T) []corpus.Case {
	t.Helper()
	cases, err := ofCorpus()
	require.NoError(t, err)
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Logs = maps.Clone(cases[i].Logs)
	}
	return cases
}

// sealed returns the cases that measure. No test prints anything of them.
func sealed(t *testing.T) []corpus.Case {
	t.Helper()
	cases, err := corpus.ReadSealed(os.DirFS(corpusDir))
	require.NoError(t, err)
	return cases
}

// logged returns those of them whose logs may be changed.
func logged(t *testing.T) []corpus.Case {
	t.Helper()
	return slices.DeleteFunc(shown(t), func(c corpus.Case) bool { return len(c.Logs) == 0 || c.CutLogs != "" })
}

// parsed holds the objects of each text that a test decoded: of the texts of the corpus, each is decoded by a dozen tests.
var parsed sync.Map

// decoded is a case with objects of its own.
func decoded(t *testing.T, c corpus.Case) corpusCase {
	t.Helper()
	before, is := parsed.Load(c.ObjectsYAML)
	if !is {
		objects, err := c.Objects()
		require.NoError(t, err)
		before, _ = parsed.LoadOrStore(c.ObjectsYAML, objects)
	}
	objects := slices.Clone(before.([]unstructured.Unstructured))
	for i := range objects {
		objects[i] = *objects[i].DeepCopy()
	}
	return corpusCase{c, objects}
}

// numbered returns the case with a number.
func numbered(t *testing.T, number string) corpusCase {
	t.Helper()
	c, err := corpus.ReadCase(os.DirFS(corpusDir), number)
	require.NoError(t, err)
	return decoded(t, c)
}

// whole is what why says of all that the case has.
func (c *corpusCase) whole() why.CaseFile { return why.Open(c.Evidence(c.objects)) }

// openCase is what the command says of the case's files, with all that it makes of them: also findings of checks.
func openCase(t *testing.T, c *corpus.Case) why.CaseFile {
	t.Helper()
	return why.Open(caseEvidence(t, c, written(t, c)))
}

// kept holds what the command read of each case of the corpus as it is, by number and name: a dozen tests ask for each.
var kept sync.Map

// asItIs is what the command reads of the files of a case that no test changed. No test may write to it.
func asItIs(t *testing.T, c *corpus.Case) *app.Evidence {
	t.Helper()
	if e, is := kept.Load(c.ID); is {
		return e.(*app.Evidence)
	}
	e := caseEvidence(t, c, written(t, c))
	kept.Store(c.ID, e)
	return e
}

// written is a directory with the files of a case.
func written(t *testing.T, c *corpus.Case) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, c.Write(dir), c.ID)
	return dir
}

// caseEvidence is what the command reads of the files of a case in a directory.
func caseEvidence(t *testing.T, c *corpus.Case, dir string) *app.Evidence {
	t.Helper()
	e, err := scan.Evidence(t.Context(), scan.WhyOptions{
		Options: scan.Options{Source: scan.Files{Paths: []string{dir}, AsOf: c.AsOf}}, Subject: c.Name, Namespace: c.Namespace,
	})
	require.NoError(t, err, c.ID)
	return e
}

// inEach changes the objects of a kind, the container of whose pods, or whose spec.driver, is handed over.
func (c *corpusCase) inEach(t *testing.T, kind string, change func(map[string]any)) {
	t.Helper()
	for i := range c.objects {
		o := &c.objects[i]
		if o.GetKind() != kind {
			continue
		}
		if kind == "Pod" {
			list, found, err := unstructured.NestedSlice(o.Object, "spec", "containers")
			require.NoError(t, err)
			require.True(t, found)
			container, is := list[0].(map[string]any)
			require.True(t, is)
			change(container)
			require.NoError(t, unstructured.SetNestedSlice(o.Object, list, "spec", "containers"))
			continue
		}
		driver, found, err := unstructured.NestedMap(o.Object, "spec", "driver")
		require.NoError(t, err)
		require.True(t, found)
		change(driver)
		require.NoError(t, unstructured.SetNestedMap(o.Object, driver, "spec", "driver"))
	}
}

// inLogs replaces words in the logs, which must be there.
func (c *corpusCase) inLogs(t *testing.T, pairs ...string) {
	t.Helper()
	logs, found := map[string]string{}, false
	for file, text := range c.Logs {
		found = found || strings.Contains(text, pairs[0])
		logs[file] = strings.NewReplacer(pairs...).Replace(text)
	}
	require.True(t, found, pairs[0])
	c.Logs = logs
}

func readText(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...)) // #nosec G304 -- a test
	require.NoError(t, err)
	return string(text)
}
