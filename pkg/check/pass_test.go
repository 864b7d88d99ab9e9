package check_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// counted is a fact that remembers how often it was made, and one that is made of it.
func counted(made *atomic.Int32) (apps check.Fact[int], twice check.Fact[int]) {
	apps = check.Fact[int]{
		Name: "apps", Needs: []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Optional}},
		Make: func(p *check.Pass) int { made.Add(1); return len(p.SparkApplications()) },
	}
	return apps, check.Fact[int]{Name: "twice", Requires: []check.Requirement{apps}, Make: func(p *check.Pass) int { return 2 * apps.Of(p) }}
}

// TestFactsAreMadeOnceAScan: whatever checks ask for a fact, directly or by one that is made of it, side by side.
func TestFactsAreMadeOnceAScan(t *testing.T) {
	var made atomic.Int32
	apps, twice := counted(&made)
	var list []check.Check
	for range 20 {
		c := example(func(p *check.Pass) check.Answer { return check.Answer{Judged: twice.Of(p) - apps.Of(p)} })
		c.Requires = []check.Requirement{twice}
		list = append(list, c)
	}
	complete := snapshot.Coverage{State: snapshot.Complete}
	s := with(complete, complete, complete)
	for _, r := range check.Run(s, list, check.DefaultParams()) {
		require.Equal(t, check.Passed, r.Status, r.Reason)
	}
	require.EqualValues(t, 1, made.Load())
	check.Run(s, list[:1], check.DefaultParams())
	require.EqualValues(t, 2, made.Load(), "of another scan")
}

// TestUndeclaredFact: asking for a fact that the check does not require is the author's error, and skips the check.
func TestUndeclaredFact(t *testing.T) {
	apps, _ := counted(new(atomic.Int32))
	complete := snapshot.Coverage{State: snapshot.Complete}
	c := example(func(p *check.Pass) check.Answer { return check.Answer{Judged: apps.Of(p)} })
	r := check.Run(with(complete, complete, complete), []check.Check{c}, check.DefaultParams())[0]
	require.Equal(t, check.Skipped, r.Status)
	require.Contains(t, r.Reason, `undeclared fact "apps"`)
}

// TestNeedsOfFacts: a check may read what its facts read, in the role that it gives the view itself, else in that of the fact.
func TestNeedsOfFacts(t *testing.T) {
	_, twice := counted(new(atomic.Int32))
	c := check.Check{Requires: []check.Requirement{twice}}
	require.Equal(t, []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Optional}}, c.AllNeeds())
	c.Requires = []check.Requirement{check.As(snapshot.Consulted, twice)}
	require.Equal(t, []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Consulted}}, c.AllNeeds())
	c.Needs = []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Subject}}
	require.Equal(t, c.Needs, c.AllNeeds())
}
