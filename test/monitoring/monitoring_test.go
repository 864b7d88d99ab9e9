// Package monitoring has Prometheus' own promtool judge what deploy/monitoring asks for.
package monitoring

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

var run = flag.Bool("promtool", false, "build and run promtool: make test-monitoring")

const manifests = "../../deploy/monitoring"

func TestPromtool(t *testing.T) {
	if !*run {
		t.Skip("it builds promtool: make test-monitoring; deploy/deploy_test.go holds the names of metrics and labels")
	}
	b, err := build.New(t.Output())
	require.NoError(t, err)
	bin, err := b.Promtool(t.Context())
	require.NoError(t, err)
	dir := t.TempDir()
	promtool := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "promtool"), args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		t.Logf("%s", out)
	}
	write := func(name string, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}

	write("rules.yaml", rules(t))
	promtool("check", "rules", "rules.yaml")
	tests, err := os.ReadFile(filepath.Join(manifests, "alerts_test.yaml"))
	require.NoError(t, err)
	write("alerts_test.yaml", tests)
	promtool("test", "rules", "alerts_test.yaml")
	write("dashboard.yaml", dashboard(t))
	promtool("check", "rules", "dashboard.yaml")
}

// rules is the rule file that a PrometheusRule holds.
func rules(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(manifests, "alerts.yaml"))
	require.NoError(t, err)
	var rule struct {
		Spec map[string]any `json:"spec"`
	}
	require.NoError(t, yaml.Unmarshal(text, &rule))
	out, err := yaml.Marshal(rule.Spec)
	require.NoError(t, err)
	return out
}

// dashboard is a rule file of the dashboard's expressions, as Grafana sends them, so that promtool parses them.
func dashboard(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(manifests, "dashboard.json"))
	require.NoError(t, err)
	var d struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &d))
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	var all []rule
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			all = append(all, rule{fmt.Sprintf("dashboard:%d", len(all)), strings.ReplaceAll(target.Expr, "$severity", "error|warning")})
		}
	}
	require.NotEmpty(t, all)
	out, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": all}}})
	require.NoError(t, err)
	return out
}
