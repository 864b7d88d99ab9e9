package formats_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	for name, r := range reporttest.All() {
		for _, format := range formats.Names() {
			t.Run(name+"/"+format, func(t *testing.T) { golden(t, name+"."+format, r, format, "", terminal.Style{}) })
		}
	}
	r := reporttest.Night()
	golden(t, "night.color", r, "table", "", terminal.Style{Color: true})
	golden(t, "gate.color", reporttest.Gate(), "table", "", terminal.Style{Color: true})
	golden(t, "night.120", r, "table", "", terminal.Style{Width: 120})
	golden(t, "night.jsonpath", r, "jsonpath", `{range .items[*]}{.check}{"\t"}{.object.namespace}{"\n"}{end}`, terminal.Style{})
	golden(t, "night.go-template", r, "go-template", "{{range .items}}{{.severity}} {{.metadata.name}} {{.location.line}}\n{{end}}",
		terminal.Style{})
}

// undocumented gives the checks ids that none will ever have, so that the golden files do not hold their pages.
func undocumented(r *report.Report) *report.Report {
	out := *r
	out.Checks, out.Items = slices.Clone(r.Checks), slices.Clone(r.Items)
	rename := func(id string) string { return "SD" + string(id[2]-'0'+'A') + id[3:] }
	for i := range out.Checks {
		out.Checks[i].ID = rename(out.Checks[i].ID)
	}
	for i := range out.Items {
		out.Items[i].Check = rename(out.Items[i].Check)
	}
	if r.Gate != nil {
		gate := *r.Gate
		out.Gate, gate.Runbook = &gate, slices.Clone(gate.Runbook)
		for i := range gate.Runbook {
			if c := &gate.Runbook[i].Check; *c != "" {
				*c = rename(*c)
			}
		}
	}
	return &out
}

func golden(t *testing.T, file string, r *report.Report, format, expr string, style terminal.Style) {
	t.Helper()
	if format == "html" || format == "sarif" {
		r = undocumented(r)
	}
	var b bytes.Buffer
	require.NoError(t, formats.Write(&b, r, format, expr, style))
	path := filepath.Join("testdata", file)
	if *update {
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "%s: if it is meant, go test ./pkg/report/formats -update and look at the difference", path)
}

// TestNothingActsOnTheTerminal: what a cluster says can never reach a terminal as a control sequence, nor as a character
// that does not show: a tag, one that is private, unassigned, or none.
func TestNothingActsOnTheTerminal(t *testing.T) {
	all := reporttest.All()
	all["made by somebody"] = reporttest.Forged(t)
	for name, r := range all {
		for _, format := range formats.Names() {
			var b bytes.Buffer
			require.NoError(t, formats.Write(&b, r, format, "", terminal.Style{}))
			for _, c := range b.String() {
				require.True(t, c == '\n' || unicode.IsGraphic(c), "%s, %s: %U", name, format, c)
			}
		}
	}
}

func TestUnknownFormatAndBadExpressions(t *testing.T) {
	var b bytes.Buffer
	require.ErrorContains(t, formats.Write(&b, reporttest.Clean(), "html5", "", terminal.Style{}), `unknown format "html5"`)
	require.ErrorContains(t, formats.Write(&b, reporttest.Clean(), "jsonpath", "{.items[}", terminal.Style{}), "jsonpath")
	require.ErrorContains(t, formats.Write(&b, reporttest.Clean(), "go-template", "{{.items", terminal.Style{}), "template")
	require.Empty(t, b.String())
}

func TestHostileGateIsInert(t *testing.T) {
	r := reporttest.HostileGate(t)
	for _, format := range formats.Names() {
		var b bytes.Buffer
		require.NoError(t, formats.Write(&b, r, format, "", terminal.Style{}))
		require.NotContains(t, b.String(), "\x1b", format)
		for line := range strings.Lines(b.String()) {
			ours := format == "github" && strings.Contains(line, " title=")
			require.True(t, ours || !strings.HasPrefix(strings.TrimSpace(line), "::"), "%s: %s", format, line)
		}
	}
}

// TestLogsOfGitHubRunNothing: whatever is in a log there may be a command.
func TestLogsOfGitHubRunNothing(t *testing.T) {
	const attack = "etl ::error::one ::stop-commands::x ##[error]two ##[add-mask]three ::warning file=a::four ::notice::five"
	r := reporttest.Build(reporttest.Cluster(),
		check.Result{Check: reporttest.Owner(), Status: check.Failed, Findings: []check.Reported{reporttest.Finding(reporttest.Owner(),
			reporttest.Spark("team-a", attack), check.Error, attack)}},
		check.Result{Check: reporttest.Growing(), Status: check.Skipped, Reason: attack},
	)
	r.Namespaces = []report.Namespace{{Name: attack, Admission: report.Admission{State: "unknown", Reason: attack}}, {Name: attack,
		Admission: report.Admission{State: "broken", BrokenLink: "service"}}}
	r.Scope.Installations = []report.Installation{{Namespace: attack, Version: attack}}
	for width := 20; width < 130; width += 3 {
		for _, format := range []string{"table", "wide", "github", "name", "markdown"} {
			var b bytes.Buffer
			require.NoError(t, formats.Write(&b, r, format, "", terminal.Style{Width: width}))
			require.NotContains(t, b.String(), "##[", format)
			for line := range strings.Lines(b.String()) {
				ours := format == "github" && (strings.HasPrefix(line, "::error title=") || strings.HasPrefix(line, "::warning title="))
				require.True(t, ours || !strings.HasPrefix(strings.TrimSpace(line), "::"), "%s: %s", format, line)
			}
		}
	}
}
