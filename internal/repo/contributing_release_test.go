package repo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// TestTheReleaseOfCONTRIBUTING does what CONTRIBUTING.md says of a release of the operator, in a copy of the tree.
func TestTheReleaseOfCONTRIBUTING(t *testing.T) {
	if !sampling.Nightly() {
		t.Skip("make test-slow runs it: it compiles the program anew")
	}
	text, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, text, found := bytes.Cut(text, []byte("## Add a release of the operator\n"))
	require.True(t, found)
	dir := treeCopy(t, "cmd", "pkg", "examples")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```\n").FindAllSubmatch(text, 2)
	require.Len(t, blocks, 2)
	file := regexp.MustCompile("\\*\\*1\\. Its file\\*\\*, `(pkg/[^`]+)`").FindSubmatch(text)
	line := regexp.MustCompile("in `All` of `(pkg/[^`]+)`: `(\\w+\\(\\),)`").FindSubmatch(text)
	require.NotNil(t, file)
	require.NotNil(t, line)
	path, begun := filepath.Join(dir, string(file[1])), string(blocks[0][1])
	require.NoError(t, os.WriteFile(path, []byte(begun), 0o600))
	list := filepath.Join(dir, string(line[1]))
	all, err := os.ReadFile(list) // #nosec G304 -- a test
	require.NoError(t, err)
	last := bytes.Index(all, []byte("(),\n\t)\n")) + len("(),\n")
	require.NoError(t, os.WriteFile(list, bytes.Join([][]byte{all[:last], all[last:]}, append([]byte("\t\t"), append(line[2], '\n')...)),
		0o600))

	test := func() (string, error) { return inCopy(t, dir, "go", "test", "-vet=off", "./pkg/operator/...") }
	out, err := test()
	require.Error(t, err)
	require.Contains(t, out, "release 2.5.3 was never compared with v2.5.2")
	require.Contains(t, out, "git diff v2.5.2 v2.5.3 -- charts/spark-operator-chart/crds\n")
	require.Contains(t, out, "fields: Fields .CRDs\n")
	require.Contains(t, out, "next was never compared with v2.5.3")
	require.Equal(t, 1, strings.Count(out, "--- FAIL"), "nothing else fails: %s", out)

	compared := strings.Replace(begun, "\t\tVersion: version(2, 5, 3),\n", string(blocks[1][1]), 1)
	require.NotEqual(t, begun, compared)
	require.NoError(t, os.WriteFile(path, []byte(compared), 0o600))
	next := filepath.Join(filepath.Dir(path), "next.go")
	master, err := os.ReadFile(next) // #nosec G304 -- a test
	require.NoError(t, err)
	again := bytes.Replace(master, []byte(`Compared: "v2.5.2"`), []byte(`Compared: "v2.5.3"`), 1)
	require.NotEqual(t, master, again)
	require.NoError(t, os.WriteFile(next, again, 0o600))
	out, err = test()
	require.NoError(t, err, out)

	out, _ = inCopy(t, dir, "go", "run", "./cmd/kubectl-sparkdoctor", "gate", "--to", "2.5.3", "-f",
		"pkg/checks/upgrade/testdata/hops/2.5.2/fine.yaml")
	require.Contains(t, out, "upgrade 2.5.1 → 2.5.3")
}
