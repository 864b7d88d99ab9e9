package collect

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// everything needs all views.
func everything() []snapshot.Need {
	needs := []snapshot.Need{{View: snapshot.Owners}, {View: snapshot.WebhookEndpoints}}
	for _, src := range snapshot.ListedSources() {
		needs = append(needs, snapshot.Need{View: src.View})
	}
	return needs
}

func need(views ...snapshot.View) []snapshot.Need {
	var out []snapshot.Need
	for _, v := range views {
		out = append(out, snapshot.Need{View: v})
	}
	return out
}

// later is when the cluster is read, where the server does not say.
var later = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func scan(t *testing.T, s *apiServer, o ClusterOptions) *snapshot.Snapshot {
	t.Helper()
	got, _, err := scanErr(t.Context(), s, o)
	require.NoError(t, err)
	return got
}

func scanErr(ctx context.Context, s *apiServer, o ClusterOptions) (*snapshot.Snapshot, *Again, error) {
	if o.Needs == nil {
		o.Needs = everything()
	}
	o.Now = func() time.Time { return later }
	conn, err := apiserver.Connect(s.config())
	if err != nil {
		return nil, nil, err
	}
	return Cluster(ctx, conn, o)
}

func connected(t *testing.T, config *rest.Config) *apiserver.Connection {
	t.Helper()
	conn, err := apiserver.Connect(config)
	require.NoError(t, err)
	return conn
}

// states are the states of all views that are not complete.
func states(s *snapshot.Snapshot) map[snapshot.View]string {
	out := map[snapshot.View]string{}
	for _, n := range everything() {
		if c := s.Coverage(n.View); c.State != snapshot.Complete {
			out[n.View] = c.State.String()
		}
	}
	return out
}

func TestClusterInTwoRounds(t *testing.T) {
	for name, legacy := range map[string]bool{"aggregated discovery": false, "legacy discovery": true} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, fleet(30)...)
			server.legacy = legacy
			s := scan(t, server, ClusterOptions{ChunkSize: 10})
			require.Empty(t, states(s))
			require.Len(t, s.SparkApplications(), 30)
			require.Len(t, s.SparkPods(), 30, "the server selects by label")
			require.Equal(t, "Running", s.SparkPods()[0].Phase)
			require.Len(t, s.WarningEvents(), 1)
			require.Len(t, s.MutatingWebhooks(), 1)
			require.Equal(t, "Ignore", s.MutatingWebhooks()[0].Webhooks[0].FailurePolicy)
			require.Len(t, s.WebhookEndpoints(), 1, "only the slices of the webhook's Service")
			require.True(t, s.Live)
			require.Equal(t, serverTime, s.TakenAt, "the server's clock counts")
			a := s.SparkApplications()[0]
			require.Equal(t, snapshot.CrossNamespace, s.Ownership().Resolve(&a.Object, a.Owners[0]).Verdict)
		})
	}
}

func TestOwnersOfOtherKinds(t *testing.T) {
	server := newServer(t,
		application("a", "team-a", owner("v1", "Node", "node"), owner("example.com/v1", "Train", "train"),
			owner("example.com/v1", "Train", "gone"),
			owner("v1", "Binding", "b"), owner("no.such/v1", "Group", "g"), owner("v1", "Node", "../namespaces/kube-system/secrets/x")),
		object("example.com/v1", "Train", "train", "team-a"), object("example.com/v1", "Train", "unrelated", "team-a"),
		object("v1", "Node", "node", ""),
	)
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.Owners)})
	a := s.SparkApplications()[0]
	var verdicts []snapshot.Verdict
	for _, ref := range a.Owners {
		verdicts = append(verdicts, s.Ownership().Resolve(&a.Object, ref).Verdict)
	}
	require.Equal(t, []snapshot.Verdict{snapshot.Valid, snapshot.Valid, snapshot.Missing, snapshot.Unjudged, snapshot.Unservable,
		snapshot.Missing}, verdicts)
	require.Equal(t, snapshot.Partial, s.Coverage(snapshot.Owners).State, "bindings cannot be listed")
	require.Equal(t, 1, server.asked("/apis/example.com/v1/trains"))
	require.Equal(t, 1, server.asked("/api/v1/nodes"))
}

// TestRequests holds that a scan costs one listing a view, in pages, whatever the number of objects.
func TestRequests(t *testing.T) {
	server := newServer(t, fleet(50)...)
	scan(t, server, ClusterOptions{ChunkSize: 10})
	oneEach := len(snapshot.ListedSources())
	pages := 2 * (50/10 - 1)
	endpoints := 1 // the workflows that own are listed already
	require.Len(t, server.requests, oneEach+pages+endpoints)
	require.Equal(t, 5, server.asked("/apis/sparkoperator.k8s.io/v1beta2/sparkapplications"))
	require.Equal(t, 5, server.asked("/api/v1/pods"))
	require.Equal(t, 1, server.asked("/api/v1/services"))

	narrow := newServer(t, fleet(50)...)
	s := scan(t, narrow, ClusterOptions{Needs: need(snapshot.SparkPods), Namespaces: []string{"team-a"}})
	require.Len(t, s.SparkPods(), 25)
	require.Equal(t, []string{"/api/v1/namespaces/team-a/pods?"}, narrow.requests)
}

func TestPagesFollowTheSizeOfItems(t *testing.T) {
	server := newServer(t, fleet(1200)...)
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkPods)})
	require.Len(t, s.SparkPods(), 1200)
	require.Equal(t, 2, server.asked("/api/v1/pods"), "500, and then as many as make up 16 MiB")
}

func TestProgress(t *testing.T) {
	server := newServer(t, fleet(30)...)
	server.without("argoproj.io")
	var last []Progress
	scan(t, server, ClusterOptions{ChunkSize: 10, Needs: need(snapshot.SparkPods), Progress: func(p Progress) {
		last = append(last, p)
	}})
	v := snapshot.SparkPods
	require.Equal(t, []Progress{{Of: 1}, {View: v, Items: 10}, {View: v, Items: 20}, {View: v, Items: 30}, {View: v, Done: true}}, last)
}

func TestCustomResourcesKeepTheirSizes(t *testing.T) {
	a := application("a", "team-a")
	a.Object["spec"] = map[string]any{"sparkConf": map[string]any{"x": "y"}}
	server := newServer(t, runtime.Object(a))
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	raw, err := a.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, len(raw)-len("\n"), s.SparkApplications()[0].Sizes.Object)
	require.Equal(t, len(`{"x":"y"}`), s.SparkApplications()[0].Sizes.SparkConf)
}
