package release

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestFold(t *testing.T) {
	v := func(minor int) Version { return Version{Major: 2, Minor: minor} }
	read := []string{"list", "watch"}
	table := Fold([]Release{
		{
			Version: v(0), Rewrite: true, Set: func(f *Facts) { f.TrackedExecutors = 1 },
			Fields:  Fields{Application: []string{"driver.template"}},
			Mutates: []Mutation{{Field: snapshot.Env}, {Field: snapshot.GPU, OnContainer: true}},
			Flaws:   []Flaw{{ID: "env", Field: snapshot.Env, Role: "executor"}},
			Defects: []Defect{{ID: "slow"}, {ID: "loud"}},
			Grants:  []Grant{{Resource: "pods", Verbs: "create get"}, {Resource: "nodes", Verbs: "get"}},
			Needs: Needs{Controller: []Permission{
				{Verbs: read, Resource: "pods"}, {Verbs: read, Resource: "configmaps", When: Monitoring},
				{Verbs: read, Resource: "secrets", When: DriverClaims},
			}},
			Notes: []Note{{ID: "hook", Do: "wait"}},
		},
		{
			Version: v(1), Hop: true,
			Set:           func(f *Facts) { f.TrackedExecutors++ },
			Fields:        Fields{Application: []string{"suspend"}},
			MutatesNoMore: []snapshot.Field{snapshot.GPU},
			Fixes:         []string{"slow", "env", "hook"},
			Grants:        []Grant{{Resource: "pods", Verbs: "get"}, {Resource: "nodes"}},
			Needs:         Needs{Controller: []Permission{{Verbs: read, Resource: "services"}}},
			NeedsNoMore:   []Permission{{Verbs: read, Resource: "configmaps", When: Monitoring}},
			Fatal:         &Fatal{Why: "does not start"},
		},
		{Version: v(2)},
	})
	before, after, last := table.Of(v(0)), table.Of(v(1)), table.Of(v(2))

	require.Equal(t, []int{1, 2, 2}, []int{before.TrackedExecutors, after.TrackedExecutors, last.TrackedExecutors})
	require.Equal(t, []bool{false, true, false}, []bool{before.Hop, after.Hop, last.Hop})
	require.Equal(t, []Telltale{{"driver.template", v(0)}}, before.Telltales.Application)
	require.Equal(t, []Telltale{{"driver.template", v(0)}, {"suspend", v(1)}}, last.Telltales.Application)
	require.True(t, before.Mutates(snapshot.GPU, true))
	require.False(t, before.Mutates(snapshot.GPU, false), "the Spark container is not found")
	require.False(t, after.Mutates(snapshot.GPU, true))
	_, flawed := before.FlawOf(snapshot.Env, "executor")
	require.True(t, flawed)
	_, flawed = after.FlawOf(snapshot.Env, "executor")
	require.False(t, flawed)

	require.Len(t, before.Defects, 2)
	require.Equal(t, []Defect{{ID: "loud", Since: v(0)}}, last.Defects)
	require.Equal(t, v(1), table.Defects[0].Until)
	require.Equal(t, []Note{{ID: "hook", Do: "wait", Since: v(0), Until: v(1)}}, table.Notes)
	require.Equal(t, []Grant{{Resource: "pods", Verbs: "get"}}, last.Grants, "the one replaced, the other taken away")
	require.Equal(t, []Permission{
		{Verbs: read, Resource: "pods"}, {Verbs: read, Resource: "services", Since: v(1)}, {Verbs: read, Resource: "secrets", When: DriverClaims},
	}, last.Needs.Controller, "what is new stands with its like")
	require.Nil(t, last.Fatal)
	require.Equal(t, Fatal{Version: v(1), Chart: v(1), Why: "does not start"}, *after.Fatal)

	require.Equal(t, v(1), table.Of(Version{Major: 2, Minor: 1, Patch: 7}).Version)
	require.Empty(t, table.Of(Version{Major: 1}).Defects, "nothing is known of what is older")
	require.Equal(t, v(1), table.First(func(f *Facts) bool { return f.TrackedExecutors > 1 }))
	require.Zero(t, table.First(func(f *Facts) bool { return f.Suspends }))
}
