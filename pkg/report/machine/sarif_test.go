package machine_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// sarifSchema is the one that OASIS published (sarif-schema-2.1.0.json, errata01), as the linter's module has it: that
// module is pinned in tools/go.mod.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "-modfile="+filepath.Join("tools", "go.mod"),
		"github.com/securego/gosec/v2")
	cmd.Dir = filepath.Join("..", "..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var module struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &module))
	text, err := os.ReadFile(filepath.Join(module.Dir, "report", "sarif", "testdata", "sarif-schema-2.1.0.json"))
	require.NoError(t, err)
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	id := raw.(map[string]any)["id"]
	require.Equal(t, "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", id)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", raw))
	compiled, err := c.Compile("sarif.json")
	require.NoError(t, err)
	return compiled
}

func TestSARIFIsWhatTheStandardSays(t *testing.T) {
	s := sarifSchema(t)
	for name, r := range reporttest.All() {
		require.NoError(t, s.Validate(sarifOf(t, r)), name)
	}
	broken := sarifOf(t, reporttest.Night())
	broken["runs"].([]any)[0].(map[string]any)["results"].([]any)[0].(map[string]any)["level"] = "fatal"
	require.Error(t, s.Validate(broken), "the schema is the real one")
}

func TestSARIFSaysWhatTheReportSays(t *testing.T) {
	r := reporttest.Night()
	run := sarifOf(t, r)["runs"].([]any)[0].(map[string]any)
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	results := run["results"].([]any)
	require.Len(t, rules, len(r.Checks))
	require.Len(t, results, countResults(r))
	at := 0
	for _, item := range r.Items {
		result := results[at].(map[string]any)
		at += max(1, len(item.Objects))
		index, err := result["ruleIndex"].(json.Number).Int64()
		require.NoError(t, err)
		require.Equal(t, item.Check, rules[index].(map[string]any)["id"])
		require.Equal(t, item.Check, result["ruleId"])
		require.Equal(t, map[string]any{"sparkdoctorFinding/v1": item.Metadata.Name}, result["partialFingerprints"])
		text := result["message"].(map[string]any)["text"].(string)
		require.NotContains(t, text, "](", "no link")
		require.NotRegexp(t, `(^|[^{])\{\d+\}([^}]|$)`, text, "no placeholder")
	}
	require.Contains(t, rules[0].(map[string]any)["help"].(map[string]any)["markdown"], "## What to do")

	physical := results[1].(map[string]any)["locations"].([]any)[0].(map[string]any)["physicalLocation"]
	require.Equal(t, map[string]any{
		"artifactLocation": map[string]any{"uri": "dump/of/a/cluster/sparkapplications.yaml"},
		"region":           map[string]any{"startLine": json.Number("7")},
	}, physical)

	notes := sarifOf(t,
		reporttest.Partial())["runs"].([]any)[0].(map[string]any)["invocations"].([]any)[0].(map[string]any)["toolExecutionNotifications"]
	require.Equal(t, "skipped: could not list mutatingwebhookconfigurations: forbidden",
		notes.([]any)[0].(map[string]any)["message"].(map[string]any)["text"])
	require.Len(t, notes, 4, "a skipped check, two that saw a part, one that left something out")
}

// TestSARIFNotifiesOnlyOfGaps: a finding is a result. The verdict of a scan or of a gate is a property of the run, not a notification.
func TestSARIFNotifiesOnlyOfGaps(t *testing.T) {
	for _, r := range []*report.Report{reporttest.Night(), reporttest.Partial(), reporttest.Gate()} {
		run := sarifOf(t, r)["runs"].([]any)[0].(map[string]any)
		for _, note := range run["invocations"].([]any)[0].(map[string]any)["toolExecutionNotifications"].([]any) {
			note := note.(map[string]any)
			require.NotEqual(t, "error", note["level"])
			text := note["message"].(map[string]any)["text"]
			require.Regexp(t, "^(skipped|partial|not applicable|not read|not scanned|not rendered|not judged): ", text)
		}
		require.True(t, run["properties"].(map[string]any)["verdict"] != nil || run["properties"].(map[string]any)["gate"] != nil)
	}
}

// TestSARIFAddressesFiles: a blank, a percent sign or a colon in a path is no part of an address.
func TestSARIFAddressesFiles(t *testing.T) {
	for path, want := range map[string]string{
		"a dir/50%.yaml": "a%20dir/50%25.yaml", "a:b.yaml": "./a:b.yaml", "/abs/x.yaml": "file:///abs/x.yaml",
		"../up/x.yaml#1": "../up/x.yaml%231",
	} {
		r := reporttest.Night()
		r.Items[0].Location.File = path
		result := sarifOf(t, r)["runs"].([]any)[0].(map[string]any)["results"].([]any)[0].(map[string]any)
		at := result["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)["artifactLocation"]
		require.Equal(t, map[string]any{"uri": want}, at, path)
	}
}

func sarifOf(t *testing.T, r *report.Report) map[string]any {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, machine.SARIF(&b, r))
	value, err := jsonschema.UnmarshalJSON(&b)
	require.NoError(t, err)
	return value.(map[string]any)
}
