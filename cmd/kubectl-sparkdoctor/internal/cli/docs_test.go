package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"
)

const root = "../../../.."

// TestCommandsInTheDocs: this program accepts every command line that a committed page shows, in blocks of code, in steps of
// pipelines and in the output of examples. The pages of checks count where they are written, below pkg.
func TestCommandsInTheDocs(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^(?: {4,}|\$ |\s*- (?:run: )?)(?:kubectl |bin/kubectl-|kubectl-)sparkdoctor ([^#|>\n]*)`)
	read, seen := 0, 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != root
		if d.IsDir() && (hidden || slices.Contains([]string{"testdata", "node_modules", "bin", "dist"}, d.Name())) {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		read++
		text, err := os.ReadFile(path) // #nosec G304 -- a test
		require.NoError(t, err)
		for _, m := range shown.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", ""), -1) {
			requireAccepted(t, path, m[1])
			seen++
		}
		return nil
	}))
	require.Greater(t, read, 100)
	require.Greater(t, seen, 100)
}

func requireAccepted(t *testing.T, page, args string) {
	t.Helper()
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	cmd, rest, err := Root(streams).Find(strings.Fields(args))
	require.NoError(t, err, "%s: %s", page, args)
	require.NoError(t, cmd.ParseFlags(rest), "%s: %s", page, args)
}

// TestK9sPlugin holds the plugin of the docs to what k9s reads (derailed/k9s, internal/config/json/schemas/plugins.json), to the
// variables that it replaces (internal/view/helpers.go: defaultEnv, and RESOURCE_NAME of the view), and to commands that write
// nothing.
func TestK9sPlugin(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "shell-and-k9s.md"))
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```\n").FindSubmatch(text)
	require.NotNil(t, block)
	var file struct {
		Plugins map[string]struct {
			ShortCut    string   `json:"shortCut"`
			Description string   `json:"description"`
			Scopes      []string `json:"scopes"`
			Command     string   `json:"command"`
			Args        []string `json:"args"`
		} `json:"plugins"`
	}
	require.NoError(t, yaml.UnmarshalStrict(block[1], &file))
	require.Len(t, file.Plugins, 3)
	keys := map[string]bool{}
	for name, p := range file.Plugins {
		require.Regexp(t, `^Shift-[A-Z]$`, p.ShortCut, name)
		require.False(t, keys[p.ShortCut], "two plugins on %s", p.ShortCut)
		keys[p.ShortCut] = true
		require.NotEmpty(t, p.Description, name)
		require.Subset(t, []string{"sparkapplications", "scheduledsparkapplications"}, p.Scopes, name)
		require.Equal(t, "sh", p.Command, name)
		require.Len(t, p.Args, 2, name)
		require.Equal(t, "-c", p.Args[0], name)
		line, _, _ := strings.Cut(p.Args[1], " 2>&1 |")
		args, is := strings.CutPrefix(line, "kubectl sparkdoctor ")
		require.True(t, is, line)
		require.Regexp(t, `^scan |^why |^fix .*--dry-run$`, args, "it writes nothing")
		for _, variable := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(args, -1) {
			require.Contains(t, []string{"CONTEXT", "NAMESPACE", "NAME", "RESOURCE_NAME"}, variable[1])
		}
		requireAccepted(t, name, strings.NewReplacer("$RESOURCE_NAME", p.Scopes[0], "$NAMESPACE", "team-a", "$NAME", "etl", "$CONTEXT",
			"prod").Replace(args))
	}
}

// TestSignaturesOfTheDocs follows docs/signatures.md: it writes the files of the page, runs its command, and expects the output that the
// page shows; the mistakes that it quotes are those of its file with the mistakes made.
func TestSignaturesOfTheDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "signatures.md"))
	require.NoError(t, err)
	files := regexp.MustCompile("(?s)`([^`\\s]+)`:\n\n```\\w+\n(.*?)```\n").FindAllStringSubmatch(string(page), -1)
	require.Len(t, files, 3)
	shown := regexp.MustCompile("(?s)```console\n\\$ kubectl sparkdoctor ([^\n]+)\n(.*?)```\n").FindStringSubmatch(string(page))
	require.NotNil(t, shown)
	t.Chdir(t.TempDir())
	text := map[string]string{}
	for _, m := range files {
		text[m[1]] = m[2]
		require.NoError(t, os.MkdirAll(filepath.Dir(m[1]), 0o700))
		require.NoError(t, os.WriteFile(m[1], []byte(m[2]), 0o600))
	}
	run := func() (string, error) {
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		cmd := Root(streams)
		cmd.SetArgs(strings.Fields(shown[1]))
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	out, err := run()
	require.NoError(t, err)
	require.Equal(t, shown[2], out)

	mistakes := regexp.MustCompile(`(?m)^error: (signatures\.yaml:.+)$`).FindAllStringSubmatch(string(page), -1)
	require.Len(t, mistakes, 4)
	for i, mistake := range []*strings.Replacer{
		strings.NewReplacer(`\w+)`, `\w+`), strings.NewReplacer("ask the lake team", "raise {driver.memroy}"),
		strings.NewReplacer("sales expired", "sales expires"),
		strings.NewReplacer("sales expires in", "sales expired"),
	} {
		require.NoError(t, os.WriteFile("signatures.yaml", []byte(mistake.Replace(text["signatures.yaml"])), 0o600))
		_, err := run()
		require.ErrorContains(t, err, mistakes[i][1])
	}
}
