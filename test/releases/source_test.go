// Package releases compares what pkg/operator says of the operator's releases with the releases themselves: their charts,
// rendered by Helm, their CRDs and their Go source. A release whose source cannot be had is a failure.
//
// Only modules are downloaded, and only from v2.2.1 on the tags are versions of one. What is said of 2.0.0 to 2.2.0 and of
// chart 1.4.6 is compared if SPARKDOCTOR_OPERATOR_SOURCES names a directory with checkouts of their tags, each under the
// tag's name.
package releases

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// release is one release and its source.
type release struct {
	operator.Version
	dir string
}

// each runs a test for each release whose source is there.
func each(t *testing.T, test func(*testing.T, release)) {
	t.Helper()
	for _, name := range build.OperatorVersions() {
		t.Run(name, func(t *testing.T) {
			dir, err := build.OperatorSource(t.Context(), name)
			require.NoError(t, err)
			test(t, release{named(t, name), dir})
		})
	}
	for _, dir := range checkouts(t) {
		name := strings.TrimPrefix(filepath.Base(dir), "spark-operator-chart-")
		t.Run(name, func(t *testing.T) { test(t, release{named(t, name), dir}) })
	}
}

func checkouts(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("SPARKDOCTOR_OPERATOR_SOURCES")
	if root == "" {
		return nil
	}
	dirs, err := filepath.Glob(filepath.Join(root, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs, "%s is empty", root)
	return dirs
}

func named(t *testing.T, name string) operator.Version {
	t.Helper()
	v, err := operator.ReleaseNamed(name)
	require.NoError(t, err)
	return v.Application
}

func (r release) legacy() bool { return r.Major == 1 }

func (r release) chart() string { return filepath.Join(r.dir, "charts", "spark-operator-chart") }

// read returns a file of the source.
func (r release) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, path))
	require.NoError(t, err)
	return string(text)
}

// has requires texts in a file of the source.
func (r release) has(t *testing.T, path string, texts ...string) {
	t.Helper()
	source := r.read(t, path)
	for _, text := range texts {
		require.True(t, strings.Contains(source, text), "%s has no %s", path, text)
	}
}

// values returns the chart's defaults.
func (r release) values(t *testing.T) map[string]any {
	t.Helper()
	var values map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(r.read(t, "charts/spark-operator-chart/values.yaml")), &values))
	return values
}

// The release of Helm that charts are rendered for.
const (
	helmRelease   = "etl"
	helmNamespace = "etl-system"
)

// render returns the objects that Helm would install.
func (r release) render(t *testing.T, settings ...string) objects {
	t.Helper()
	builder, err := build.New(t.Output())
	require.NoError(t, err)
	helm, err := builder.Helm(t.Context())
	require.NoError(t, err)
	args := []string{"template", helmRelease, r.chart(), "--namespace", helmNamespace}
	for _, setting := range settings {
		args = append(args, "--set", setting)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(helm, "helm"), args...)
	var out, errout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errout
	require.NoError(t, cmd.Run(), errout.String())
	return split(t, &out)
}

// objects are those of a chart.
type objects []unstructured.Unstructured

func split(t *testing.T, r io.Reader) objects {
	t.Helper()
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	var out objects
	for document := range strings.SplitSeq("\n"+string(text), "\n---") {
		var one unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(document), &one.Object))
		if one.Object != nil {
			out = append(out, one)
		}
	}
	require.NotEmpty(t, out)
	return out
}

// of returns the objects of a kind, read as T.
func of[T any](t *testing.T, all objects, kind string) []T {
	t.Helper()
	var out []T
	for _, o := range all {
		if o.GetKind() != kind {
			continue
		}
		var one T
		require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &one))
		out = append(out, one)
	}
	return out
}
