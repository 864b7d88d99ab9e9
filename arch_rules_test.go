package arch_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// importRules are which packages below pkg/ each of them may import: what is seen, what is known of releases, the contract and its
// engine, facts, checks, reports, the driver. An area of checks imports no other one, and the engine no check.
func importRules() map[string][]string {
	area := []string{"check", "command", "facts", "fix", "operator", "snapshot", "spark"}
	return map[string][]string{
		"redact":          nil,
		"spelling":        nil,
		"snapshot":        {"redact", "snapshot/schema"},
		"snapshot/schema": nil,
		"snapshot/wire":   {"redact", "snapshot", "snapshot/schema"},
		"snapshot/whole":  {"snapshot"},
		"spark":           {"snapshot"},

		"helm":              {"snapshot", "snapshot/wire"}, // of YAML as all files are read, within its bounds
		"operator":          {"helm", "operator/release", "operator/releases", "snapshot", "spark"},
		"operator/release":  {"snapshot", "spark"},
		"operator/releases": {"operator/release", "snapshot", "spark"},

		"apiserver":         nil,
		"archive":           {"snapshot", "snapshot/wire"},
		"collect":           {"apiserver", "collect/probe", "helm", "operator", "snapshot", "snapshot/whole", "snapshot/wire", "spark"},
		"collect/await":     nil,
		"collect/manifests": {"archive", "collect/await", "snapshot", "snapshot/whole", "snapshot/wire"},
		"collect/probe":     nil,

		"fix":       {"snapshot"},
		"fix/plan":  {"fix", "snapshot"},
		"fix/apply": {"apiserver", "fix", "fix/plan", "snapshot"},

		"command": {"operator", "snapshot"},

		"check": {"command", "fix", "helm", "operator", "snapshot", "spelling"},
		"facts": {"check", "command", "operator", "snapshot", "spark"},

		"checks/webhook":      area,
		"checks/ownership":    area,
		"checks/size":         area,
		"checks/pods":         area,
		"checks/installation": area,
		"checks/lifecycle":    area,
		"checks/upgrade":      append(slices.Clone(area), "helm"), // the values that a gate is given
		"checks/connect":      area,
		"checks/changes":      append(slices.Clone(area), "checks/upgrade", "snapshot/schema"),  // of the same area
		"checks/failures":     append(slices.Clone(area), "casefile/cause", "casefile/objects"), // what both say of an end
		"checks":              append(areas(), "check", "facts", "fix", "fix/plan", "operator", "snapshot", "spark"),
		"runbook":             {"check", "checks/upgrade", "command", "facts", "operator", "snapshot"},

		"casefile": {"casefile/cause", "casefile/evidence", "casefile/logs", "casefile/objects", "casefile/policies", "casefile/signatures",
			"casefile/spec", "check",
			"command", "facts", "operator", "snapshot", "spark"},
		"casefile/cause":      {"check", "command", "snapshot"},
		"casefile/evidence":   {"check", "operator", "snapshot", "spark", "spelling"},
		"casefile/objects":    {"casefile/cause", "casefile/evidence", "check", "command", "facts", "operator", "snapshot", "spark"},
		"casefile/logs":       {"casefile/cause", "casefile/evidence", "casefile/signatures", "check", "command", "snapshot"},
		"casefile/policies":   nil,
		"casefile/signatures": {"casefile/cause", "command"},
		"casefile/spec":       {"casefile/cause", "casefile/objects", "command", "snapshot"},

		"config": {"check", "checks", "snapshot"},
		"rbac":   {"fix", "snapshot"},
		"report": {"check", "checks", "command", "facts", "fix", "helm", "operator", "runbook", "snapshot", "snapshot/wire"},

		"report/why":      {"casefile", "casefile/cause", "check", "command", "facts", "report", "snapshot"},
		"report/terminal": {"check", "facts", "report", "report/why", "snapshot"},
		"report/markdown": {"facts", "report", "report/why"},
		"report/html":     {"check", "checks", "facts", "report", "report/why", "snapshot"},
		"report/machine":  {"check", "checks", "report", "report/terminal", "snapshot"},
		"report/formats":  {"report", "report/html", "report/machine", "report/markdown", "report/terminal", "report/why"},

		"scan": {"apiserver", "archive", "casefile", "casefile/evidence", "check", "checks", "checks/upgrade", "collect", "command",
			"collect/await", "collect/manifests", "facts", "fix", "fix/apply", "fix/plan", "helm", "operator", "report", "snapshot",
			"snapshot/wire", "spelling"},

		"report/reporttest": {"casefile", "casefile/cause", "check", "command", "fix", "operator", "report", "report/why", "snapshot"},
		"check/checktest":   {"check", "checks/upgrade", "collect/manifests", "helm", "operator", "snapshot"},
		"redact/redacttest": nil,
	}
}

func areas() []string {
	return []string{"checks/webhook", "checks/ownership", "checks/size", "checks/pods", "checks/installation", "checks/lifecycle",
		"checks/upgrade", "checks/changes", "checks/failures", "checks/connect"}
}

// TestImportsGoOneWay fails for a package that no rule names, too.
func TestImportsGoOneWay(t *testing.T) {
	rules, seen := importRules(), 0
	for pkg, imports := range importGraph(t) {
		name, ours := strings.CutPrefix(pkg, module+"/pkg/")
		if !ours {
			continue
		}
		seen++
		allowed, named := rules[name]
		require.True(t, named, "no rule says what pkg/%s may import", name)
		for _, imported := range imports {
			if rest, own := strings.CutPrefix(imported, module+"/pkg/"); own {
				require.Contains(t, allowed, rest, "pkg/%s → pkg/%s", name, rest)
			}
		}
	}
	require.Greater(t, seen, 20)
}

// TestFoldersAreSmall: a stranger should see what is in a folder.
func TestFoldersAreSmall(t *testing.T) {
	const most = 25
	count := map[string]int{}
	for _, root := range []string{"cmd", "internal", "pkg", "test", "tools"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				count[filepath.Dir(path)]++
			}
			return err
		}))
	}
	require.Greater(t, len(count), 40)
	for dir, n := range count {
		require.LessOrEqual(t, n, most, dir)
	}
}
