package collect

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestFetchAgain(t *testing.T) {
	server := newServer(t, application("a", "team-a"), pod("p", "team-a"), object("example.com/v1", "Train", "train", "team-a"),
		object("v1", "Node", "node", ""))
	_, again, err := scanErr(t.Context(), server, ClusterOptions{Needs: need(snapshot.SparkPods)})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		view snapshot.View
		ref  snapshot.Ref
		want string // the path that was asked for; empty: none
		gone bool
	}{
		"application": {snapshot.SparkApplications, snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2",
			Kind: "SparkApplication", Namespace: "team-a", Name: "a"}, inNamespace("team-a", "sparkapplications/a"), false},
		"pod": {snapshot.SparkPods, snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team-a", Name: "p"},
			"/api/v1/namespaces/team-a/pods/p", false},
		"owner": {snapshot.Owners, snapshot.Ref{APIVersion: "example.com/v1", Kind: "Train", Namespace: "team-a",
			Name: "train"}, "/apis/example.com/v1/namespaces/team-a/trains/train", false},
		"owner of another version": {snapshot.Owners, snapshot.Ref{APIVersion: "example.com/v1alpha1", Kind: "Train", Namespace: "team-a",
			Name: "train"}, "/apis/example.com/v1/namespaces/team-a/trains/train", false},
		"owner without namespace": {snapshot.Owners, snapshot.Ref{APIVersion: "v1", Kind: "Node", Namespace: "team-a", Name: "node"},
			"/api/v1/nodes/node", false},
		"gone": {snapshot.Owners, snapshot.Ref{APIVersion: "example.com/v1", Kind: "Train", Namespace: "team-a", Name: "no"},
			"/apis/example.com/v1/namespaces/team-a/trains/no", true},
		"a name that is a path": {snapshot.Owners, snapshot.Ref{APIVersion: "example.com/v1", Kind: "Train", Namespace: "team-a",
			Name: "../../../../../api/v1/namespaces/team-a/secrets/x"}, "", true},
		"a name that is dots": {snapshot.Owners, snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: ".."}, "", true},
		"no name":             {snapshot.Owners, snapshot.Ref{APIVersion: "v1", Kind: "Node"}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			server.requests = nil
			got, err := again.Fetch(t.Context(), c.view, c.ref)
			require.NoError(t, err)
			require.Equal(t, c.gone, got == nil)
			if c.want == "" {
				require.Empty(t, server.requests)
				return
			}
			require.Equal(t, []string{c.want + "?"}, server.requests)
		})
	}
	_, err = again.Fetch(t.Context(), snapshot.Owners, snapshot.Ref{APIVersion: "no.such/v1", Kind: "Group", Namespace: "team-a", Name: "g"})
	require.ErrorIs(t, err, errNotServed)
}

// ownerMissing is a check that rests on the absence of owners.
func ownerMissing() check.Check {
	return check.Check{
		ID: "SD9999", Absence: true, Needs: need(snapshot.SparkApplications, snapshot.Owners),
		Run: func(s *check.Pass) check.Answer {
			var a check.Answer
			for _, o := range s.SparkApplications() {
				for _, ref := range o.Owners {
					if s.Ownership().Resolve(&o.Object, ref).Verdict == snapshot.Missing {
						a.Findings = append(a.Findings,
							check.Finding{About: check.Named(o.Ref), Confirmation: check.Confirmation{
								Settles: time.Minute,
								Absent: []check.Absent{{View: snapshot.Owners, Ref: snapshot.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind,
									Namespace: o.Namespace, Name: ref.Name, UID: ref.UID}}},
							}})
					}
				}
			}
			return a
		},
	}
}

// TestConfirm holds that what a finding misses is looked for again before it is called missing.
func TestConfirm(t *testing.T) {
	late := object("example.com/v1", "Train", "late", "team-a")
	for name, c := range map[string]struct {
		meanwhile func(*apiServer)
		want      []check.Certainty
	}{
		"still missing": {func(*apiServer) {}, []check.Certainty{check.Proven}},
		"found again":   {func(s *apiServer) { s.objects = append(s.objects, late) }, []check.Certainty{}},
		"made anew": {func(s *apiServer) {
			other := late.DeepCopy()
			other.SetUID("another")
			s.objects = append(s.objects, other)
		}, []check.Certainty{}}, // the check asks for Missing only
		"subject gone": {func(s *apiServer) {
			s.objects = slices.DeleteFunc(s.objects, func(o runtime.Object) bool { return accessor(o).GetName() == "a" })
		}, []check.Certainty{}},
		"cannot be asked": {func(s *apiServer) {
			s.fault = forbid("/apis/example.com/v1/namespaces/team-a/trains/late")
		}, []check.Certainty{check.Likely}},
		"server fails": {func(s *apiServer) {
			s.fault = func(w http.ResponseWriter, _ *http.Request) bool {
				fail(w, apierrors.NewInternalError(context.DeadlineExceeded))
				return true
			}
		}, []check.Certainty{check.Likely}},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, application("a", "team-a", owner("example.com/v1", "Train", "late")))
			s, again, err := scanErr(t.Context(), server, ClusterOptions{Needs: ownerMissing().Needs})
			require.NoError(t, err)
			results := check.Run(s, []check.Check{ownerMissing()}, check.DefaultParams())
			require.Len(t, results[0].Findings, 1)
			waited := time.Duration(0)
			amended, results, err := check.Confirm(t.Context(), s, results, check.DefaultParams(), check.Confirmer{
				Fetch: again.Fetch,
				Wait:  func(_ context.Context, d time.Duration) error { waited += d; c.meanwhile(server); return nil },
			})
			require.NoError(t, err)
			require.Equal(t, time.Minute, waited)
			got := []check.Certainty{}
			for _, f := range results[0].Findings {
				got = append(got, f.Certainty)
			}
			require.Equal(t, c.want, got)
			require.Len(t, s.SparkApplications(), 1, "the first snapshot is as it was")
			if name == "subject gone" {
				require.Empty(t, amended.SparkApplications())
				require.Equal(t, check.Passed, results[0].Status)
			}
		})
	}
}

func TestConfirmInterrupted(t *testing.T) {
	server := newServer(t, application("a", "team-a", owner("example.com/v1", "Train", "late")))
	s, again, err := scanErr(t.Context(), server, ClusterOptions{Needs: ownerMissing().Needs})
	require.NoError(t, err)
	results := check.Run(s, []check.Check{ownerMissing()}, check.DefaultParams())
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err = check.Confirm(ctx, s, results, check.DefaultParams(),
		check.Confirmer{Fetch: again.Fetch, Wait: func(context.Context, time.Duration) error {
			cancel()
			return nil
		}})
	require.ErrorIs(t, err, context.Canceled)
}
