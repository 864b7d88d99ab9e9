package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/markdown"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	for name, r := range samples() {
		for _, format := range formats.Names() {
			t.Run(name+"/"+format, func(t *testing.T) { golden(t, name+"."+format, r, format, "", terminal.Style{}) })
		}
	}
	r := sampleNight()
	golden(t, "night.color", r, "table", "", terminal.Style{Color: true})
	golden(t, "gate.color", sampleGate(), "table", "", terminal.Style{Color: true})
	golden(t, "night.120", r, "table", "", terminal.Style{Width: 120})
	golden(t, "night.jsonpath", r, "jsonpath", `{range .items[*]}{.check}{"\t"}{.object.namespace}{"\n"}{end}`, terminal.Style{})
	golden(t, "night.go-template", r, "go-template", "{{range .items}}{{.severity}} {{.metadata.name}} {{.location.line}}\n{{end}}", terminal.Style{})
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
	require.Equal(t, string(want), b.String(), "%s: if it is meant, go test ./pkg/report -update and look at the difference", path)
}

// TestTableFits: at 80 columns only what must stay whole, because somebody copies it, may be longer.
func TestTableFits(t *testing.T) {
	for name, r := range samples() {
		for _, width := range []int{40, 80, 120} {
			var b bytes.Buffer
			require.NoError(t, terminal.Table(&b, r, terminal.Style{Width: width}))
			for line := range strings.Lines(b.String()) {
				line = strings.TrimRight(line, "\n")
				require.Equal(t, strings.TrimRight(line, " "), line, "%s: blanks at the end", name)
				words := strings.Fields(line)
				whole := len(words) < 2 || strings.HasPrefix(words[0], "kubectl") || words[0] == "helm" || strings.Contains(line, "/") || strings.HasPrefix(line, "  more: ") || strings.HasPrefix(line, "  fix:  ") || strings.Contains(words[0]+words[1], "SD")
				require.True(t, whole || twwidth.Width(line) <= width, "%s at %d: %q", name, width, line)
			}
		}
	}
}

// TestNothingActsOnTheTerminal: what a cluster says can never reach a terminal as a control sequence, nor as a character
// that does not show: a tag, one that is private, unassigned, or none.
func TestNothingActsOnTheTerminal(t *testing.T) {
	all := samples()
	all["made by somebody"] = forged(t)
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

// forged is a report that somebody wrote by hand and that the schema lets pass: no text in it can be trusted.
func forged(t *testing.T) *report.Report {
	t.Helper()
	r := sampleCompared()
	r.Tool = report.Tool{Version: escapes, Commit: escapes}
	r.Sources = []report.Source{{Name: escapes, Type: "cluster", Context: escapes, Server: escapes}}
	r.Scope.Installations = []report.Installation{{Namespace: escapes, Name: escapes, Version: escapes, JudgedAs: escapes}}
	r.Namespaces = []report.Namespace{{Name: escapes, Admission: report.Admission{State: "unknown", Reason: escapes, CausedBy: escapes}}, {Name: escapes + "2", Admission: report.Admission{State: "broken", BrokenLink: "service", CausedBy: escapes}}}
	escapes := escapes + "\U000e0041\ue000\u0378\ufdd0\U0010ffff"
	r.Checks[0].Title, r.Checks[0].Reason = escapes, escapes
	r.Checks[0].Unseen = []snapshot.Unseen{{Verb: escapes, Resource: escapes, Namespace: escapes, Name: escapes, Reason: escapes}}
	r.Checks[0].Coverage = "partial"
	for i := range r.Items {
		r.Items[i].Docs, r.Items[i].Message, r.Items[i].Field = "javascript:alert(1)", escapes, escapes
		r.Items[i].Evidence = []report.Evidence{{Object: r.Items[i].Object, Field: escapes, Value: escapes}}
		r.Items[i].Location = &snapshot.Location{File: escapes, Line: 1}
		r.Items[i].Related = append(r.Items[i].Related, spark(escapes, escapes))
	}
	r.Metrics = &report.Metrics{MaxObjectBytes: 1, Applications: []report.ApplicationSize{{Namespace: escapes, Name: escapes, Bytes: 1}}, Certificates: []report.CertificateExpiry{{Namespace: escapes, Secret: escapes, Role: "ca", NotAfter: night()}}}
	back := reread(t, r)
	back.Compare(reread(t, sampleNight()))
	return back
}

func TestForgedReportsAreInert(t *testing.T) {
	r := forged(t)
	got := renderMarkdown(t, func(b *bytes.Buffer) error { return markdown.Write(b, r) })
	for _, link := range got.links {
		require.True(t, strings.HasPrefix(link, "https://github.com/sparkdoctor/"), link)
	}
	for _, html := range got.raw {
		require.Equal(t, "<!-- -->", html)
	}
	d := parseHTML(t, r)
	require.Len(t, d.elements["script"], 1)
	for _, a := range d.elements["a"] {
		require.True(t, strings.HasPrefix(attribute(a, "href"), "#"))
	}
	require.NotEmpty(t, families(t, r))
	require.NotEmpty(t, suites(t, r, "info"))
	require.NoError(t, sarifSchema(t).Validate(sarifOf(t, r)))
	var b bytes.Buffer
	require.NoError(t, machine.GitHub(&b, r))
	list, _ := commands(t, b.String())
	for _, c := range list {
		require.Contains(t, []string{"error", "warning", "notice"}, c.name)
	}
}

// TestEveryCharacterSurvives: a name may hold anything, and json and yaml must give it back.
func TestEveryCharacterSurvives(t *testing.T) {
	r := sampleClean()
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if utf8.ValidRune(c) && (c <= 0x2fff || c >= 0xd700 && c <= 0x10fff || c > 0xe0000 && c&0xffff < 0x200 || c&0xfffe == 0xfffe || unicode.Is(unicode.Cf, c)) {
			r.Scope.Namespaces = append(r.Scope.Namespaces, "a"+string(c)+"b")
		}
	}
	for name, write := range map[string]func(io.Writer, *report.Report) error{"json": report.JSON, "yaml": report.YAML} {
		var b bytes.Buffer
		var back report.Report
		require.NoError(t, write(&b, r), name)
		if name == "json" {
			require.NoError(t, json.Unmarshal(b.Bytes(), &back))
		} else {
			require.NoError(t, yaml.Unmarshal(b.Bytes(), &back))
		}
		require.Equal(t, r.Scope.Namespaces, back.Scope.Namespaces, name)
	}
}

func TestUnknownFormatAndBadExpressions(t *testing.T) {
	var b bytes.Buffer
	require.ErrorContains(t, formats.Write(&b, sampleClean(), "html5", "", terminal.Style{}), `unknown format "html5"`)
	require.ErrorContains(t, formats.Write(&b, sampleClean(), "jsonpath", "{.items[}", terminal.Style{}), "jsonpath")
	require.ErrorContains(t, formats.Write(&b, sampleClean(), "go-template", "{{.items", terminal.Style{}), "template")
	require.Empty(t, b.String())
}
