package repo_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const why = module + "/pkg/why"

// TestOwnWordsAreNotRead: why decides on typed values. What it composed, sentences, advice and values of the evidence, no code searches,
// cuts, matches or measures; two of them may be compared, to say nothing twice.
func TestOwnWordsAreNotRead(t *testing.T) {
	imports := exported(t, "./pkg/why/...")
	for _, dir := range []string{"", "/mechanism", "/rank", "/spec", "/words"} {
		files, err := filepath.Glob("pkg/why" + dir + "/*.go")
		require.NoError(t, err)
		files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
		require.NotEmpty(t, files, dir)
		var sources []string
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			sources = append(sources, string(text))
		}
		require.Empty(t, readsOwnWords(t, imports, why+dir, files, sources))
	}
}

func TestOwnWordsThatAreReadAreFound(t *testing.T) {
	const head = "package x\nimport (\"regexp\"; \"strings\"; \"" + why + "/cause\"; \"" + why + "/rank\"; \"" + why + "/words\")\n" +
		"var _ = strings.Contains\nvar re = regexp.MustCompile(`x`)\nvar _ words.Phrase\n" +
		"func f(c *cause.Cause, a *rank.Answer, said string) bool {\n"
	imports := exported(t, "./pkg/why/...")
	for body, found := range map[string]bool{
		`return strings.Contains(words.Terms{}.Of(c).Says, "driver")`:                                         true,
		`p := words.Terms{}.OfAnswer(a); return re.MatchString(p.Do[0].Text)`:                                 true,
		`says := words.Terms{}.Of(c).Says + ";"; return len(says) < 10`:                                       true,
		`for _, e := range c.Evidence { if e.Value == "True" { return true } }; return false`:                 true,
		`v := ""; for _, e := range c.Evidence { v += e.Value }; _, _, ok := strings.Cut(v, ": "); return ok`: true,
		`says := "the driver of " + said; return strings.Contains(says, said)`:                                true,
		`return strings.Contains(said, words.Terms{}.Of(c).Says)`:                                             true,
		`return strings.Contains(said, "driver") || c.Evidence[0].Field == "spec"`:                            false,
		`return words.Terms{}.Of(c).Says != "" && c.Evidence[0].Value == c.Evidence[1].Value`:                 false,
	} {
		all := readsOwnWords(t, imports, module+"/x", []string{"x.go"}, []string{head + body + "\n}\n"})
		require.Equal(t, found, len(all) > 0, "%s: %v", body, all)
	}
}

// exported maps packages, and all that these need, to the files of what they export.
func exported(t *testing.T, pattern string) types.Importer {
	t.Helper()
	require.NoError(t, filepath.WalkDir("pkg", func(_ string, _ os.DirEntry, err error) error { return err }))
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", pattern)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
}

// ownWords are the fields that hold what was composed, by their type.
func ownWords(of, field string) bool {
	return slices.Contains([]string{why + "/cause.Proof.Value", why + ".Cause.Message", why + "/words.Phrase.Says",
		why + "/words.meanings.lead", module + "/pkg/command.Command.Text", module + "/pkg/command.Command.Line"}, of+"."+field)
}

// composed tells expressions of a package that hold such words.
type composed struct {
	pkg  string
	info *types.Info
	vars map[types.Object]bool // that were given some
}

// is reports whether such words are part of the value of an expression.
func (c *composed) is(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.is(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (c.is(e.X) || c.is(e.Y) || c.prose(e.X) || c.prose(e.Y))
	case *ast.SliceExpr:
		return c.is(e.X)
	case *ast.Ident:
		return c.vars[c.info.ObjectOf(e)]
	case *ast.SelectorExpr:
		of := c.info.TypeOf(e.X)
		if of == nil {
			return false
		}
		if pointer, is := of.(*types.Pointer); is {
			of = pointer.Elem()
		}
		return ownWords(of.String(), e.Sel.Name)
	case *ast.CallExpr:
		f := c.called(e)
		if f == nil || f.Pkg() == nil {
			return false
		}
		text := c.info.TypeOf(e).String() == "string"
		if f.Pkg().Path() == "fmt" && f.Name() == "Sprintf" {
			return c.prose(e.Args[0])
		}
		changed := f.Pkg().Path() == "strings" && slices.ContainsFunc(e.Args, c.is) // in lower case, without spaces
		return text && (changed || f.Pkg().Path() == why+"/words" && f.Pkg().Path() != c.pkg)
	default:
		return false
	}
}

// prose reports whether an expression is a constant of several words.
func (c *composed) prose(e ast.Expr) bool {
	v := c.info.Types[e].Value
	return v != nil && v.Kind() == constant.String && strings.Contains(strings.Trim(constant.StringVal(v), ":;, "), " ")
}

func (c *composed) called(e *ast.CallExpr) types.Object {
	switch f := e.Fun.(type) {
	case *ast.Ident:
		return c.info.ObjectOf(f)
	case *ast.SelectorExpr:
		return c.info.ObjectOf(f.Sel)
	default:
		return nil
	}
}

// reads reports whether a node decides by what such words are.
func (c *composed) reads(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		fixed := func(e ast.Expr) bool { v := c.info.Types[e].Value; return v != nil && v.ExactString() != `""` }
		return (n.Op == token.EQL || n.Op == token.NEQ) && (c.is(n.X) && fixed(n.Y) || c.is(n.Y) && fixed(n.X))
	case *ast.CallExpr:
		f := c.called(n)
		if f == nil || !slices.ContainsFunc(n.Args, c.is) {
			return false
		}
		if _, builtin := f.(*types.Builtin); builtin {
			return f.Name() == "len"
		}
		composes := []string{"Join", "TrimSpace", "TrimSuffix", "ToLower", "Repeat", "Replace", "ReplaceAll", "Compare"}
		of, name := "", f.Name()
		if f.Pkg() != nil {
			of = f.Pkg().Path()
		}
		return of == "regexp" && name != "MustCompile" || of == "strings" && !slices.Contains(composes, name)
	default:
		return false
	}
}

// readsOwnWords says where the files of a package do.
func readsOwnWords(t *testing.T, imports types.Importer, pkg string, names, sources []string) (found []string) {
	t.Helper()
	set, files := token.NewFileSet(), make([]*ast.File, 0, len(names))
	for i, name := range names {
		file, err := parser.ParseFile(set, name, sources[i], 0)
		require.NoError(t, err)
		files = append(files, file)
	}
	c := &composed{pkg: pkg, vars: map[types.Object]bool{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	_, err := (&types.Config{Importer: imports}).Check(pkg, set, files, c.info)
	require.NoError(t, err)
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if to, is := n.(*ast.AssignStmt); is && len(to.Lhs) == len(to.Rhs) {
				for i, left := range to.Lhs {
					if name, is := left.(*ast.Ident); is && c.is(to.Rhs[i]) {
						c.vars[c.info.ObjectOf(name)] = true
					}
				}
			}
			if n != nil && c.reads(n) {
				found = append(found, fmt.Sprint(set.Position(n.Pos())))
			}
			return true
		})
	}
	return found
}
