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

// TestTheMechanismOfCONTRIBUTING does what CONTRIBUTING.md says of mechanisms, in a copy of the tree. Without its line in the list, the
// mechanism explains nothing, and the same command fails; without its entry among the rivals it proves nothing.
func TestTheMechanismOfCONTRIBUTING(t *testing.T) {
	if !sampling.Nightly() {
		t.Skip("make test-slow runs it: it compiles why anew")
	}
	raw, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(raw), "\n## Add a mechanism in one sitting\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "\n## ")
	files := regexp.MustCompile("(?s)`(pkg/[^`]+)`:\n\n```\\w+\n(.*?)```\n").FindAllStringSubmatch(text, -1)
	require.Len(t, files, 3)
	line := regexp.MustCompile("in `mechanisms` of `([^`]+)`: `(\\w+,)`").FindStringSubmatch(text)
	require.NotNil(t, line)
	entry := regexp.MustCompile("in `needsOfEnds` of `([^`]+)`: `(\"over-budget\".+,)`\n").FindStringSubmatch(text)
	require.NotNil(t, entry)
	words := regexp.MustCompile("(?s)in `([^`]+)`: what happened.*?```go\n(.*?)```\n").FindStringSubmatch(text)
	require.NotNil(t, words)
	commands := regexp.MustCompile(`(?m)^    (go test .+)$`).FindAllStringSubmatch(text, -1)
	require.Len(t, commands, 2)

	dir := treeCopy(t, "internal", "pkg", "test/node/recordings")
	write := func(file, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte(text), 0o600))
	}
	insert := func(file, before, text string) {
		all, err := os.ReadFile(file) // #nosec G304 -- a test
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(all), before), file)
		write(file, strings.Replace(string(all), before, text+before, 1))
	}
	for _, f := range files {
		write(f[1], f[2])
	}
	insert(words[1], "\tcase mechanism.LivenessProbe:\n", words[2])
	test := func(command int) (string, error) {
		args := strings.Fields(commands[command][1])
		return inCopy(t, dir, args[0], append(args[1:], "-vet=off")...)
	}
	out, err := test(0)
	require.Error(t, err, "nothing says what else it could be")
	require.Contains(t, out, "over-budget")
	insert(entry[1], "\t\t\"oom-killed\": ", "\t\t"+entry[2]+"\n")
	out, err = test(0)
	require.NoError(t, err, out)
	out, err = test(1)
	require.Error(t, err, "it is in no list")
	require.Contains(t, out, "9001-over-budget")
	insert(line[1], "\t\tcollected, ", "\t\t"+line[2]+"\n")
	out, err = test(1)
	require.NoError(t, err, out)
}
