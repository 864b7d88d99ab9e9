package releases

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

const (
	webhookDir   = "internal/webhook"
	application  = webhookDir + "/sparkapplication_validator.go"
	schedule     = webhookDir + "/scheduledsparkapplication_validator.go"
	sparkConnect = webhookDir + "/sparkconnect_validator.go"
	sparkConf    = webhookDir + "/sparkconf_validator.go"
)

// TestDeniedSettings reads the keys of the map that the validator goes by, and what they stand for.
func TestDeniedSettings(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			return // it has no webhook for applications
		}
		if !r.exists(sparkConf) {
			for _, d := range operator.DeniedSettings() {
				_, denied := operator.DeniedSparkConf(r.Version, d.Key, "", "jobs")
				require.False(t, denied, d.Key)
			}
			return
		}
		values := constants(parse(t, r, "pkg/common/spark.go"))
		var source []string
		ast.Inspect(parse(t, r, sparkConf), func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				if name, ok := pair.Key.(*ast.SelectorExpr); ok {
					source = append(source, values[name.Sel.Name])
				}
			}
			return true
		})
		var mine []string
		for _, d := range operator.DeniedSettings() {
			_, denied := operator.DeniedSparkConf(r.Version, d.Key, "", "jobs")
			require.True(t, denied, d.Key)
			mine = append(mine, d.Key)
		}
		require.ElementsMatch(t, source, mine)
		require.Equal(t, operator.NamespaceSetting, values["SparkKubernetesNamespace"])
		r.has(t, sparkConf, "key == common.SparkKubernetesNamespace && value != namespace")
		for _, file := range []string{application, schedule, sparkConnect} {
			update := called(t, r, file, "ValidateUpdate")
			same, judged := slices.Index(update, "DeepEqual"), slices.IndexFunc(update,
				func(f string) bool { return f == "validateSpec" || f == "validate" })
			require.GreaterOrEqual(t, same, 0, file)
			require.Less(t, same, judged, "%s judges what was not changed", file)
		}
	})
}

// TestNames1035 looks whether each validator judges the name at creation, and at an update before it looks at the spec.
func TestNames1035(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		const bad = "1st.job"
		for _, file := range []string{application, schedule, sparkConnect} {
			want := !operator.AcceptsName(r.Version, bad)
			if file == sparkConnect {
				want = !operator.AcceptsConnectName(r.Version, bad)
			}
			if !r.exists(file) {
				require.False(t, want, file)
				continue
			}
			for _, method := range []string{"ValidateCreate", "ValidateUpdate"} {
				calls := called(t, r, file, method)
				at := slices.Index(calls, "validateName")
				require.Equal(t, want, at >= 0, "%s of %s", method, file)
				if same := slices.Index(calls, "DeepEqual"); want && same >= 0 {
					require.Less(t, at, same)
				}
			}
			if want {
				require.Contains(t, called(t, r, file, "validateName"), "IsDNS1035Label")
			}
		}
		if operator.AcceptsConnectName(r.Version, bad) {
			return
		}
		r.has(t, sparkConnect, `"-server"`, "validation.DNS1035LabelMaxLength - len(serviceSuffix)")
	})
}

func (r release) exists(path string) bool {
	_, err := os.Stat(filepath.Join(r.dir, path))
	return err == nil
}

func parse(t *testing.T, r release, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.dir, path), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}

// constants returns those of a file that are written as strings.
func constants(file *ast.File) map[string]string {
	out := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
			return true
		}
		if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
			if value, err := strconv.Unquote(text.Value); err == nil {
				out[spec.Names[0].Name] = value
			}
		}
		return true
	})
	return out
}

// called returns the names of the functions that a method calls, in order.
func called(t *testing.T, r release, path, method string) []string {
	t.Helper()
	var out []string
	for _, declared := range parse(t, r, path).Decls {
		f, ok := declared.(*ast.FuncDecl)
		if !ok || f.Name.Name != method {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				switch name := call.Fun.(type) {
				case *ast.SelectorExpr:
					out = append(out, name.Sel.Name)
				case *ast.Ident:
					out = append(out, name.Name)
				}
			}
			return true
		})
		return out
	}
	require.Fail(t, path+" has no "+method)
	return nil
}
