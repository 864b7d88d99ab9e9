package manifests

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// NoObjectsError says that the input holds no Kubernetes object. What it holds instead may say what to do.
type NoObjectsError struct {
	Paths []string
	Aside input.Aside
}

func (e *NoObjectsError) Error() string {
	return strings.Join(e.Paths, ", ") + ": no Kubernetes object found"
}

// templateError is a document that Helm has to render first. In a chart any action makes one; elsewhere braces may be those of another
// program, and what does not parse is an error unless the text says that it is Helm's.
type templateError struct {
	error
	sure bool // wherever the file is
}

func (e *templateError) Unwrap() error { return e.error }

// isTemplate reports whether an error is about a template.
func isTemplate(err error, inChart bool) bool {
	var t *templateError
	return errors.As(err, &t) && (t.sure || inChart)
}

// bareAction reports whether an action of Helm stands in YAML itself. In quotes it may be meant for a program that reads it later, and is
// not why the YAML is broken.
func bareAction(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		at := helmAction.FindStringIndex(line)
		if at != nil && strings.Count(line[:at[0]], `"`)%2 == 0 && strings.Count(line[:at[0]], "'")%2 == 0 {
			return true
		}
	}
	return false
}

// chartOf is the directory of the chart whose template a file is by its place: in templates, beside Chart.yaml
// (helm.sh/docs/topics/charts, The Chart File Structure). Of a chart in the folder charts of another one it is that, which renders both.
// Empty: it is none.
func (d disk) chartOf(file string) string {
	isChart := func(dir string) bool {
		info, err := d.stat(d.join(dir, "Chart.yaml"))
		return err == nil && info.Mode().IsRegular()
	}
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		chart := filepath.Dir(dir)
		if filepath.Base(dir) != "templates" || !isChart(chart) {
			continue
		}
		for filepath.Base(filepath.Dir(chart)) == "charts" && isChart(filepath.Dir(filepath.Dir(chart))) {
			chart = filepath.Dir(filepath.Dir(chart))
		}
		return chart
	}
	return ""
}

// passTemplate notes that a file of a source is a template.
func (b *builder) passTemplate(name string, s source) {
	a := &b.input.Aside
	a.Templates = append(a.Templates, name)
	if s.chart != "" && !slices.Contains(a.Charts, s.chart) {
		a.Charts = append(a.Charts, s.chart)
	}
}
