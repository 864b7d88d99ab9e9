package checks_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestReview: what the roles do not allow is proven by the API server's no, and taken back by its yes.
func TestReview(t *testing.T) {
	question := func(verb string) snapshot.Review {
		return snapshot.Review{Account: snapshot.Account{Namespace: "team-a", Name: "spark"},
			Request: snapshot.Request{Verb: verb, Resource: "pods", Namespace: "team-a"}}
	}
	results := func() []check.Result {
		c := checkOf(t, "SD5007")
		account := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: "team-a", Name: "spark"}
		return []check.Result{{Check: c, Status: check.Failed, Findings: []check.Reported{
			{Check: c.ID,
				Finding: check.Finding{About: check.Named(account),
					Certainty: check.Likely, Confirmation: check.Confirmation{Reviews: []snapshot.Review{question("create"), question("watch")}}}},
		}}}
	}
	for name, c := range map[string]struct {
		allowed  map[string]bool
		err      error
		findings int
		want     check.Certainty
		evidence string
		asked    int
	}{
		"denied":  {findings: 1, want: check.Proven, evidence: "the API server denies 2 of 2", asked: 2},
		"allowed": {allowed: map[string]bool{"create": true, "watch": true}, asked: 2},
		"allowed in part": {allowed: map[string]bool{"watch": true}, findings: 1, want: check.Likely,
			evidence: "another authorizer allows watch pods", asked: 2},
		"nobody may ask": {err: errors.New("forbidden"), findings: 1, want: check.Likely, asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			confirmer := check.Confirmer{
				Wait: func(context.Context, time.Duration) error { return nil },
				Fetch: func(_ context.Context, v snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
					asked.Add(1)
					require.Equal(t, snapshot.AccessReviews, v)
					q, ok := snapshot.ReviewOf(ref)
					require.True(t, ok)
					require.Equal(t, question(q.Verb), q, "the question survives its name")
					if c.allowed[q.Verb] {
						return &snapshot.Object{Ref: ref}, c.err
					}
					return nil, c.err
				},
			}
			before := results()
			_, got, err := check.Confirm(t.Context(), snapshot.NewBuilder(time.Now()).Seal(), before, check.DefaultParams(), confirmer)
			require.NoError(t, err)
			require.EqualValues(t, c.asked, asked.Load())
			require.Equal(t, results()[0].Findings, before[0].Findings, "the input is left as it is")
			require.Len(t, got[0].Findings, c.findings)
			if c.findings == 0 {
				require.Equal(t, check.Passed, got[0].Status)
				return
			}
			f := got[0].Findings[0]
			require.Equal(t, c.want, f.Certainty)
			if c.evidence == "" {
				require.Empty(t, f.Evidence)
				return
			}
			require.Equal(t, c.evidence, f.Evidence[0].Value)
		})
	}
}

// TestEachQuestionIsAskedOnce holds that findings share answers, and that one question without an answer leaves only its own
// finding as it was.
func TestEachQuestionIsAskedOnce(t *testing.T) {
	question := func(verb string) snapshot.Review {
		return snapshot.Review{Account: snapshot.Account{Namespace: "team-a", Name: "spark"},
			Request: snapshot.Request{Verb: verb, Resource: "pods", Namespace: "team-a"}}
	}
	c := checkOf(t, "SD5007")
	about := func(name string, verbs ...string) check.Reported {
		f := check.Reported{Check: c.ID,
			Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: "team-a",
				Name: name}), Certainty: check.Likely}}
		for _, verb := range verbs {
			f.Reviews = append(f.Reviews, question(verb))
		}
		return f
	}
	results := []check.Result{{Check: c, Status: check.Failed, Findings: []check.Reported{about("a", "create", "watch"),
		about("b", "watch", "create"), about("c", "create", "list")}}}
	var mu sync.Mutex
	asked := map[string]int{}
	confirmer := check.Confirmer{
		Wait: func(context.Context, time.Duration) error { return nil },
		Fetch: func(_ context.Context, _ snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
			q, _ := snapshot.ReviewOf(ref)
			mu.Lock()
			defer mu.Unlock()
			if asked[q.Verb]++; q.Verb == "list" {
				return nil, errors.New("too many requests")
			}
			return nil, nil
		},
	}
	_, got, err := check.Confirm(t.Context(), snapshot.NewBuilder(time.Now()).Seal(), results, check.DefaultParams(), confirmer)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"create": 1, "watch": 1, "list": 1}, asked)
	var certainties []check.Certainty
	for _, f := range got[0].Findings {
		certainties = append(certainties, f.Certainty)
	}
	require.Equal(t, []check.Certainty{check.Proven, check.Proven, check.Likely}, certainties)
}

// TestNothingIsAskedAfterAFailure holds that a server which stopped to answer is not waited for 200 times.
func TestNothingIsAskedAfterAFailure(t *testing.T) {
	c := checkOf(t, "SD5007")
	f := check.Reported{Check: c.ID,
		Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: "team-a",
			Name: "a"}), Certainty: check.Likely}}
	for i := range 100 {
		f.Reviews = append(f.Reviews, snapshot.Review{Account: snapshot.Account{Namespace: "team-a", Name: "a"},
			Request: snapshot.Request{Verb: "get", Resource: "pods", Name: fmt.Sprint(i)}})
	}
	var asked atomic.Int32
	confirmer := check.Confirmer{
		Wait: func(context.Context, time.Duration) error { return nil },
		Fetch: func(context.Context, snapshot.View, snapshot.Ref) (snapshot.Record, error) {
			if asked.Add(1) > 5 {
				return nil, errors.New("timed out")
			}
			return nil, nil
		},
	}
	_, got, err := check.Confirm(t.Context(), snapshot.NewBuilder(time.Now()).Seal(),
		[]check.Result{{Check: c, Status: check.Failed, Findings: []check.Reported{f}}}, check.DefaultParams(), confirmer)
	require.NoError(t, err)
	require.EqualValues(t, 9, asked.Load(), "one alone, and the eight at once among which one failed")
	require.Equal(t, check.Likely, got[0].Findings[0].Certainty)
}

func TestReviewOf(t *testing.T) {
	for _, name := range []string{"", "a b c", "1 2 3 4 5 6 7 8 9"} {
		_, ok := snapshot.ReviewOf(snapshot.Ref{Kind: "SubjectAccessReview", Name: name})
		require.False(t, ok, name)
	}
	_, ok := snapshot.ReviewOf(snapshot.Ref{Kind: "Pod", Name: "1 2 3 4 5 6 7 8"})
	require.False(t, ok)
}
