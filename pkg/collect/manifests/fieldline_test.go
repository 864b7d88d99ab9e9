package manifests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestFieldLines looks up each field by the text that ought to be on its line.
func TestFieldLines(t *testing.T) {
	const app = `# a comment
---

apiVersion: sparkoperator.k8s.io/v1beta2 # the object
kind: SparkApplication
metadata:
  name: etl # its name
  labels: {sparkoperator.k8s.io/app-name: etl} # a label
  ownerReferences:
  - kind: Workflow # the first owner
    uid: a
  -
    kind: Workflow # the second owner
    uid: b # its uid
spec: # the spec
  sparkConf:
    "spark.master": local # a setting
    spark.app.name: |
      --- # no document begins here
  driver: &pod # the driver
    cores: 1
  executor: *pod # an alias
status: {containerStatuses: [{name: x}, {name: y}]} # the status
---
kind: Other
metadata: {name: other} # another object
`
	const list = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: one # the first item
# a comment between
-
  apiVersion: v1
  kind: Pod
  metadata:
    name: two # the second item
    uid: x # its uid
metadata: {resourceVersion: ""}
`
	const nested = `apiVersion: v1
kind: List
items: [{apiVersion: v1, kind: Pod, metadata: {name: one}}]
`
	for _, c := range []struct{ file, text, object, name, field, want string }{
		{"a.yaml", app, "# the object", "etl", "metadata.name", "# its name"},
		{"a.yml", app, "# the object", "etl", "metadata.labels[sparkoperator.k8s.io/app-name]", "# a label"},
		{"a.yaml", app, "# the object", "etl", "metadata.ownerReferences[0]", "# the first owner"},
		{"a.yaml", app, "# the object", "etl", "metadata.ownerReferences[1].uid", "# its uid"},
		{"a.yaml", app, "# the object", "etl", "metadata.ownerReferences[uid=b]", "# the second owner"},
		{"a.yaml", app, "# the object", "etl", `spec.sparkConf["spark.master"]`, "# a setting"},
		{"a.yaml", app, "# the object", "etl", "spec.sparkConf.spark.master", "# a setting"},
		{"a.yaml", app, "# the object", "etl", "spec.executor.cores", "# an alias"},
		{"a.yaml", app, "# the object", "etl", "status.containerStatuses[name=y].state.waiting", "# the status"},
		{"a.yaml", app, "# the object", "etl", "spec.timeZone", "# the spec"},
		{"a.yaml", app, "# the object", "etl", "version to come", ""},
		{"a.yaml", app, "# the object", "etl", "--webhook-port", ""},
		{"a.yaml", app, "# the object", "someone-else", "metadata.name", ""},
		{"a.yaml", app, "kind: Other", "other", "metadata.name", "# another object"},
		{"l.yaml", list, "- apiVersion", "one", "metadata.name", "# the first item"},
		{"l.yaml", list, "  apiVersion: v1\n  kind: Pod\n  metadata:\n    name: two", "two", "metadata.uid", "# its uid"},
		{"n.yaml", nested, "apiVersion", "one", "metadata.name", ""},
		{"a.json", app, "# the object", "etl", "metadata.name", ""},
		{"https://example.org/a.yaml", app, "# the object", "etl", "metadata.name", ""},
		{"broken.yaml", "metadata: {name: etl\n", "metadata", "etl", "metadata.name", ""},
	} {
		file := c.file
		if !strings.Contains(file, "://") {
			file = filepath.Join(t.TempDir(), c.file)
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
		}
		got := new(FieldLines).Of(snapshot.Ref{Name: c.name}, snapshot.Location{File: file, Line: lineOf(c.text, c.object)}, c.field)
		require.Equal(t, lineOf(c.text, c.want), got, "%s of %s in %s", c.field, c.name, c.file)
	}
}

// lineOf returns the line on which a text begins; 0 for none.
func lineOf(text, part string) int {
	if part == "" {
		return 0
	}
	before, _, _ := strings.Cut(text, part)
	return strings.Count(before, "\n") + 1
}

// TestFieldLinesAreBounded holds what is read once more: an object larger than any cluster has, and more than so many objects.
func TestFieldLinesAreBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "large.yaml")
	require.NoError(t, os.WriteFile(file, []byte("metadata: {name: a}\ndata:\n"+strings.Repeat("  key: value\n", maxLocated/10)), 0o600))
	require.Zero(t, new(FieldLines).Of(snapshot.Ref{Name: "a"}, snapshot.Location{File: file, Line: 1}, "metadata.name"))
	small := filepath.Join(t.TempDir(), "small.yaml")
	require.NoError(t, os.WriteFile(small, []byte("metadata: {name: a}\n"), 0o600))
	l := &FieldLines{parsed: maxLocatedInAll - 25}
	require.Equal(t, 1, l.Of(snapshot.Ref{Name: "a"}, snapshot.Location{File: small, Line: 1}, "metadata.name"))
	require.Zero(t, l.Of(snapshot.Ref{Name: "a"}, snapshot.Location{File: small, Line: 1, Document: 2}, "metadata.name"))
}
