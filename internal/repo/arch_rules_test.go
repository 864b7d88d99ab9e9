package repo_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// importRules are which packages below pkg/ each of them may import: what is seen, what is known of releases, the contract and its
// engine, facts, checks, reports, the driver. An area of checks imports no other one, and the engine no check.
func importRules() map[string][]string {
	area := []string{"check", "command", "facts", "fix", "operator", "phrase", "snapshot", "spark"}
	return map[string][]string{
		"redact":          nil,
		"spelling":        nil,
		"lazyregexp":      nil,
		"phrase":          nil,
		"durable":         nil,
		"input":           {"collect/await"},
		"snapshot":        {"redact", "snapshot/schema"},
		"snapshot/schema": nil,
		"snapshot/wire":   {"input", "redact", "snapshot", "snapshot/schema"},
		"snapshot/whole":  {"snapshot"},
		"spark":           {"snapshot"},

		"helm":              {"snapshot", "snapshot/wire"}, // of YAML as all files are read, within its bounds
		"operator":          {"helm", "operator/release", "operator/releases", "phrase", "snapshot", "spark"},
		"operator/release":  {"snapshot", "spark"},
		"operator/releases": {"operator/release", "snapshot", "spark"},

		"apiserver":         {"input"},
		"archive":           {"input", "snapshot", "snapshot/wire"},
		"collect":           {"apiserver", "collect/probe", "helm", "input", "operator", "snapshot", "snapshot/whole", "snapshot/wire", "spark"},
		"collect/await":     nil,
		"collect/manifests": {"archive", "collect/await", "input", "snapshot", "snapshot/whole", "snapshot/wire", "spelling"},
		"collect/probe":     nil,

		"collect/signatures": {"input", "why/catalog"},

		"fix":       {"snapshot"},
		"fix/apply": {"apiserver", "durable", "fix", "fix/plan", "phrase", "snapshot"},
		"fix/plan":  {"fix", "input", "phrase", "snapshot"},

		"command": {"operator", "snapshot"},

		"check": {"command", "fix", "helm", "operator", "snapshot", "spelling"},
		"facts": {"check", "command", "operator", "phrase", "snapshot", "snapshot/schema", "spark", "why/app", "why/cause", "why/mechanism"},

		"checks/webhook":      area,
		"checks/ownership":    area,
		"checks/size":         area,
		"checks/pods":         area,
		"checks/installation": area,
		"checks/permissions":  area,
		"checks/crds":         append(slices.Clone(area), "snapshot/schema", "spelling"),
		"checks/lifecycle":    append(slices.Clone(area), "spelling", "why/mechanism"), // of what the API server answers
		"checks/retries":      area,
		"checks/leftovers":    area,
		"checks/upgrade":      append(slices.Clone(area), "helm"), // the values that a gate is given
		"checks/connect":      area,
		"checks/changes":      append(slices.Clone(area), "checks/upgrade", "snapshot/schema"),                  // of the same area
		"checks/failures":     append(slices.Clone(area), "why/app", "why/cause", "why/mechanism", "why/words"), // what both say of an end
		"checks":              append(areas(), "check", "facts", "fix", "fix/plan", "operator", "snapshot", "spark"),
		"runbook":             {"check", "checks/upgrade", "command", "facts", "operator", "phrase", "snapshot"},

		"why": {"why/cause", "why/app", "why/change", "why/fields", "why/logs", "why/mechanism", "why/rank", "why/spec", "why/words", "check",
			"command", "operator", "phrase", "snapshot", "spark"},
		"why/cause":  {"check", "snapshot"},
		"why/change": {"lazyregexp", "why/app", "why/catalog", "why/cause", "why/logs", "why/mechanism", "why/rank", "snapshot", "spelling"},
		"why/app":    {"lazyregexp", "why/catalog", "check", "operator", "snapshot", "snapshot/whole", "spark", "spelling"},
		"why/mechanism": {"lazyregexp", "why/cause", "why/logs", "why/app", "why/policies", "check", "command", "operator", "phrase",
			"snapshot", "spark"},
		"why/logs": {"lazyregexp", "why/cause", "why/app", "why/catalog", "check", "snapshot"},
		"why/rank": {"lazyregexp", "why/app", "why/cause", "why/mechanism", "why/catalog", "check", "snapshot"},
		"why/words": {"lazyregexp", "why/cause", "why/app", "why/change", "why/fields", "why/logs", "why/mechanism", "why/rank",
			"why/catalog", "why/spec",
			"check", "command", "phrase", "snapshot"},
		"why/policies": nil,
		"why/catalog":  {"why/cause", "why/fields", "command", "document", "lazyregexp", "snapshot"},
		"why/fields":   {"lazyregexp", "why/cause"},
		"why/spec":     {"lazyregexp", "why/app", "why/cause", "why/mechanism", "snapshot"},

		"document": {"input", "spelling"},
		"config":   {"check", "checks", "document", "snapshot"},
		"rbac":     {"fix", "snapshot"},
		"report":   {"check", "checks", "command", "facts", "fix", "helm", "input", "operator", "phrase", "runbook", "snapshot", "snapshot/wire"},

		"report/casefile": {"why", "why/cause", "why/change", "check", "command", "facts", "phrase", "report", "snapshot"},
		"report/terminal": {"check", "command", "facts", "phrase", "report", "report/casefile", "snapshot"},
		"report/markdown": {"facts", "phrase", "report", "report/casefile"},
		"report/html":     {"check", "checks", "facts", "phrase", "report", "report/casefile", "snapshot"},
		"report/machine":  {"check", "checks", "report", "report/terminal", "snapshot"},
		"report/formats":  {"report", "report/html", "report/machine", "report/markdown", "report/terminal", "report/casefile"},

		"scan": {"apiserver", "archive", "why", "why/app", "why/catalog", "check", "checks", "checks/upgrade", "collect", "command",
			"collect/await", "collect/manifests", "facts", "why/cause", "fix", "fix/apply", "fix/plan", "helm", "input", "operator",
			"phrase", "report",
			"snapshot", "snapshot/wire", "spelling"},

		// Of tests. No rule above allows one of these.
		"why/corpus":          {"why", "why/app", "why/cause", "snapshot", "snapshot/wire", "spark"}, // roles, decoded as any
		"report/reporttest":   {"why", "why/cause", "why/change", "check", "command", "fix", "operator", "report", "report/casefile", "snapshot"},
		"check/checktest":     {"check", "checks/upgrade", "collect/manifests", "helm", "operator", "snapshot"},
		"durable/durabletest": {"durable"},
		"redact/redacttest":   nil,
	}
}

func areas() []string {
	return []string{"checks/webhook", "checks/ownership", "checks/size", "checks/pods", "checks/installation", "checks/permissions",
		"checks/crds",
		"checks/lifecycle", "checks/retries", "checks/leftovers",
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
