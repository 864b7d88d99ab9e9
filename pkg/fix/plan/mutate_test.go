package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// mutants calls f with a JSON document in which one value, at each place in turn, is missing or something else.
func mutants(t *testing.T, text []byte, f func(name string, text []byte)) {
	t.Helper()
	document := func() any {
		var v any
		require.NoError(t, json.Unmarshal(text, &v))
		return v
	}
	var places [][]any
	var walk func(v any, at []any)
	walk = func(v any, at []any) {
		places = append(places, at)
		switch v := v.(type) {
		case map[string]any:
			for k, below := range v {
				walk(below, append(append([]any{}, at...), k))
			}
		case []any:
			for i, below := range v {
				walk(below, append(append([]any{}, at...), i))
			}
		}
	}
	walk(document(), nil)
	for _, at := range places[1:] {
		for name, value := range map[string]any{
			"null": nil, "a map": map[string]any{}, "a map of lists": map[string]any{"uid": []any{1}}, "a list": []any{},
			"nested": []any{[]any{nil}}, "a huge text": strings.Repeat("x", 1<<13), "a text": "", "control characters": "\x1b[2J\n\u202e",
			"a negative number": -1, "a huge number": 1e300, "true": true, "missing": errors.ErrUnsupported,
		} {
			changed, err := json.Marshal(with(document(), at, value))
			require.NoError(t, err)
			f(fmt.Sprint(at, ": ", name), changed)
		}
	}
}

// with returns a document with another value at a place; an error for a value removes what is there.
func with(v any, at []any, value any) any {
	if len(at) == 0 {
		return value
	}
	_, remove := value.(error)
	remove = remove && len(at) == 1
	switch v := v.(type) {
	case map[string]any:
		key := at[0].(string) //nolint:forcetypeassert // a test
		if v[key] = with(v[key], at[1:], value); remove {
			delete(v, key)
		}
		return v
	case []any:
		i := at[0].(int) //nolint:forcetypeassert // a test
		if remove {
			return append(v[:i:i], v[i+1:]...)
		}
		v[i] = with(v[i], at[1:], value)
		return v
	}
	return v
}

// requireSaid holds that an error names its place in a line that a screen takes.
func requireSaid(t *testing.T, name string, err error) {
	t.Helper()
	require.Less(t, len(err.Error()), 1000, name)
	var refused *fix.Refused
	if errors.As(err, &refused) {
		require.Regexp(t, `^(?:[a-z][^ ]*|line \d+(?:: [a-z][^ ]*)?): `, refused.Reason, name)
		require.NotRegexp(t, `[\x00-\x1f\x7f\x{202a}-\x{202e}]`, refused.Reason, name)
	}
}

// mutable are a world and intents of every kind that a plan of it has.
func mutable(t *testing.T) (fix.Fresh, []fix.Intent) {
	t.Helper()
	owner := snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "o", UID: "o1"}
	world := anApplication("app", anOwner+`, annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2}`, "", "s1", "RUNNING",
		"e-exec-1: COMPLETED, e-exec-2: FAILED") + fmt.Sprintf(aDriver, "", "Running") +
		aConfiguration(", failurePolicy: Ignore, objectSelector: {matchLabels: {a: b}}") + fmt.Sprintf(aSecret, "bmV3") +
		fmt.Sprintf(aDeployment, 1, "") + aLease
	webhooks := []string{"w1.sparkoperator.k8s.io"}
	return cluster(t, world), []fix.Intent{
		fix.StripOwner{Dependent: app(), Owner: owner},
		fix.PruneExecutorState{Application: app(), Submission: "s1"},
		fix.Touch{Application: app(), State: "RUNNING", At: aTime(), Consequence: "it looks"},
		fix.DropAnnotation{Object: app(), Key: fix.LastAppliedAnnotation},
		fix.AddOwner{Pod: pod("etl-driver"), Application: app()},
		fix.DeleteObject{Object: pod("etl-driver"), Running: true},
		fix.PatchBundle{Configuration: configuration(), Webhooks: webhooks, Secret: secret(), Key: "ca-cert.pem"},
		fix.SetFailurePolicy{Configuration: configuration(), Webhooks: webhooks, Operator: "op"},
		fix.ReassertBundle{Configuration: configuration(), At: aTime(), Fallback: fix.Restart{Deployment: deployment(), At: aTime()}},
		fix.Restart{Deployment: deployment(), At: aTime(), Lease: "lock"},
	}
}

// TestMutatedPlans: whatever one value of a plan becomes, the plan is refused with its place, is stale, or writes nothing but what
// fix would write without it.
func TestMutatedPlans(t *testing.T) {
	fresh, intents := mutable(t)
	for _, i := range intents {
		found := Finding{Name: oneName, Check: "SD2001", Object: fix.TraitsOf(i).Target, Severity: "error", Message: "now"}
		now := Candidate{Finding: found, Intent: i}
		computed := ResolvedFrom(now, fresh)
		require.NoError(t, computed.Err, "%T", i)
		text, err := json.Marshal(NewPlan(Cluster{UID: "c"}, aTime(), []Resolved{computed}, nil))
		require.NoError(t, err)
		refused, same := 0, 0
		mutants(t, text, func(name string, text []byte) {
			p, err := ReadPlan(bytes.NewReader(text))
			if err != nil {
				requireSaid(t, name, err)
				refused++
				return
			}
			for _, f := range p.Fixes {
				c, err := f.Again([]Candidate{now})
				if err != nil {
					requireSaid(t, name, err)
					continue
				}
				require.Equal(t, now.Finding, c.Finding, name)
				r := f.ResolvedWithin(c, fresh)
				if r.Err != nil {
					continue
				}
				require.True(t, fix.Within(computed.Steps, r.Steps) || timed(i), name)
				require.Equal(t, fix.TraitsOf(i).Title, fix.TraitsOf(r.Intent).Title, name)
				require.Equal(t, fix.TraitsOf(i).Risk, fix.TraitsOf(r.Intent).Risk, name)
				same++
			}
		})
		require.Greater(t, refused, 100, "%T", i)
		require.Positive(t, same, "%T", i)
	}
}

// timed are the intents that write the time of the plan.
func timed(i fix.Intent) bool {
	switch i.(type) {
	case fix.Touch, fix.ReassertBundle, fix.Restart:
		return true
	default:
		return false
	}
}

// TestMutatedRecords: whatever one value of a record becomes, it is refused with its line, or takes back what fix may write.
func TestMutatedRecords(t *testing.T) {
	fresh, intents := mutable(t)
	for _, i := range intents {
		steps, err := fix.Resolve(i, fresh)
		require.NoError(t, err)
		f := Fix{ID: 1, Title: fix.TraitsOf(i).Title}
		h, err := json.Marshal(header(Planned{ID: 1, Title: f.Title, Findings: []Finding{{Name: oneName, Check: "SD2001", Object: app()}}}))
		require.NoError(t, err)
		begin, err := json.Marshal(Begin(1, f, steps[0], aTime()))
		require.NoError(t, err)
		end, err := json.Marshal(Entry{Number: 1, Fix: 1, At: aTime(), End: Written})
		require.NoError(t, err)
		all := [][]byte{h, begin, end}
		for n := range all {
			mutants(t, all[n], func(name string, line []byte) {
				mutated := append([][]byte{}, all...)
				mutated[n] = line
				r, err := ReadRecord(bytes.NewReader(lines(mutated...)))
				if err != nil {
					requireSaid(t, name, err)
					return
				}
				back, left := r.Undo("kubectl-sparkdoctor")
				for _, c := range back {
					restore, ok := c.Intent.(fix.Restore)
					require.True(t, ok, name)
					holdsTo(t, restore, []fix.Step{{Target: restore.Object, Subresource: restore.Subresource, Changes: restore.Changes,
						Preconditions: restore.Preconditions}})
					require.Less(t, len(fix.TraitsOf(restore).Title), 1000, name)
				}
				for _, l := range left {
					require.NotEmpty(t, l.Reason, name)
				}
			})
		}
	}
}
