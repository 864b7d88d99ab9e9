package machine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// joinedReport is of one finding that joins two applications of a file, each with a field of its own.
func joinedReport(t *testing.T) *report.Report {
	t.Helper()
	const text = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: a, namespace: team-a}\n---\n" +
		"apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: b, namespace: team-a}\n"
	s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Now: time.Unix(0, 0)})
	require.NoError(t, err)
	a, b := s.SparkApplications()[0], s.SparkApplications()[1]
	f := reporttest.Finding(reporttest.Owner(), a.Ref, check.Error, "2 applications do")
	f.Seen, f.Field, f.Objects, f.Fields = &a.Object, "metadata.name", []snapshot.Ref{a.Ref, b.Ref},
		map[snapshot.Key]string{b.Key(): "spec"}
	r := report.Build(s, report.Tool{Version: "v1"}, report.Source{Name: "files", Type: "files"}, report.Scope{},
		[]check.Result{{Check: reporttest.Owner(), Status: check.Failed, Findings: []check.Reported{f}}}, command.Asked{})
	r.Locate(func(o snapshot.Ref, at snapshot.Location, field string) int {
		return map[string]int{"a metadata.name": at.Line + 2}[o.Name+" "+field]
	})
	return r
}

// TestFormatsPointAtEachObject holds that SARIF and annotations have a result for each object that a finding joins, at its own line,
// while JSON has one item with the places of all.
func TestFormatsPointAtEachObject(t *testing.T) {
	r := joinedReport(t)
	var b bytes.Buffer
	require.NoError(t, machine.GitHub(&b, r))
	list, _ := commands(t, b.String())
	require.Len(t, list, 2)
	require.Equal(t, workflowCommand{"error", "team-a sparkapplication/a: 2 applications do", map[string]string{"file": "stdin", "line": "3",
		"title": "SD2001 cross-namespace-owner"}}, list[0])
	require.Equal(t, workflowCommand{"error", "team-a sparkapplication/b: 2 applications do", map[string]string{"file": "stdin", "line": "5",
		"title": "SD2001 cross-namespace-owner"}}, list[1])

	run := sarifOf(t, r)["runs"].([]any)[0].(map[string]any)
	require.Len(t, run["tool"].(map[string]any)["driver"].(map[string]any)["rules"], 1)
	require.Len(t, run["results"], 2)
	lines, prints := []string{}, map[any]bool{}
	for _, one := range run["results"].([]any) {
		result := one.(map[string]any)
		prints[result["partialFingerprints"].(map[string]any)["sparkdoctorFinding/v1"]] = true
		at := result["locations"].([]any)[0].(map[string]any)
		logical := at["logicalLocations"].([]any)[0].(map[string]any)["name"].(string)
		lines = append(lines,
			logical+" "+string(at["physicalLocation"].(map[string]any)["region"].(map[string]any)["startLine"].(json.Number))+" "+
				result["properties"].(map[string]any)["field"].(string))
	}
	require.Equal(t, []string{"a 3 metadata.name", "b 5 spec"}, lines)
	require.True(t, prints[r.Items[0].Metadata.Name], "who followed the finding finds it again")
	require.Len(t, prints, 2)
	require.NoError(t, sarifSchema(t).Validate(sarifOf(t, r)))

	b.Reset()
	require.NoError(t, report.JSON(&b, r))
	var got struct {
		Items []struct {
			FieldLine int
			Objects   []struct {
				Name, Field string
				FieldLine   int
				Location    struct{ Line int }
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Len(t, got.Items, 1)
	require.Equal(t, 3, got.Items[0].FieldLine)
	require.Len(t, got.Items[0].Objects, 2)
	require.Equal(t, 3, got.Items[0].Objects[0].FieldLine)
	require.Equal(t, 5, got.Items[0].Objects[1].Location.Line)
	require.Equal(t, "spec", got.Items[0].Objects[1].Field)
}

// TestSARIFHasEachPageOnce holds that the text beside a rule's Markdown is not the page again.
func TestSARIFHasEachPageOnce(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, machine.SARIF(&b, reporttest.Night()))
	require.Equal(t, 1, strings.Count(b.String(), `# SD2001 cross-namespace-owner\n`))
}

// countResults is how many objects the findings are about.
func countResults(r *report.Report) int {
	n := 0
	for _, item := range r.Items {
		n += max(1, len(item.Objects))
	}
	return n
}
