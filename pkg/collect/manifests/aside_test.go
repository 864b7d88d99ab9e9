package manifests

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestExclusion holds that a pattern matches paths below the directory, names, and directories, and nothing that only contains it.
func TestExclusion(t *testing.T) {
	for pattern, files := range map[string]struct{ matched, left []string }{
		"*.tmpl.yaml":        {[]string{"d/a.tmpl.yaml", "d/x/y/a.tmpl.yaml"}, []string{"d/a.yaml", "d/tmpl.yaml"}},
		"charts/*/templates": {[]string{"d/charts/etl/templates/x/a.yaml"}, []string{"d/charts/etl/a.yaml", "d/x/charts/etl/templates/a.yaml"}},
		"templates":          {[]string{"d/charts/etl/templates/a.yaml"}, []string{"d/my-templates/a.yaml", "d/templates.yaml"}},
		"./x/":               {[]string{"d/x/a.yaml"}, []string{"d/a.yaml"}},
		"d":                  {nil, []string{"d/a.yaml"}}, // what -f names itself
		"x/*.yaml":           {[]string{"d/x/a.yaml"}, []string{"d/x/y/a.yaml"}},
	} {
		for _, file := range files.matched {
			require.True(t, exclusion{pattern}.matches("d", file), "%s %s", pattern, file)
		}
		for _, file := range files.left {
			require.False(t, exclusion{pattern}.matches("d", file), "%s %s", pattern, file)
		}
	}
}

// TestChartOf holds that a file is of a chart only in templates beside Chart.yaml, and of a chart in another one's charts it is that one.
func TestChartOf(t *testing.T) {
	at := disk{fstest.MapFS{
		"a/etl/Chart.yaml": {}, "a/etl/charts/sub/Chart.yaml": {}, "b/templates/x.yaml": {}, "charts/one/Chart.yaml": {},
	}}
	for file, chart := range map[string]string{
		"a/etl/templates/x.yaml":                  "a/etl",
		"a/etl/templates/jobs/x.yaml":             "a/etl",
		"a/etl/charts/sub/templates/tests/x.yaml": "a/etl",
		"charts/one/templates/x.yaml":             "charts/one",
		"a/etl/crds/x.yaml":                       "",
		"a/etl/values.yaml":                       "",
		"b/templates/x.yaml":                      "",
	} {
		require.Equal(t, chart, at.chartOf(file), file)
	}
}
