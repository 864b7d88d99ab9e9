package corpus_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

const (
	question = "-- case.yaml --\nname: sparkapplication/etl\nnamespace: jobs\nclass: image\n"
	both     = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: etl, namespace: jobs}\n" +
		"status: {driverInfo: {podName: etl-driver}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: etl-driver, namespace: jobs}\n"
	objects = "-- objects.yaml --\n" + both
	log     = "-- logs/jobs_etl-driver_main.previous.log --\n\n --\nlast\n"
)

func files(text string) fstest.MapFS {
	return fstest.MapFS{"image/007-etl.txtar": {Data: []byte(text)}, "sealed/008-other.txtar": {Data: []byte(question + objects)}}
}

// TestEveryPartOfACaseIsRead: what is in the file is in the case, and in the files that a command reads.
func TestEveryPartOfACaseIsRead(t *testing.T) {
	c, err := corpus.ReadCase(files(question+objects+log), "007")
	require.NoError(t, err)
	require.Equal(t, "image 007-etl 007", c.Folder+" "+c.ID+" "+c.Number())
	decoded, err := c.Objects()
	require.NoError(t, err)
	require.Len(t, decoded, 2)
	e := c.Evidence(decoded)
	require.Len(t, e.Logs, 1)
	require.Equal(t, "jobs/etl-driver/main", e.Logs[0].Namespace+"/"+e.Logs[0].Pod+"/"+e.Logs[0].Container)
	require.True(t, e.Logs[0].Previous)

	dir := t.TempDir()
	require.NoError(t, c.Write(dir))
	for name, want := range map[string]string{"objects.yaml": both, "logs/jobs_etl-driver_main.previous.log": "\n --\nlast\n"} {
		text, err := os.ReadFile(filepath.Join(dir, name)) // #nosec G304 -- a test
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}

// TestNothingIsPassedOver: what the format does not have is an error, not a part that no test reads.
func TestNothingIsPassedOver(t *testing.T) {
	for name, text := range map[string]string{
		"a field with a typo":       question + "cutlog: x\n" + objects,
		"a section of another name": question + objects + "-- log/a_b_c.log --\nx\n",
		"a section twice":           question + objects + log + log,
		"text before the sections":  "x\n" + question + objects,
		"no question":               objects,
		"no objects":                question,
		"no UTF-8":                  question + objects + "\xff\n",
	} {
		_, err := corpus.Read(files(text))
		require.ErrorContains(t, err, "image/007-etl.txtar", name)
	}
}

// TestSealedCasesAreAskedFor: nothing but ReadSealed returns them.
func TestSealedCasesAreAskedFor(t *testing.T) {
	fsys := files(question + objects)
	cases, err := corpus.Read(fsys)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	_, err = corpus.ReadCase(fsys, "008")
	require.Error(t, err)
	cases, err = corpus.ReadSealed(fsys)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.True(t, cases[0].Sealed)
	_, err = corpus.ReadSealed(fstest.MapFS{})
	require.Error(t, err, "an empty corpus measures nothing")
}
