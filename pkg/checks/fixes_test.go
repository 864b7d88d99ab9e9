package checks_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

var update = flag.Bool("update", false, "write testdata/fixes.golden")

// fresh are the objects of a fixture as a cluster would return them.
func fresh(t *testing.T, path string) fix.Fresh {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	f := fix.NewFresh()
	documents := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		o := &fix.Object{}
		err := documents.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return f
		}
		require.NoError(t, err)
		if o.Object != nil {
			f.Put(o)
		}
	}
}

// TestFixes goes through every wish of every fixture: what it resolves to is in a file to be read by eye, and nothing
// that any check wishes may write the spec of a Spark object, or more than single fields.
func TestFixes(t *testing.T) {
	var got strings.Builder
	stated := map[string]bool{}
	for _, f := range fixtures(t) {
		s := f.Snapshot(t)
		p := f.Params
		p.KeepExecutors = 18 // fixtures are small
		results := check.Run(s, []check.Check{checkOf(t, f.ID())}, p)
		for i := range results[0].Findings {
			finding := &results[0].Findings[i]
			for _, c := range checks.Candidates(s, results, finding) {
				intent := c.Intent
				require.Equal(t, intent, fix.SpecOf(intent).Intent(), "a plan holds every kind of wish")
				steps, err := fix.Resolve(intent, fresh(t, f.Path))
				fmt.Fprintf(&got, "%s %s\n  %s: %s\n", f.Name()+".yaml", fix.TraitsOf(intent).Target, fix.TraitsOf(intent).Risk,
					fix.TraitsOf(intent).Title)
				if err != nil {
					requireTyped(t, err)
					fmt.Fprintf(&got, "  %T: %v\n", err, err)
				}
				requireDeclared(t, checkOf(t, f.ID()), intent, steps)
				stated[repairName(checkOf(t, f.ID()), intent)] = true
				for _, step := range steps {
					requireHarmless(t, finding, step)
					fmt.Fprintf(&got, "  %s %s %s\n", step.Verb(), step.Target, step.Subresource)
					for _, change := range step.Changes {
						fmt.Fprintf(&got, "    %s\n", change)
					}
				}
			}
		}
	}
	for _, c := range checks.All() {
		for _, r := range c.Repairs {
			assert.True(t, stated[repairName(c, r)], "no fixture makes a check state its repair: %s", repairName(c, r))
		}
	}
	const golden = "testdata/fixes.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String(), "go test ./pkg/checks -run TestFixes -update, and read what changed")
}

// repairName tells apart what rbac grants: the check, the kind of intent, and the kind of object it writes.
func repairName(c check.Check, i fix.Intent) string {
	return fmt.Sprintf("%s %T %s", c.ID, i, fix.TraitsOf(i).Target.GroupKind())
}

// requireDeclared holds that a check says which kinds of intents it has, on which kinds of objects, and that these say how
// they write: "rbac --for-fix" grants just that.
func requireDeclared(t *testing.T, c check.Check, intent fix.Intent, steps []fix.Step) {
	t.Helper()
	traits := fix.TraitsOf(intent)
	require.True(t, slices.ContainsFunc(c.Repairs, func(r fix.Intent) bool {
		return reflect.TypeOf(r) == reflect.TypeOf(intent) && fix.TraitsOf(r).Target.GroupKind() == traits.Target.GroupKind()
	}), "Repairs lack %s", repairName(c, intent))
	require.Contains(t, fix.KindsOf(intent), traits.Target.GroupKind(), "the table of writes has no %s", repairName(c, intent))
	for _, s := range steps {
		require.Equal(t, fix.WriteOf(intent), fix.Write{Subresource: s.Subresource, Delete: s.Delete}, "%T", intent)
		require.Equal(t, traits.Target.GroupKind(), s.Target.GroupKind(), "%T", intent)
	}
}

func requireTyped(t *testing.T, err error) {
	t.Helper()
	var done *fix.Done
	var stale *fix.Stale
	var refused *fix.Refused
	require.True(t, errors.As(err, &done) || errors.As(err, &stale) || errors.As(err, &refused), "%T %v", err, err)
}

func requireHarmless(t *testing.T, finding *check.Reported, s fix.Step) {
	t.Helper()
	spark := s.Target.Group() == snapshot.SparkGroup
	require.False(t, spark && s.Delete && finding.Check != "SD6008", "only what ended is ever deleted: %s", s.Target)
	for _, op := range s.Patch() {
		if !spark || op.Op == "test" {
			continue
		}
		require.Regexp(t, `^/(metadata/(annotations|finalizers|ownerReferences)|status/executorState/.)`, op.Path)
	}
}
