package operator

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestMutates(t *testing.T) {
	for name, c := range map[string]struct {
		version Version
		field   snapshot.Field
		named   bool
		want    bool
	}{
		"env in 1.x":                       {version(1, 2, 3), snapshot.Env, true, true},
		"env by place in 1.x":              {version(1, 6, 2), snapshot.Env, false, false},
		"env by place in 2.1.0":            {version(2, 1, 0), snapshot.Env, false, false},
		"env by place in 2.1.1":            {version(2, 1, 1), snapshot.Env, false, true},
		"tolerations need no container":    {version(1, 6, 2), snapshot.Tolerations, false, true},
		"memoryLimit before 2.2.0":         {version(2, 1, 1), snapshot.MemoryLimit, true, false},
		"memoryLimit":                      {version(2, 2, 0), snapshot.MemoryLimit, true, true},
		"priorityClassName in 1.x":         {version(1, 6, 2), snapshot.PriorityClassName, true, false},
		"priorityClassName":                {version(2, 0, 0), snapshot.PriorityClassName, true, true},
		"the batch scheduler's in 1.x":     {version(1, 6, 2), snapshot.BatchPriorityClass, true, true},
		"the batch scheduler's":            {version(2, 0, 0), snapshot.BatchPriorityClass, true, false},
		"shareProcessNamespace in old 1.x": {version(1, 2, 3), snapshot.ShareProcessNamespace, true, false},
		"what no webhook does":             {version(2, 5, 2), "cores", true, false},
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
		"executor env in 2.2.1":       {version(2, 2, 1), snapshot.Env, "executor", true},
		"executor env in 2.3.0":       {version(2, 3, 0), snapshot.Env, "executor", false},
		"executor env in 1.x":         {version(1, 6, 2), snapshot.Env, "executor", false},
		"driver env in 2.2.1":         {version(2, 2, 1), snapshot.Env, "driver", false},
		"executor lifecycle in 2.1.0": {version(2, 1, 0), snapshot.Lifecycle, "executor", true},
		"executor lifecycle in 2.1.1": {version(2, 1, 1), snapshot.Lifecycle, "executor", false},
		"executor security in 2.0.2":  {version(2, 0, 2), snapshot.SecurityContext, "executor", true},
	} {
		t.Run(name, func(t *testing.T) {
			_, flawed := FlawOf(c.version, c.field, c.role)
			require.Equal(t, c.want, flawed)
		})
	}
}

// TestMutatorVersions: every release treats a pod as the last of these that is not newer.
func TestMutatorVersions(t *testing.T) {
	versions := MutatorVersions()
	require.Equal(t, "1.0.0, 1.3.0, 2.0.0, 2.1.0, 2.1.1, 2.2.0, 2.3.0", list(slices.DeleteFunc(slices.Clone(versions), newerThanStated)))
	for _, v := range append(Releases(), version(1, 2, 3), version(1, 6, 2)) {
		same := versions[0]
		for _, l := range versions {
			if l.Compare(v) <= 0 {
				same = l
			}
		}
		for _, r := range releases.All() {
			for _, m := range r.Mutates {
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
}
