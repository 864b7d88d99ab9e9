package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// TestProjectionShowsReport holds that every field of a report changes its projection, but for those that are named here: a new one is
// shown, or it is decided here that its hash is enough.
func TestProjectionShowsReport(t *testing.T) {
	var r report.Report
	text := func(gate bool) func() string {
		return func() string {
			of := reported{report: r}
			if !gate {
				of.report.Gate = nil
			}
			of.name()
			of.describe(true)
			return whole(of.entries)
		}
	}
	parts := "Tool Sources Summary ClusterRead NamespaceRead Metrics Suppressed Baseline Cost "
	names := "APIVersion UID Source Location FieldLine"
	require.Equal(t, []string{
		"Kind", "Metadata.CreationTimestamp", "Scope.Namespaces", "Scope.Level", "Scope.Selector", "Scope.Objects",
		"Verdict.Roots.Check", // is in the name of its finding
		"Items.Kind", "Items.Metadata.Name", "Items.Slug", "Items.Baseline.Class", "Items.Baseline.Reason", "Items.Docs",
		"Checks.Slug", "Checks.Title", "Checks.Findings",
	}, without(parts+"Gate", names, hiddenLeaves(&r, text(false))))
	require.Equal(t, []string{
		"Gate.Release.Umbrella", "Gate.Release.Values", "Gate.Release.HistoryTotal", "Gate.Release.History.Revision",
		"Gate.Release.History.Status",
	}, without(parts+"Kind Metadata Scope Verdict Namespaces Items Checks", names, hiddenLeaves(&r, text(true))))
}

// TestProjectionShowsPlan holds that every field of a plan changes its projection, but for those that are named here.
func TestProjectionShowsPlan(t *testing.T) {
	var p plan.Plan
	parts, names := "Cluster ClusterRead", "APIVersion UID"
	require.Equal(t, []string{
		"Kind", "Made", "Fixes.Findings.Name", "Fixes.Steps.Changes.Hidden", "Skipped.Finding.Name",
		"Skipped.Aside", // whether its exit code counts: the code is in the output
		"Files", "Unknown",
	}, without(parts, names, hiddenLeaves(&p, func() string { return whole((&reported{}).plan(p)) })))
	require.Equal(t, []string{
		"Skipped.Finding.Name", "Skipped.Finding.Object.Kind", "Skipped.Finding.Object.Namespace", "Skipped.Finding.Object.Name",
		"Skipped.Finding.Severity", "Skipped.Aside", "Skipped.Next.Text", "Skipped.Next.Command", // a check has none of these
	}, without(parts+" Kind Made Fixes Files Unknown", names, hiddenLeaves(&p, func() string {
		check := p
		check.Skipped = slices.Clone(p.Skipped)
		check.Skipped[0].Name = ""
		return whole((&reported{}).plan(check))
	})))
}

// without are the paths that do not begin with one of the words, and contain none of the names.
func without(first, names string, paths []string) []string {
	return slices.DeleteFunc(paths, func(path string) bool {
		steps := strings.Split(path, ".")
		return slices.Contains(strings.Fields(first), steps[0]) ||
			slices.ContainsFunc(steps, func(s string) bool { return slices.Contains(strings.Fields(names), s) })
	})
}

// hiddenLeaves gives each field of a value something of its own, and returns those that do not matter to a text, without indexes.
func hiddenLeaves(value any, text func() string) []string {
	populate(reflect.ValueOf(value).Elem(), "")
	before := text()
	var hidden []string
	leaves(reflect.ValueOf(value).Elem(), "", func(path string, v reflect.Value) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		alter(v)
		if text() == before {
			hidden = append(hidden, path)
		}
		v.Set(old)
	})
	return hidden
}

// populate gives a value, and all in it, what tells it from any other: a string its path, a list one element.
func populate(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		populate(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		populate(v.Index(0), path)
	case reflect.Interface:
		v.Set(reflect.ValueOf(path))
	case reflect.Struct:
		eachField(v, path, populate)
	}
}

// leaves visits all that has no parts.
func leaves(v reflect.Value, path string, visit func(string, reflect.Value)) {
	below := func(v reflect.Value, path string) { leaves(v, path, visit) }
	switch {
	case v.Kind() == reflect.Pointer:
		below(v.Elem(), path)
	case v.Kind() == reflect.Slice:
		below(v.Index(0), path)
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		eachField(v, path, below)
	default:
		visit(path, v)
	}
}

// eachField visits the fields that are written.
func eachField(v reflect.Value, path string, visit func(reflect.Value, string)) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
			visit(v.Field(i), strings.TrimPrefix(path+"."+f.Name, "."))
		}
	}
}

// alter gives a leaf another value.
func alter(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + " altered")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Interface:
		v.Set(reflect.ValueOf("altered"))
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)))
	default:
		panic("a leaf of a kind that the test does not know: " + v.Type().String())
	}
}
