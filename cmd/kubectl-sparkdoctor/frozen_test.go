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
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// output is one normalized output of one command on one input.
type output struct{ command, key string }

func (o output) path() string { return o.command + "/" + o.key }

// TestFrozen holds what the program says of every fixture and example. testdata/frozen has the projection of each output, a text for the
// reader of a change (see projector), in a file for each folder of fixtures; testdata/frozen.txt has the hash of each whole output, so
// that it stays the same byte for byte. If a change is meant, UPDATE_FROZEN=1 rewrites both, and the commit says why. After a merge that
// conflicts in them, take either side, then rewrite them and read the difference.
//
// Where a hash differs and the projection does not, compare the outputs themselves: with FROZEN_DUMP=DIRECTORY (an absolute path) they are
// written there. Run the test here and in a checkout of the commit before, then diff the two directories:
//
//	FROZEN_DUMP=/tmp/now go test -count=1 -run TestFrozen/inputs/SD2001 ./cmd/kubectl-sparkdoctor
//	git worktree add /tmp/head HEAD
//	cd /tmp/head && FROZEN_DUMP=/tmp/before go test -count=1 -run TestFrozen/inputs/SD2001 ./cmd/kubectl-sparkdoctor
//	diff -ru /tmp/before /tmp/now
//
// With -short or -race one input of each folder stands for the others; make test runs all of them.
func TestFrozen(t *testing.T) {
	quietHome(t)
	before := debug.SetGCPercent(400) // thousands of short runs: half of the time would go into collecting their garbage
	t.Cleanup(func() { debug.SetGCPercent(before) })
	inputs := frozenInputs(t)
	got := changes{want: readFrozen(t), found: map[output]frozen{}, update: os.Getenv("UPDATE_FROZEN") != ""}
	all := inputs
	if !sampling.Whole() && !got.update {
		inputs = oneOfEachFolder(inputs)
		t.Logf("%d of %d inputs", len(inputs), len(all))
	}
	t.Run("inputs", func(t *testing.T) { // returns when all of its parallel tests have ended
		for _, in := range inputs {
			t.Run(in.key, func(t *testing.T) {
				t.Parallel()
				p := projector{runbook: !strings.HasPrefix(in.key, "SD")}
				for _, command := range frozenCommands() {
					o := output{command.name, in.key}
					text := command.run(t, in)
					dump(t, o, text)
					projection, err := p.project(command.name, text)
					require.NoError(t, err, o.path())
					if differs := got.add(o, frozen{hash(text), projection}); differs != "" {
						t.Error(differs)
					}
				}
			})
		}
	})
	if got.update {
		require.Len(t, got.found, len(inputs)*len(frozenCommands()), "UPDATE_FROZEN needs all inputs: run TestFrozen without a filter")
		writeFrozen(t, got.found)
		return
	}
	if shown := got.shown(); shown != "" {
		t.Log(shown)
	}
	known := map[output]bool{}
	for _, in := range all {
		for _, command := range frozenCommands() {
			known[output{command.name, in.key}] = true
		}
	}
	for o := range got.want {
		require.True(t, known[o], "%s is in testdata, and the input is gone", o.path())
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
