package why_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// TestEachMechanismIsShown holds that an input shows each mechanism that the code names: a case of the corpus, a recording, or a fixture
// beside the mechanisms.
func TestEachMechanismIsShown(t *testing.T) {
	by := map[cause.ID]bool{}
	show := func(e *app.Evidence) {
		for id := range why.Shown(e) {
			by[id] = true
		}
	}
	for _, c := range shown(t) {
		show(asItIs(t, &c)) // as the command reads it, with findings of checks
	}
	for name := range answers() {
		show(recording(t, name))
	}
	for _, c := range fixtures(t) {
		by[c.Shows] = true // TestFixturesOfMechanisms holds that it does
	}
	var unshown []string
	for _, id := range mechanismIDs(t) {
		if !by[cause.ID(id)] {
			unshown = append(unshown, id)
		}
	}
	require.Empty(t, unshown, "mechanisms without an input: add a fixture, pkg/why/mechanism/testdata/ID.txtar")
}

// TestFixturesOfMechanisms holds what each fixture says of its mechanism: it is shown, as the class that the fixture names; it is not where
// the one fact that tells it from what looks alike is another, nor without what proves it.
func TestFixturesOfMechanisms(t *testing.T) {
	for _, c := range fixtures(t) {
		t.Run(c.ID, func(t *testing.T) {
			name := strings.TrimPrefix(c.ID, "server-") // a second input of a mechanism has its name, and what is different
			require.True(t, name == string(c.Shows) || c.ID == string(c.Shows) || strings.HasPrefix(name, string(c.Shows)+"-"), c.Shows)
			one := decoded(t, c)
			e := one.Evidence(one.objects)
			v := why.Open(e).Causes[0]
			text := corpus.Text(&v)
			require.Contains(t, why.Shown(e), c.Shows, text)
			result, wrong := c.Judge(&v)
			require.Equal(t, corpus.Right, result, "%s\n%s", wrong, text)
			if c.Certainty != "" {
				require.Equal(t, c.Certainty, v.Certainty.String(), text)
			}
			alike := decoded(t, alikeOf(t, c))
			require.NotContains(t, why.Shown(alike.Evidence(alike.objects)), c.Shows, "alike")
			less := decoded(t, withoutProof(t, c))
			require.NotContains(t, why.Shown(less.Evidence(less.objects)), c.Shows, "without %s", c.ProvedBy)
		})
	}
}

// fixtures are the cases beside the mechanisms, each named for the one that it shows: server-ID where it ends the server of Spark Connect,
// and ends drivers, too.
func fixtures(t *testing.T) []corpus.Case {
	t.Helper()
	cases, err := corpus.Read(os.DirFS("mechanism"))
	require.NoError(t, err)
	return cases
}

// alikeOf is a case with another value of its one fact, which stands in it once.
func alikeOf(t *testing.T, c corpus.Case) corpus.Case {
	t.Helper()
	found := 0
	swap := func(text string) string {
		found += strings.Count(text, c.Alike.Fact)
		return strings.ReplaceAll(text, c.Alike.Fact, c.Alike.Instead)
	}
	require.NotEmpty(t, c.Alike.Fact)
	c.ObjectsYAML, c.Said = swap(c.ObjectsYAML), swap(c.Said)
	logs := map[string]string{}
	for file, text := range c.Logs {
		logs[file] = swap(text)
	}
	c.Logs = logs
	require.Equal(t, 1, found, "times the fact stands in the fixture: %s", c.Alike.Fact)
	return c
}

// withoutProof is a case without the object, the log or the words of the operator that prove its mechanism.
func withoutProof(t *testing.T, c corpus.Case) corpus.Case {
	t.Helper()
	if c.ProvedBy == "said" {
		c.Said = ""
		return c
	}
	logs, documents := map[string]string{}, []string{}
	for file, text := range c.Logs {
		if file != c.ProvedBy {
			logs[file] = text
		}
	}
	for _, document := range strings.Split(c.ObjectsYAML, "\n---\n") {
		one := c
		one.ObjectsYAML = document
		if o := decoded(t, one).objects[0]; strings.ToLower(o.GetKind())+"/"+o.GetName() != c.ProvedBy {
			documents = append(documents, document)
		}
	}
	require.NotEqual(t, len(c.Logs)+len(decoded(t, c).objects), len(logs)+len(documents), "has no %s", c.ProvedBy)
	c.Logs, c.ObjectsYAML = logs, strings.Join(documents, "\n---\n")
	return c
}

// mechanismIDs are the ids that the methods named Mechanism return as a literal. Others name a signature or what another detail is.
func mechanismIDs(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, dir := range []string{"mechanism", "spec", "logs", "rank"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, d := range parsed.Decls {
				if f, is := d.(*ast.FuncDecl); is && f.Name.Name == "Mechanism" && f.Recv != nil {
					out = append(out, returned(t, f)...)
				}
			}
		}
	}
	require.NotEmpty(t, out)
	return out
}

// returned are the string literals that a function returns.
func returned(t *testing.T, f *ast.FuncDecl) []string {
	t.Helper()
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		r, is := n.(*ast.ReturnStmt)
		if !is {
			return true
		}
		if literal, is := r.Results[0].(*ast.BasicLit); is {
			id, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			if id != "" { // of what names none
				out = append(out, id)
			}
		}
		return true
	})
	return out
}
