package collect

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	appsPath = "/apis/sparkoperator.k8s.io/v1beta2/sparkapplications"
	podsPath = "/api/v1/pods"
)

func inNamespace(namespace, resource string) string {
	return "/apis/sparkoperator.k8s.io/v1beta2/namespaces/" + namespace + "/" + resource
}

func forbidden(namespace string) snapshot.Unseen {
	return snapshot.Unseen{Verb: "list", Resource: "sparkapplications.sparkoperator.k8s.io", Namespace: namespace, Reason: "forbidden"}
}

func TestForbidden(t *testing.T) {
	for name, c := range map[string]struct {
		forbid     []string
		namespaces []string
		fallback   []string
		want       snapshot.Coverage
		apps       int
	}{
		"nothing": {want: snapshot.Coverage{State: snapshot.Complete}, apps: 10},
		"across all namespaces": {
			forbid: []string{appsPath}, apps: 10,
			want: snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-a", "team-b"}, Unseen: []snapshot.Unseen{forbidden("")}},
		},
		"and in one of them": {
			forbid: []string{appsPath, inNamespace("team-b", "sparkapplications")}, apps: 5,
			want: snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-a"},
				Unseen: []snapshot.Unseen{forbidden(""), forbidden("team-b")}},
		},
		"and namespaces: that of the context is tried": {
			forbid: []string{appsPath, "/api/v1/namespaces"}, fallback: []string{"team-b"}, apps: 5,
			want: snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-b"}, Unseen: []snapshot.Unseen{forbidden("")}},
		},
		"everything": {
			forbid: []string{appsPath, inNamespace("team-a", "sparkapplications"), inNamespace("team-b", "sparkapplications")},
			want: snapshot.Coverage{State: snapshot.Unseeable, Namespaces: []string{},
				Unseen: []snapshot.Unseen{forbidden(""), forbidden("team-a"), forbidden("team-b")}},
		},
		"one of the namespaces asked for": {
			forbid: []string{appsPath, inNamespace("team-b", "sparkapplications")}, namespaces: []string{"team-a", "team-b"}, apps: 5,
			want: snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-a"}, Unseen: []snapshot.Unseen{forbidden("team-b")}},
		},
		"elsewhere than where it was asked": {
			forbid: []string{appsPath}, namespaces: []string{"team-a"}, apps: 5,
			want: snapshot.Coverage{State: snapshot.Complete, Namespaces: []string{"team-a"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, fleet(10)...)
			server.fault = forbid(c.forbid...)
			s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications), Namespaces: c.namespaces, Fallback: c.fallback})
			require.Equal(t, c.want, s.Coverage(snapshot.SparkApplications))
			require.Len(t, s.SparkApplications(), c.apps)
		})
	}
}

// TestForbiddenAnywhere holds for every kind that one which may not be listed costs nothing but itself.
func TestForbiddenAnywhere(t *testing.T) {
	for _, src := range snapshot.ListedSources() {
		server := newServer(t, fleet(2)...)
		path := resource{group: src.Group, version: src.Version, name: src.Resource}.path("")
		server.fault = func(w http.ResponseWriter, r *http.Request) bool {
			return forbid(path, "/api/v1/namespaces")(w, r)
		}
		got := states(scan(t, server, ClusterOptions{}))
		require.Equal(t, "unreadable", got[src.View], src.View)
		delete(got, src.View)
		delete(got, snapshot.Namespaces)
		delete(got, snapshot.Owners) // lists workflows again, when the first listing could not
		require.Empty(t, got, src.View)
	}
}

func TestTokenExpiresInTheMiddle(t *testing.T) {
	server := newServer(t, fleet(30)...)
	server.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != appsPath || r.URL.Query().Get("continue") == "" {
			return false
		}
		fail(w, apierrors.NewUnauthorized("Unauthorized"))
		return true
	}
	s := scan(t, server, ClusterOptions{ChunkSize: 10, Needs: need(snapshot.SparkApplications)})
	require.Len(t, s.SparkApplications(), 10)
	require.Equal(t, snapshot.Partial, s.Coverage(snapshot.SparkApplications).State)
	require.Equal(t, "unauthorized", s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
}
