package main

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	frozenList  = "testdata/frozen.txt" // a line an output: hash, command, key; in order of keys
	frozenTexts = "testdata/frozen"     // a file a folder of inputs; see formatTexts
)

// textFile is where the projection of an output is.
func textFile(o output) string {
	return path.Join(frozenTexts, strings.ReplaceAll(path.Dir(o.key), "/", "-")+".txt")
}

// sorted returns the outputs in order of keys, then of commands as they run.
func sorted(outputs map[output]frozen) []output {
	place := map[string]int{}
	for i, c := range frozenCommands() {
		place[c.name] = i
	}
	list := make([]output, 0, len(outputs))
	for o := range outputs {
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b output) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(place[a.command], place[b.command]))
	})
	return list
}

// formatTexts are the files of projections. Each begins with a line that names the output, at which git diff names its hunks, too.
func formatTexts(outputs map[output]frozen) map[string]string {
	files := map[string]string{}
	for _, o := range sorted(outputs) {
		files[textFile(o)] += o.command + " " + o.key + ": " + outputs[o].projection
	}
	return files
}

// parseText reads a file of projections. Every line of a projection but its first is indented.
func parseText(text string) (map[output]string, error) {
	projections := map[output]string{}
	var at output
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, " ") {
			name, exit, headed := strings.Cut(line, ": ")
			command, key, named := strings.Cut(name, " ")
			if !headed || !named {
				return nil, fmt.Errorf("no output is named by %q", line)
			}
			at, line = output{command, key}, exit
			if _, twice := projections[at]; twice {
				return nil, fmt.Errorf("%s is there twice", at.path())
			}
		}
		projections[at] += line
	}
	return projections, nil
}

func formatHashes(outputs map[output]frozen) string {
	list := sorted(outputs)
	slices.SortStableFunc(list, func(a, b output) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.command, b.command)) })
	var lines strings.Builder
	for _, o := range list {
		fmt.Fprintf(&lines, "%s %s %s\n", outputs[o].hash, o.command, o.key)
	}
	return lines.String()
}

func parseHashes(text string) (map[output]string, error) {
	hashes := map[output]string{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("no hash, command and key in %q", line)
		}
		hashes[output{fields[1], fields[2]}] = fields[0]
	}
	return hashes, nil
}

// readFrozen reads what is frozen. An output is in it if it has a hash or a projection.
func readFrozen(t *testing.T) map[output]frozen {
	t.Helper()
	outputs := map[output]frozen{}
	list, err := os.ReadFile(frozenList)
	if os.Getenv("UPDATE_FROZEN") == "" {
		require.NoError(t, err)
	}
	hashes, err := parseHashes(string(list))
	require.NoError(t, err)
	for o, h := range hashes {
		outputs[o] = frozen{hash: h}
	}
	for _, name := range frozenFiles(t) {
		text, err := os.ReadFile(name) // #nosec G304 -- a test
		require.NoError(t, err)
		projections, err := parseText(string(text))
		require.NoError(t, err, name)
		for o, p := range projections {
			outputs[o] = frozen{outputs[o].hash, p}
		}
	}
	return outputs
}

func frozenFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(frozenTexts + "/*.txt")
	require.NoError(t, err)
	return files
}

// writeFrozen writes all files, the same bytes for the same outputs, and removes those of folders that are gone.
func writeFrozen(t *testing.T, outputs map[output]frozen) {
	t.Helper()
	texts := formatTexts(outputs)
	for _, name := range frozenFiles(t) {
		if texts[filepath.ToSlash(name)] == "" {
			require.NoError(t, os.Remove(name))
		}
	}
	require.NoError(t, os.MkdirAll(frozenTexts, 0o750))
	for name, text := range texts {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	require.NoError(t, os.WriteFile(frozenList, []byte(formatHashes(outputs)), 0o600))
}

// dump writes an output where FROZEN_DUMP says.
func dump(t *testing.T, o output, text string) {
	t.Helper()
	dir := os.Getenv("FROZEN_DUMP")
	if dir == "" {
		return
	}
	require.True(t, filepath.IsAbs(dir), "FROZEN_DUMP is not an absolute path: go test runs in another directory")
	name := filepath.Join(dir, filepath.FromSlash(o.path()))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o750))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}
