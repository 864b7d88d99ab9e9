package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// output is one normalized output of one command on one input.
type output struct{ command, key string }

func (o output) path() string { return o.command + "/" + o.key }

// TestFrozen holds what the program says of every fixture and example, byte for byte: testdata/frozen.txt lists the hash of each
// output, testdata/frozen.tar.gz holds the outputs themselves. If a change of one is meant, UPDATE_FROZEN=1 rewrites both, and the
// commit says why. After a merge that conflicts in them, take either side, then rewrite them and read the difference.
// With -short or -race one input of each folder stands for the others.
func TestFrozen(t *testing.T) {
	quietHome(t)
	before := debug.SetGCPercent(400) // thousands of short runs: half of the time would go into collecting their garbage
	t.Cleanup(func() { debug.SetGCPercent(before) })
	inputs := frozenInputs(t)
	want, update := readHashes(t), os.Getenv("UPDATE_FROZEN") != ""
	all := inputs
	if !sampling.Whole() && !update { // make test runs all of them without the race detector
		inputs = oneOfEachFolder(inputs)
		t.Logf("%d of %d inputs", len(inputs), len(all))
	}
	got := changes{outputs: map[output]string{}, update: update}
	t.Run("inputs", func(t *testing.T) { // returns when all of its parallel tests have ended
		for _, in := range inputs {
			t.Run(in.key, func(t *testing.T) {
				t.Parallel()
				for _, command := range frozenCommands() {
					o := output{command.name, in.key}
					text := command.run(t, in)
					if got.add(o, text, want[o]) {
						t.Errorf("%s differs from testdata/frozen.txt; where that is meant: UPDATE_FROZEN=1 go test -run TestFrozen", o.path())
					}
				}
			})
		}
	})
	if update {
		require.Len(t, got.outputs, len(inputs)*len(frozenCommands()), "UPDATE_FROZEN needs all inputs: run TestFrozen without a filter")
		writeFrozen(t, got.outputs)
		return
	}
	got.show(t)
	known := map[output]bool{}
	for _, in := range all {
		for _, command := range frozenCommands() {
			known[output{command.name, in.key}] = true
		}
	}
	for o := range want {
		require.True(t, known[o], "%s is in testdata/frozen.txt, and the input is gone", o.path())
	}
}

func oneOfEachFolder(inputs []frozenInput) []frozenInput {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(inputs), func(in frozenInput) bool {
		folder := path.Dir(in.key)
		before := seen[folder]
		seen[folder] = true
		return before && folder != "examples"
	})
}

// TestFrozenListAndArchiveAgree holds that a difference is shown against the output that was hashed.
func TestFrozenListAndArchiveAgree(t *testing.T) {
	hashes := map[output]string{}
	for o, text := range readArchive(t) {
		hashes[o] = hash(text)
	}
	require.Equal(t, readHashes(t), hashes)
}

// changes collects the outputs: all to rewrite them, else those that differ from what is frozen.
type changes struct {
	mu      sync.Mutex
	update  bool
	outputs map[output]string
}

// add reports whether the output is another than the frozen one.
func (c *changes) add(o output, text, want string) bool {
	changed := hash(text) != want
	if c.update || changed {
		c.mu.Lock()
		c.outputs[o] = text
		c.mu.Unlock()
	}
	return changed && !c.update
}

// show prints the first few differences; the rest is usually the same again.
func (c *changes) show(t *testing.T) {
	t.Helper()
	const few, readable = 3, 80
	if len(c.outputs) == 0 {
		return
	}
	before := readArchive(t)
	for i, o := range sorted(c.outputs) {
		if i == few {
			t.Logf("%d outputs differ; these are the first %d", len(c.outputs), few)
			return
		}
		lines := strings.SplitAfter(string(diff.Diff("frozen/"+o.path(), []byte(before[o]), "now/"+o.path(), []byte(c.outputs[o]))), "\n")
		t.Logf("%s", strings.Join(lines[:min(len(lines), readable)], ""))
	}
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// quietHome keeps the configuration of whoever runs the tests out of the outputs.
func quietHome(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", home)
	t.Setenv("KUBECONFIG", filepath.Join(home, "none"))
}
