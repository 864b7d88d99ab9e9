package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

func renderCase(t *testing.T, f why.CaseFile, format, expr string, style terminal.Style) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.WriteCaseFile(&b, reporttest.Document(f), format, expr, style))
	return b.String()
}

func goldenCase(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", "casefile", file)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "%s: if it is meant, go test ./pkg/report/formats -update and look at the difference", path)
}

// TestScanBeginsWithTheCaseFile holds every format of a scan of one application: those that show its case file, and those that list
// findings.
func TestScanBeginsWithTheCaseFile(t *testing.T) {
	for name, file := range map[string]string{"scan": "full", "scan-hostile": "hostile"} {
		d := reporttest.Document(reporttest.CaseFiles()[file])
		for _, format := range formats.Names() {
			r := reporttest.Night()
			if format == "html" || format == "sarif" {
				r = undocumented(r)
			}
			var with, without bytes.Buffer
			require.NoError(t, formats.WriteScan(&with, formats.Scan{Report: r, CaseFile: d}, format, "", terminal.Style{}))
			require.NoError(t, formats.Write(&without, r, format, "", terminal.Style{}))
			if !formats.HoldsCaseFile(format) {
				require.Equal(t, without.String(), with.String(), format)
				continue
			}
			require.NotEqual(t, without.String(), with.String(), format)
			goldenCase(t, name+"."+format, with.String())
		}
	}
}

// TestCaseFilesGolden holds every format of a full case file, and the table of one of each class.
func TestCaseFilesGolden(t *testing.T) {
	all := reporttest.CaseFiles()
	for name, f := range all {
		goldenCase(t, name+".table", renderCase(t, f, "table", "", terminal.Style{Width: 80}))
	}
	full := all["full"]
	for _, format := range formats.CaseFileNames() {
		goldenCase(t, "full."+format, renderCase(t, full, format, "", terminal.Style{}))
		goldenCase(t, "hostile."+format, renderCase(t, all["hostile"], format, "", terminal.Style{}))
	}
	goldenCase(t, "full.160", renderCase(t, full, "table", "", terminal.Style{Width: 160}))
	goldenCase(t, "full.color", renderCase(t, full, "table", "", terminal.Style{Color: true}))
	goldenCase(t, "full.jsonpath", renderCase(t, full, "jsonpath", `{.verdict.class}{"\t"}{.causes[*].certainty}{"\n"}`, terminal.Style{}))
	goldenCase(t, "full.go-template", renderCase(t, full, "go-template", "{{range .timeline}}{{.time}} {{.text}}\n{{end}}", terminal.Style{}))
}

// TestEveryClassHasASample: a class that is added needs a title, a sample and with it a golden.
func TestEveryClassHasASample(t *testing.T) {
	all := reporttest.CaseFiles()
	for _, class := range cause.Classes() {
		f, has := all[string(class)]
		require.True(t, has, class)
		d := reporttest.Document(f)
		require.Equal(t, string(class), d.Verdict.Class)
		require.NotEqual(t, string(class), casefile.Title(string(class)), "it has a title of words")
		require.Equal(t, class != cause.Unknown, d.Answered())
	}
}

// TestCaseFilesAreTheSameTwice: identical input, identical bytes.
func TestCaseFilesAreTheSameTwice(t *testing.T) {
	for name := range reporttest.CaseFiles() {
		for _, format := range formats.CaseFileNames() {
			first := renderCase(t, reporttest.CaseFiles()[name], format, "", terminal.Style{})
			require.Equal(t, first, renderCase(t, reporttest.CaseFiles()[name], format, "", terminal.Style{}), "%s %s", name, format)
		}
	}
}

// TestCaseFileIsInert: no text of a cluster acts on a terminal, in a browser, in Markdown, or in a log of GitHub Actions.
func TestCaseFileIsInert(t *testing.T) {
	hostile := reporttest.HostileCaseFile()
	for _, format := range formats.CaseFileNames() {
		for width := 20; width < 130; width += 7 {
			got := renderCase(t, hostile, format, "", terminal.Style{Width: width})
			for _, c := range got {
				require.True(t, c == '\n' || unicode.IsGraphic(c), "%s: %U", format, c)
			}
			require.NotContains(t, got, "##[", format)
			for line := range strings.Lines(got) {
				require.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), "%s: %s", format, line)
			}
		}
	}
	require.Equal(t, 1, strings.Count(renderCase(t, hostile, "html", "", terminal.Style{}), "<script>"), "the page's own")
	require.Contains(t, renderCase(t, hostile, "html", "", terminal.Style{}), "&lt;script&gt;")
	for _, expr := range []string{"{.subject.name}", "{.verdict.message}", "{.verdict.next[0].command}", "{.timeline[1].text}"} {
		require.NotContains(t, renderCase(t, hostile, "jsonpath", expr, terminal.Style{}), "\x1b", expr)
	}
}

// TestCaseFileFits: only commands, which are copied, are longer than the terminal is wide.
func TestCaseFileFits(t *testing.T) {
	for name, f := range reporttest.CaseFiles() {
		if name == "hostile" {
			continue
		}
		for _, width := range []int{60, 80, 160} {
			for _, format := range []string{"table", "wide"} {
				for line := range strings.Lines(renderCase(t, f, format, "", terminal.Style{Width: width})) {
					line = strings.TrimRight(line, "\n")
					require.Equal(t, strings.TrimRight(line, " "), line)
					require.True(t, strings.Contains(line, "kubectl ") || twwidth.Width(line) <= width, "%s %s at %d: %q", name, format, width, line)
				}
			}
		}
	}
}

// TestCaseFilesSayWithoutColour: painted and plain text have the same words.
func TestCaseFilesSayWithoutColour(t *testing.T) {
	plain := renderCase(t, reporttest.FullCaseFile(), "table", "", terminal.Style{})
	painted := renderCase(t, reporttest.FullCaseFile(), "table", "", terminal.Style{Color: true})
	require.NotEqual(t, plain, painted)
	for _, code := range []string{"\x1b[1m", "\x1b[31m", "\x1b[22m", "\x1b[0m", "\x1b[0;22m", "\x1b[31;1m", "\x1b[0;22;0m"} {
		painted = strings.ReplaceAll(painted, code, "")
	}
	require.Equal(t, plain, painted)
}

// TestCaseFilesAreInPlainEnglish reads every line that the samples of all classes print.
func TestCaseFilesAreInPlainEnglish(t *testing.T) {
	for name, f := range reporttest.CaseFiles() {
		if name == "hostile" {
			continue
		}
		d := reporttest.Document(f)
		texts := []string{d.Verdict.Sentence()}
		for _, row := range d.Rows() {
			texts = append(texts, row.Text)
		}
		for _, s := range d.Answer() {
			texts = append(texts, s.Text, s.Beneath)
		}
		for _, text := range texts {
			require.Empty(t, prose.Text(text), "%s: %s", name, text)
		}
	}
}

// TestShortFormCountsWhatItLeavesOut: nothing is left out without a number.
func TestShortFormCountsWhatItLeavesOut(t *testing.T) {
	f := reporttest.FullCaseFile()
	end := f.Timeline[len(f.Timeline)-1]
	for len(f.Timeline) < 29 {
		end.At, end.Text = end.At.Add(time.Second), fmt.Sprintf("executor %d lost", len(f.Timeline))
		f.Timeline = append(f.Timeline, end)
	}
	end.At = end.At.Add(time.Minute)
	f.Timeline = append(f.Timeline, end)
	for len(f.Causes[0].Evidence) < 9 {
		f.Causes[0].Evidence = append(f.Causes[0].Evidence, f.Causes[0].Evidence[0])
	}
	for len(f.Unseen) < 9 {
		f.Unseen = append(f.Unseen, f.Unseen[0])
	}
	short := renderCase(t, f, "table", "", terminal.Style{})
	require.LessOrEqual(t, strings.Count(short, "\n"), 12, short) // ten lines below the name and an empty one
	require.Contains(t, strings.Join(strings.Fields(short), " "), "more -o wide: timeline, 1 ruled out, 9 not read")
	wide := renderCase(t, f, "wide", "", terminal.Style{})
	require.NotContains(t, wide, "more")
	require.Contains(t, wide, "beside")
}

// TestTwoPlausibleCauses are said to be two where the first is only likely.
func TestTwoPlausibleCauses(t *testing.T) {
	f := reporttest.CaseFiles()[string(cause.Network)]
	second := reporttest.CaseFiles()[string(cause.Credentials)].Causes[0]
	f.Causes = append(f.Causes, second)
	require.Contains(t, renderCase(t, f, "table", "", terminal.Style{}), "  or      S3 refused")
	f.Causes[0].Certainty = 0
	require.NotContains(t, renderCase(t, f, "table", "", terminal.Style{}), "  or ", "a proven cause has no alternative")
}
