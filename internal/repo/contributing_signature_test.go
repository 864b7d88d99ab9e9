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

// TestTheSignatureOfCONTRIBUTING does what CONTRIBUTING.md says of signatures, in a copy of the tree. The tests there pass, and fail once
// the signature fits its look-alike, or stands behind one that fits its example first.
func TestTheSignatureOfCONTRIBUTING(t *testing.T) {
	if !sampling.Nightly() {
		t.Skip("make test-slow runs it: it compiles the catalogue anew")
	}
	raw, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(raw), "\n## Add a signature in five minutes\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "\n## ")
	m := regexp.MustCompile("(?s)at the end of `([^`]+)`\n\n```yaml\n(.*?)```\n").FindStringSubmatch(text)
	require.NotNil(t, m)
	command := regexp.MustCompile(`(?m)^    (go test .+)$`).FindStringSubmatch(text)
	require.NotNil(t, command)

	dir := treeCopy(t, "internal/prose", "pkg", "test/node/recordings")
	file := filepath.Join(dir, filepath.FromSlash(m[1]))
	before, err := os.ReadFile(file) // #nosec G304 -- a test
	require.NoError(t, err)
	test := func(added string, flags ...string) (string, error) {
		require.NoError(t, os.WriteFile(file, append(before[:len(before):len(before)], added...), 0o600))
		words := append(strings.Fields(command[1]), append(flags, "-vet=off")...)
		return inCopy(t, dir, words[0], words[1:]...)
	}
	out, err := test(m[2])
	require.NoError(t, err, out)
	for want, mistake := range map[string]*strings.Replacer{
		"the signature matches it, and must not": strings.NewReplacer("sales expires in", "sales expired"),
		`is matched by "disk-full"`: strings.NewReplacer(`token of team (?P<team>\w+) expired`, `No (?P<team>\w+)`,
			"token of team sales expired", "No space left on device"),
	} {
		out, err := test(mistake.Replace(m[2]), "-run", "TestEach|TestBuiltin")
		require.Error(t, err, want)
		require.Contains(t, out, want)
	}
}
