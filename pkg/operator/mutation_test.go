package operator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestMutates(t *testing.T) {
	for name, c := range map[string]struct {
		version Version
		field   snapshot.Field
		named   bool
		want    bool
	}{
		"env in 1.x":                       {Version{1, 2, 3}, snapshot.Env, true, true},
		"env by place in 1.x":              {Version{1, 6, 2}, snapshot.Env, false, false},
		"env by place in 2.1.0":            {Version{2, 1, 0}, snapshot.Env, false, false},
		"env by place in 2.1.1":            {Version{2, 1, 1}, snapshot.Env, false, true},
		"tolerations need no container":    {Version{1, 6, 2}, snapshot.Tolerations, false, true},
		"memoryLimit before 2.2.0":         {Version{2, 1, 1}, snapshot.MemoryLimit, true, false},
		"memoryLimit":                      {Version{2, 2, 0}, snapshot.MemoryLimit, true, true},
		"priorityClassName in 1.x":         {Version{1, 6, 2}, snapshot.PriorityClassName, true, false},
		"priorityClassName":                {Version{2, 0, 0}, snapshot.PriorityClassName, true, true},
		"the batch scheduler's in 1.x":     {Version{1, 6, 2}, snapshot.BatchPriorityClass, true, true},
		"the batch scheduler's":            {Version{2, 0, 0}, snapshot.BatchPriorityClass, true, false},
		"shareProcessNamespace in old 1.x": {Version{1, 2, 3}, snapshot.ShareProcessNamespace, true, false},
		"what no webhook does":             {Version{2, 5, 2}, "cores", true, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Mutates(c.version, c.field, c.named)) })
	}
}

func TestFlaws(t *testing.T) {
	for name, c := range map[string]struct {
		version Version
		field   snapshot.Field
		role    string
		want    bool
	}{
		"executor env in 2.2.1":       {Version{2, 2, 1}, snapshot.Env, "executor", true},
		"executor env in 2.3.0":       {Version{2, 3, 0}, snapshot.Env, "executor", false},
		"executor env in 1.x":         {Version{1, 6, 2}, snapshot.Env, "executor", false},
		"driver env in 2.2.1":         {Version{2, 2, 1}, snapshot.Env, "driver", false},
		"executor lifecycle in 2.1.0": {Version{2, 1, 0}, snapshot.Lifecycle, "executor", true},
		"executor lifecycle in 2.1.1": {Version{2, 1, 1}, snapshot.Lifecycle, "executor", false},
		"executor security in 2.0.2":  {Version{2, 0, 2}, snapshot.SecurityContext, "executor", true},
	} {
		t.Run(name, func(t *testing.T) {
			_, flawed := FlawOf(c.version, c.field, c.role)
			require.Equal(t, c.want, flawed)
		})
	}
}

// TestMutationsSayWhereTheyAreFrom holds that no fact is without a source, and no field twice.
func TestMutationsSayWhereTheyAreFrom(t *testing.T) {
	seen := map[snapshot.Field]bool{}
	for _, m := range Mutations() {
		require.NotEmpty(t, m.Source, m.Field)
		require.False(t, seen[m.Field], m.Field)
		seen[m.Field] = true
	}
	for _, f := range Flaws() {
		require.True(t, seen[f.Field])
		require.NotEmpty(t, f.Source)
	}
}

// TestMutatorVersions: every release treats a pod as the last of these that is not newer.
func TestMutatorVersions(t *testing.T) {
	list := MutatorVersions()
	require.Equal(t, []Version{{1, 0, 0}, {1, 3, 0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 1}, {2, 2, 0}, {2, 3, 0}}, list)
	for _, v := range append(known(), Version{1, 2, 3}, Version{1, 6, 2}) {
		same := list[0]
		for _, l := range list {
			if l.Compare(v) <= 0 {
				same = l
			}
		}
		for _, m := range Mutations() {
			for _, named := range []bool{true, false} {
				require.Equal(t, Mutates(same, m.Field, named), Mutates(v, m.Field, named), "%s %s", v, m.Field)
			}
			for _, role := range []string{"driver", "executor"} {
				want, _ := FlawOf(same, m.Field, role)
				flaw, _ := FlawOf(v, m.Field, role)
				require.Equal(t, want, flaw, "%s %s", v, m.Field)
			}
		}
	}
}
