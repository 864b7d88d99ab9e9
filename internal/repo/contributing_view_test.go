package repo_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// readsTheView uses what CONTRIBUTING.md adds.
const readsTheView = `package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestContributed(t *testing.T) {
	b := snapshot.NewBuilder(time.Time{})
	for v, text := range map[snapshot.View]string{
		snapshot.PriorityClasses: ` + "`" + `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":7}` + "`" + `,
		snapshot.Deployments:     ` + "`" + `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"status":{"updatedReplicas":3}}` + "`" + `,
	} {
		src, _ := snapshot.SourceOf(v)
		r, err := Decode(src, Item{Raw: []byte(text)})
		require.NoError(t, err)
		b.Add(v, r)
	}
	s := b.Seal()
	require.EqualValues(t, 7, s.PriorityClasses()[0].Value)
	require.EqualValues(t, 3, s.Deployments()[0].Updated)
}
`

// TestTheViewOfCONTRIBUTING does what CONTRIBUTING.md says of fields and views, in a copy of the tree.
func TestTheViewOfCONTRIBUTING(t *testing.T) {
	if !sampling.Nightly() {
		t.Skip("make test-slow runs it: it compiles the records anew")
	}
	raw, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(raw), "\n## Add a field, or a view\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "\n## ")
	dir := treeCopy(t, "pkg/snapshot", "pkg/archive", "pkg/redact", "pkg/input", "pkg/collect/await", "internal/allocated",
		"internal/sampling")
	files := regexp.MustCompile("(?s)a new file `([^`]+)`\n\n```go\n(.*?)```\n").FindAllStringSubmatch(text, -1)
	require.Len(t, files, 2)
	for _, m := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, m[1]), []byte(m[2]), 0o600))
	}
	// Where a line goes: before the end of the first thing that is named.
	edits := regexp.MustCompile("(?m)^\\| (?:`(\\w+)`|the views) in `([^`]+)` \\| `([^`]+)` \\|$").FindAllStringSubmatch(text, -1)
	require.Len(t, edits, 5)
	ends := map[string][2]string{
		"Deployment": {"type Deployment struct {", "\n}"}, "deploymentFrom": {"func deploymentFrom(", "\n\treturn &out"}, "": {"const (", "\n)"},
		"listedKinds": {"func listedKinds()", "\n\t}\n}"}, "decoders": {"func decoders()", "\n\t}\n}"},
	}
	for _, edit := range edits {
		file := filepath.Join(dir, edit[2])
		source, err := os.ReadFile(file) // #nosec G304 -- a test
		require.NoError(t, err)
		begins, ends := ends[edit[1]][0], ends[edit[1]][1]
		before, after, found := strings.Cut(string(source), begins)
		require.True(t, found, edit[0])
		at := strings.Index(after, ends)
		require.Positive(t, at, edit[0])
		require.NoError(t, os.WriteFile(file, []byte(before+begins+after[:at]+"\n"+edit[3]+after[at:]), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pkg/snapshot/wire/contributed_test.go"), []byte(readsTheView), 0o600))
	const tests = "Contributed|KeysAgree|DecodersMake|Survive|NothingIsNothing|NoFieldKeeps"
	out, err := inCopy(t, dir, "go", "test", "-vet=off", "-run", tests, "./pkg/snapshot/wire", "./pkg/archive")
	require.NoError(t, err, out)
	require.NotContains(t, out, "no tests to run")
}
