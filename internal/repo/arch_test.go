// Package repo_test holds the rules of the tree: which package may depend on what, where links lead, what CONTRIBUTING.md promises.
package repo_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/sparkdoctor/kubectl-sparkdoctor"

// TestValuesStayPure: everything between reading and printing is values, so nothing there may bring in a client or
// a command line, not even through another package.
func TestValuesStayPure(t *testing.T) {
	imports := importGraph(t)
	for _, pkg := range []string{"snapshot", "snapshot/wire", "spark", "redact", "operator", "check", "facts", "checks", "runbook", "fix",
		"fix/plan", "config", "rbac"} {
		for _, banned := range []string{"k8s.io/client-go", "k8s.io/cli-runtime", "github.com/spf13/cobra"} {
			chain := path(imports, module+"/pkg/"+pkg, banned)
			require.Empty(t, chain, "pkg/%s depends on %s: %s", pkg, banned, strings.Join(chain, " → "))
		}
	}
}

// TestOnlyCollectAndApplyHaveClients: one package under pkg/ makes the connection to a cluster, one reads, and one writes.
func TestOnlyCollectAndApplyHaveClients(t *testing.T) {
	seen := 0
	for pkg, imports := range importGraph(t) {
		rest, ours := strings.CutPrefix(pkg, module+"/pkg/")
		if !ours || under(rest, "apiserver") || rest == "collect" || under(rest, "collect/probe") || under(rest, "fix/apply") {
			continue
		}
		seen++
		for _, imported := range imports {
			require.False(t, under(imported, "k8s.io/client-go"), "%s → %s", pkg, imported)
		}
	}
	require.Positive(t, seen)
}

// TestScanIsTheDriver: it drives all others, so that none of these may know it, and whoever embeds it has no command line.
func TestScanIsTheDriver(t *testing.T) {
	const scan = module + "/pkg/scan"
	imports := importGraph(t)
	require.Contains(t, imports, scan)
	for _, banned := range []string{"github.com/spf13", "k8s.io/cli-runtime/pkg/genericclioptions",
		"k8s.io/cli-runtime/pkg/genericiooptions"} {
		chain := path(imports, scan, banned)
		require.Empty(t, chain, "pkg/scan depends on %s: %s", banned, strings.Join(chain, " → "))
	}
	for _, imported := range imports[scan] {
		require.False(t, under(imported, "k8s.io/cli-runtime"), "pkg/scan → %s", imported)
	}
	for pkg, list := range imports {
		if under(pkg, module+"/pkg") {
			require.NotContains(t, list, scan, "%s → pkg/scan", pkg)
		}
	}
}

// TestWhyIsSequential: make test-race leaves pkg/why out, so that it may start no goroutine.
func TestWhyIsSequential(t *testing.T) {
	seen := 0
	require.NoError(t, filepath.WalkDir("pkg/why", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		seen++
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			_, starts := n.(*ast.GoStmt)
			of, is := n.(*ast.SelectorExpr)
			starts = starts || is && of.Sel.Name == "WaitGroup"
			require.False(t, starts, "%s starts a goroutine: let make test-race run pkg/why", file)
			return true
		})
		for _, i := range tree.Imports {
			require.NotContains(t, i.Path.Value, "errgroup", file)
		}
		return nil
	}))
	require.Greater(t, seen, 50)
}

// TestApplicationsAreDecodedOnce: package app turns objects into typed values, and what diagnoses reads no JSON beside it. The corpus
// of tests makes objects.
func TestApplicationsAreDecodedOnce(t *testing.T) {
	const unstructured = "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	seen, imports := 0, importGraph(t)
	require.Contains(t, imports[module+"/pkg/why/app"], unstructured)
	for pkg, list := range imports {
		if !under(pkg, module+"/pkg/why") || pkg == module+"/pkg/why/app" || pkg == module+"/pkg/why/corpus" {
			continue
		}
		seen++
		require.NotContains(t, list, unstructured, "%s reads an object by itself: let pkg/why/app decode it", pkg)
	}
	require.Greater(t, seen, 8)
}

func TestPathFindsTheChain(t *testing.T) {
	imports := map[string][]string{"a": {"b", "c"}, "c": {"d"}, "d": {"x/y"}}
	require.Equal(t, []string{"a", "c", "d", "x/y"}, path(imports, "a", "x"))
	require.Empty(t, path(imports, "b", "x"))
	require.Empty(t, path(map[string][]string{"a": {"xy"}}, "a", "x"), "a name that only starts the same")
}

// importGraph maps every package that pkg/ needs to what it imports.
func importGraph(t *testing.T) map[string][]string {
	t.Helper()
	// go test caches results by the files that the test itself looks at, not by what go list reads.
	require.NoError(t, filepath.WalkDir("pkg", func(_ string, _ fs.DirEntry, err error) error { return err }))
	_, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./pkg/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	graph := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		graph[fields[0]] = fields[1:]
	}
	require.Contains(t, graph, module+"/pkg/checks")
	return graph
}

// path returns the shortest chain of imports from a package to one below a root, nil if there is none.
func path(imports map[string][]string, from, root string) []string {
	chains := [][]string{{from}}
	for seen := map[string]bool{from: true}; len(chains) > 0; chains = chains[1:] {
		chain := chains[0]
		last := chain[len(chain)-1]
		if under(last, root) {
			return chain
		}
		for _, next := range imports[last] {
			if !seen[next] {
				seen[next] = true
				chains = append(chains, append(slices.Clone(chain), next))
			}
		}
	}
	return nil
}

func under(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }
