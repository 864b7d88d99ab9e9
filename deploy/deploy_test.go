// Package deploy_test holds what alerts and dashboards ask for to what a scan exposes, and the image to what is promised of it.
package deploy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// TestImage: a base that cannot change under its name, no root, nothing but the program and its licences.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("../Dockerfile")
	require.NoError(t, err)
	var instructions []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			instructions = append(instructions, strings.TrimSpace(line))
		}
	}
	require.Len(t, instructions, 6)
	require.Regexp(t, `^FROM gcr\.io/distroless/static-debian12:nonroot@sha256:[0-9a-f]{64}$`, instructions[0])
	require.Equal(t, []string{
		"ARG TARGETPLATFORM",
		"COPY ${TARGETPLATFORM}/kubectl-sparkdoctor /kubectl-sparkdoctor",
		"COPY LICENSE bin/THIRD_PARTY_LICENSES /",
		"USER 65532:65532",
		`ENTRYPOINT ["/kubectl-sparkdoctor"]`,
	}, instructions[1:])
	release, err := os.ReadFile("../.goreleaser.yaml")
	require.NoError(t, err)
	require.Contains(t, string(release), "extra_files: [LICENSE, bin/THIRD_PARTY_LICENSES]", "what COPY takes")
	require.Contains(t, string(release), "CGO_ENABLED=0", "the base has no C library")
}

// alert is a rule, with all that a rule of ours may have.
type alert struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	For         string            `json:"for"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

func alerts(t *testing.T) []alert {
	t.Helper()
	text, err := os.ReadFile("monitoring/alerts.yaml")
	require.NoError(t, err)
	var rule struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec struct {
			Groups []struct {
				Name  string  `json:"name"`
				Rules []alert `json:"rules"`
			} `json:"groups"`
		} `json:"spec"`
	}
	require.NoError(t, yaml.UnmarshalStrict(text, &rule))
	require.Equal(t, "PrometheusRule", rule.Kind)
	require.Len(t, rule.Spec.Groups, 1)
	return rule.Spec.Groups[0].Rules
}

// exposed are the metrics of the reports in the golden files of pkg/report/formats, and of the server itself, with their labels.
func exposed(t *testing.T) map[string]map[string]bool {
	t.Helper()
	metrics := map[string]map[string]bool{"sparkdoctor_scans_total": {}, "sparkdoctor_scan_failures_total": {}}
	files, err := filepath.Glob("../pkg/report/formats/testdata/*.prometheus")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		f, err := os.Open(file) // #nosec G304 -- a test
		require.NoError(t, err)
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		for name, family := range families {
			if metrics[name] == nil {
				metrics[name] = map[string]bool{}
			}
			for _, m := range family.GetMetric() {
				for _, l := range m.GetLabel() {
					metrics[name][l.GetName()] = true
				}
			}
		}
	}
	return metrics
}

var (
	selector = regexp.MustCompile(`(sparkdoctor_\w+)(?:\{([^}]*)\})?`)
	matcher  = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
	label    = regexp.MustCompile(`\$labels\.(\w+)`)
)

// requireExposed fails on a metric, or a label of one, that no scan has, and returns the labels of all in the expression.
func requireExposed(t *testing.T, metrics map[string]map[string]bool, expr string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	found := selector.FindAllStringSubmatch(expr, -1)
	require.NotEmpty(t, found, expr)
	for _, m := range found {
		require.Contains(t, metrics, m[1], expr)
		for _, one := range matcher.FindAllStringSubmatch(m[2], -1) {
			require.True(t, metrics[m[1]][one[1]], "%s has no label %s: %s", m[1], one[1], expr)
		}
		for name := range metrics[m[1]] {
			all[name] = true
		}
	}
	return all
}

func TestAlertsAskForWhatIsExposed(t *testing.T) {
	metrics := exposed(t)
	tests, err := os.ReadFile("monitoring/alerts_test.yaml")
	require.NoError(t, err)
	for _, a := range alerts(t) {
		labels := requireExposed(t, metrics, a.Expr)
		require.Contains(t, []string{"warning", "critical"}, a.Labels["severity"], a.Alert)
		require.Regexp(t, `^\d+[mh]$`, a.For, a.Alert)
		require.NotEmpty(t, a.Annotations["summary"], a.Alert)
		requirePage(t, a)
		for _, text := range a.Annotations {
			for _, m := range label.FindAllStringSubmatch(text, -1) {
				require.True(t, labels[m[1]], "%s has no label %s", a.Alert, m[1])
			}
		}
		require.GreaterOrEqual(t, len(regexp.MustCompile(`alertname: `+a.Alert+`\b`).FindAll(tests, -1)), 2, "%s: promtool shows it firing and silent", a.Alert)
	}
}

// requirePage holds an alert to a page that is published: that of the check which its text or its label names, or a section of the
// page about serve.
func requirePage(t *testing.T, a alert) {
	t.Helper()
	url := a.Annotations["runbook_url"]
	check := regexp.MustCompile(`SD\d{4}`).FindString(a.Annotations["description"])
	switch {
	case check != "":
		require.Equal(t, checks.PageURL(check), url, a.Alert)
		require.FileExists(t, "../docs/checks/"+check+".md")
	case strings.Contains(a.Annotations["summary"]+a.Annotations["description"], "$labels.check"):
		require.Equal(t, checks.PageURL("{{ $labels.check }}"), url, a.Alert)
	default:
		require.Regexp(t, `/blob/main/docs/serve\.md#[a-z-]+$`, url, a.Alert) // TestLinksLead follows it
	}
}

// TestAlertsNameTheNamespace: on call one looks for a place first. What has a namespace in its labels says it, and each alert is in
// the table of the docs.
func TestAlertsNameTheNamespace(t *testing.T) {
	page, err := os.ReadFile("../docs/serve.md")
	require.NoError(t, err)
	metrics := exposed(t)
	for _, a := range alerts(t) {
		require.Contains(t, string(page), "\n| `"+a.Alert+"` |")
		if requireExposed(t, metrics, a.Expr)["namespace"] && a.Alert != "SparkWebhookFailsOpen" { // its object is in no namespace
			require.Contains(t, a.Annotations["summary"], "$labels.namespace", a.Alert)
		}
	}
}

// dashboard is what we write of Grafana's model.
type dashboard struct {
	Title, UID    string
	SchemaVersion int
	Templating    struct{ List []struct{ Name, Type string } }
	Panels        []struct {
		ID          int
		Type, Title string
		Datasource  struct{ UID string }
		GridPos     struct{ X, Y, W, H int }
		Targets     []struct{ RefID, Expr string }
	}
}

func TestDashboardAsksForWhatIsExposed(t *testing.T) {
	text, err := os.ReadFile("monitoring/dashboard.json")
	require.NoError(t, err)
	var d dashboard
	require.NoError(t, json.Unmarshal(text, &d))
	require.Equal(t, "sparkdoctor", d.UID)
	variables := map[string]bool{}
	for _, v := range d.Templating.List {
		variables[v.Name] = true
	}
	metrics, ids, taken := exposed(t), map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		require.False(t, ids[p.ID], "two panels have the id %d", p.ID)
		ids[p.ID] = true
		require.Contains(t, []string{"stat", "timeseries", "table"}, p.Type)
		require.Equal(t, "${datasource}", p.Datasource.UID, p.Title)
		require.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, p.Title)
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				require.Empty(t, taken[[2]int{x, y}], "%s lies on another panel", p.Title)
				taken[[2]int{x, y}] = p.Title
			}
		}
		require.NotEmpty(t, p.Targets, p.Title)
		for _, target := range p.Targets {
			requireExposed(t, metrics, target.Expr)
			for _, m := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(target.Expr, -1) {
				require.True(t, variables[m[1]], "%s: no variable %s", p.Title, m[1])
			}
		}
	}
	require.Len(t, d.Panels, 13)
}
