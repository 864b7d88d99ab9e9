package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

func rawSchema(t *testing.T) map[string]any {
	t.Helper()
	var raw map[string]any
	require.NoError(t, json.Unmarshal(report.Schema(), &raw))
	return raw
}

func compile(t *testing.T, raw map[string]any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("schema.json", raw))
	compiled, err := c.Compile("schema.json")
	require.NoError(t, err)
	return compiled
}

// strict is the schema with every object closed: the published one is open, so that fields may be added, but a field
// that today's schema does not know is a mistake in today's report.
func strict(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw := rawSchema(t)
	closed := 0
	closeObject := func(s map[string]any) {
		if _, is := s["properties"]; is {
			s["additionalProperties"] = false
			closed++
		}
	}
	for _, def := range raw["$defs"].(map[string]any) {
		closeObject(def.(map[string]any))
	}
	require.Greater(t, closed, 10)
	return compile(t, raw)
}

func decode(t *testing.T, r *report.Report) map[string]any {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, r))
	return decodeJSON(t, &b)
}

func decodeJSON(t *testing.T, r io.Reader) map[string]any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(r)
	require.NoError(t, err)
	return value.(map[string]any)
}

func TestSamplesAreValid(t *testing.T) {
	s := strict(t)
	for name, r := range reporttest.All() {
		require.NoError(t, s.Validate(decode(t, r)), name)
		var b bytes.Buffer
		require.NoError(t, report.YAML(&b, r))
		converted, err := yaml.YAMLToJSON(b.Bytes())
		require.NoError(t, err)
		require.Equal(t, decode(t, r), decodeJSON(t, bytes.NewReader(converted)), "%s: yaml and json say the same", name)
	}
}

// TestCaseFilesAreValid holds the case file of every class to the schema, which tells it from a report by its kind.
func TestCaseFilesAreValid(t *testing.T) {
	s := strict(t)
	document := func(name string) map[string]any {
		var b, y bytes.Buffer
		d := reporttest.Document(reporttest.CaseFiles()[name])
		require.NoError(t, report.EncodeJSON(&b, d, "    "))
		require.NoError(t, report.EncodeYAML(&y, d))
		converted, err := yaml.YAMLToJSON(y.Bytes())
		require.NoError(t, err)
		value := decodeJSON(t, &b)
		require.Equal(t, value, decodeJSON(t, bytes.NewReader(converted)), "%s: yaml and json say the same", name)
		return value
	}
	for name := range reporttest.CaseFiles() {
		require.NoError(t, s.Validate(document(name)), name)
	}
	for name, spoil := range map[string]func(d map[string]any){
		"a made-up class": func(d map[string]any) { d["verdict"].(map[string]any)["class"] = "oom" },
		"no causes":       func(d map[string]any) { d["causes"] = []any{} },
		"no unseen":       func(d map[string]any) { delete(d, "unseen") },
		"another kind":    func(d map[string]any) { d["kind"] = "ScanReport" },
		"no kind":         func(d map[string]any) { delete(d, "kind") },
	} {
		d := document("full")
		spoil(d)
		require.Error(t, compile(t, rawSchema(t)).Validate(d), name)
	}
	var b bytes.Buffer
	require.NoError(t, report.EncodeJSON(&b, reporttest.Document(reporttest.FullCaseFile()), ""))
	_, err := report.Read(b.Bytes())
	require.ErrorContains(t, err, "it is a CaseFile", "a case file is no baseline")
}

// TestSchemaHasEveryClass: a class that is added to the code is added to the contract.
func TestSchemaHasEveryClass(t *testing.T) {
	want := []any{}
	for _, class := range cause.Classes() {
		want = append(want, string(class))
	}
	defs := rawSchema(t)["$defs"].(map[string]any)
	for _, def := range []string{"caseVerdict", "cause"} {
		require.Equal(t, want, defs[def].(map[string]any)["properties"].(map[string]any)["class"].(map[string]any)["enum"], def)
	}
}

// TestReportsOfFixturesAreValid makes the report of every fixture of the checks, as partial and as complete input.
func TestReportsOfFixturesAreValid(t *testing.T) {
	s := strict(t)
	paths, err := filepath.Glob("../checks/*/testdata/SD*/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	findings := 0
	ways := []bool{true, false}
	if !sampling.Nightly() {
		ways = ways[:1] // with fewer checks that are not applicable
	}
	for _, path := range sampling.NightlyOf(paths) {
		for _, complete := range ways {
			shot, in, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{path}, Complete: complete, Now: time.Now()})
			require.NoError(t, err)
			results := check.Correlate(check.Run(shot, checks.All(), check.DefaultParams()))
			source := report.Source{Name: "files", Type: "files", Files: in.Files, Objects: in.Objects, Unread: in.Unread}
			scope := report.Scope{Namespaces: []string{}, Installations: []report.Installation{}}
			r := report.Build(shot, report.Tool{Version: "dev"}, source, scope, results, command.Asked{})
			require.NoError(t, s.Validate(decode(t, r)), path)
			findings += len(r.Items)
		}
	}
	require.Positive(t, findings)
}

func TestWrongReportsFail(t *testing.T) {
	published := compile(t, rawSchema(t))
	for name, spoil := range map[string]func(r map[string]any){
		"another kind":          func(r map[string]any) { r["kind"] = "FixReport" },
		"no checks":             func(r map[string]any) { delete(r, "checks") },
		"items are null":        func(r map[string]any) { r["items"] = nil },
		"no source":             func(r map[string]any) { r["sources"] = []any{} },
		"time is no time":       func(r map[string]any) { r["metadata"] = map[string]any{"creationTimestamp": "yesterday"} },
		"a made-up severity":    func(r map[string]any) { item(r)["severity"] = "critical" },
		"no message":            func(r map[string]any) { item(r)["message"] = "" },
		"no fingerprint":        func(r map[string]any) { item(r)["metadata"] = map[string]any{"name": "etl"} },
		"affects nothing":       func(r map[string]any) { item(r)["affected"] = json.Number("0") },
		"evidence is a string":  func(r map[string]any) { item(r)["evidence"] = []any{"uid"} },
		"object without a name": func(r map[string]any) { item(r)["object"] = map[string]any{"kind": "Pod"} },
		"docs are no address":   func(r map[string]any) { item(r)["docs"] = "see below" },
		"a made-up status":      func(r map[string]any) { r["checks"].([]any)[0].(map[string]any)["status"] = "unknown" },
		"a count below nothing": func(r map[string]any) {
			r["summary"].(map[string]any)["findings"].(map[string]any)["error"] = json.Number("-1")
		},
		"a cause without a hash": func(r map[string]any) { item(r)["causedBy"] = []any{"SD2001"} },
	} {
		r := decode(t, reporttest.Night())
		require.NoError(t, published.Validate(r))
		spoil(r)
		require.Error(t, published.Validate(r), name)
	}
}

func TestFieldsMayBeAddedLater(t *testing.T) {
	r := decode(t, reporttest.Night())
	item(r)["fixes"] = []any{}
	r["addedLater"] = map[string]any{}
	require.NoError(t, compile(t, rawSchema(t)).Validate(r))
	require.Error(t, strict(t).Validate(r), "but today's reports have no such field")
}

func item(r map[string]any) map[string]any { return r["items"].([]any)[0].(map[string]any) }

// TestSchemaAndTypesAgree walks the Go types and the schema together: the same fields, the same types, required
// where a field is always written, and a description everywhere.
func TestSchemaAndTypesAgree(t *testing.T) {
	raw := rawSchema(t)
	defs := raw["$defs"].(map[string]any)
	used := map[string]bool{}
	var walk func(where string, s map[string]any, typ reflect.Type)
	walk = func(where string, s map[string]any, typ reflect.Type) {
		require.NotEmpty(t, s["description"], "%s has no description", where)
		for s["$ref"] != nil {
			name := strings.TrimPrefix(s["$ref"].(string), "#/$defs/")
			require.Contains(t, defs, name, where)
			used[name] = true
			s = defs[name].(map[string]any)
		}
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		switch {
		case typ == reflect.TypeFor[time.Time]():
			require.Equal(t, "date-time", s["format"], where)
		case typ.Kind() == reflect.Struct:
			require.Equal(t, "object", s["type"], where)
			fields(t, where, s, typ, walk)
		case typ.Kind() == reflect.Slice:
			require.Equal(t, "array", s["type"], where)
			items := maps.Clone(s["items"].(map[string]any))
			items["description"] = "an item"
			walk(where+"[]", items, typ.Elem())
		case typ.Kind() == reflect.Int:
			require.Equal(t, "integer", s["type"], where)
		case typ.Kind() == reflect.Bool:
			require.Equal(t, "boolean", s["type"], where)
		case typ.Kind() == reflect.Interface: // a value of any type
			require.NotContains(t, s, "type", where)
		case s["const"] == nil && s["enum"] == nil:
			require.Equal(t, "string", s["type"], where)
			require.Equal(t, reflect.String, typ.Kind(), where)
		}
	}
	for name, typ := range map[string]reflect.Type{"scanReport": reflect.TypeFor[formats.Scan](),
		"caseFile": reflect.TypeFor[casefile.Document](), "caseFileList": reflect.TypeFor[casefile.List](), "upgradePlan": reflect.TypeFor[report.Plan]()} {
		walk(name, map[string]any{"$ref": "#/$defs/" + name, "description": "a root"}, typ)
	}
	for name := range defs {
		require.True(t, used[name], "$defs/%s is of no use", name)
	}
}

func fields(t *testing.T, where string, s map[string]any, typ reflect.Type, walk func(string, map[string]any, reflect.Type)) {
	t.Helper()
	properties := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(typ) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || f.Anonymous || !f.IsExported() {
			continue
		}
		known[name] = true
		require.Contains(t, properties, name, "%s.%s", where, name)
		if !strings.Contains(options, "omit") {
			require.Contains(t, required, name, "%s.%s is always written", where, name)
		}
		walk(where+"."+name, properties[name].(map[string]any), f.Type)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(properties)), names(required)) {
		require.True(t, known[name], "%s.%s is in the schema but not in the types", where, name)
	}
}

func names(list []any) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, v.(string))
	}
	return out
}
