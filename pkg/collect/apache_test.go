package collect

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

func readIn(t *testing.T, s *apiServer, group, kind, name string) *snapshot.Snapshot {
	t.Helper()
	got, _, err := Application(t.Context(), connected(t, s.config()), ApplicationOptions{
		ClusterOptions: ClusterOptions{Needs: need(snapshot.SparkApplications), Now: func() time.Time { return later }},
		Group:          group, Kind: kind, Namespace: "team-a", Name: name,
	})
	require.NoError(t, err)
	return got
}

// TestObjectsOfApacheAreRead last, with the pods that have their label, and not asked for where nothing serves them.
func TestObjectsOfApacheAreRead(t *testing.T) {
	driver, executor, worker := sparkPod("", "etl-0-driver", "driver", 0), sparkPod("", "etl-0-exec-1", "executor", 0),
		sparkPod("", "prod-worker-0", "worker", 0)
	for p, label := range map[*corev1.Pod]string{driver: snapshot.ApacheNameLabel, executor: snapshot.ApacheNameLabel,
		worker: snapshot.ApacheClusterLabel} {
		delete(p.Labels, snapshot.AppNameLabel)
		delete(p.Labels, snapshot.LaunchedByLabel)
		p.Labels[label], p.Labels[snapshot.AppSelectorLabel] = "etl", "etl-0"
	}
	worker.Labels[snapshot.ApacheClusterLabel], worker.Labels[snapshot.AppSelectorLabel] = "prod", "prod"
	s := newServer(t, object("spark.apache.org/v1", "SparkApplication", "etl", "team-a"), driver, executor, worker,
		object("spark.apache.org/v1", "SparkCluster", "prod", "team-a"), application("both", "team-a"),
		object("spark.apache.org/v1", "SparkApplication", "both", "team-a"))
	const applications = "/apis/spark.apache.org/v1/namespaces/team-a/sparkapplications/"

	for kind, name := range map[string]string{"": "etl", "SparkApplication": "etl", "Pod": "etl-0-driver"} {
		got := readApplication(t, s, kind, name)
		require.Equal(t, []string{"etl"}, namesOf(got.InFull(snapshot.WholeApacheApplications)), kind)
		require.Equal(t, []string{"etl-0-driver", "etl-0-exec-1"}, namesOf(got.InFull(snapshot.WholePods)), kind)
		require.Empty(t, got.InFull(snapshot.WholeApplications))
		require.Empty(t, got.SparkApplications(), "no check sees it")
	}
	got := readApplication(t, s, "SparkCluster", "prod")
	require.Equal(t, []string{"prod"}, namesOf(got.InFull(snapshot.WholeApacheClusters)))
	require.Equal(t, []string{"prod-worker-0"}, namesOf(got.InFull(snapshot.WholePods)))

	got = readIn(t, s, snapshot.SparkGroup, "SparkApplication", "both")
	require.Equal(t, []string{"both"}, namesOf(got.InFull(snapshot.WholeApplications)))
	require.Empty(t, got.InFull(snapshot.WholeApacheApplications))
	require.Zero(t, s.asked(applications+"both"))
	got = readIn(t, s, snapshot.ApacheGroup, "SparkApplication", "both")
	require.Equal(t, []string{"both"}, namesOf(got.InFull(snapshot.WholeApacheApplications)))
	require.Empty(t, got.InFull(snapshot.WholeApplications))
	got = readIn(t, s, snapshot.ApacheGroup, "SparkApplication", "gone")
	require.Empty(t, got.InFull(snapshot.WholeApplications), "nor looked for there")

	got = readApplication(t, s, "", "both")
	require.Equal(t, []string{"both"}, namesOf(got.InFull(snapshot.WholeApplications)))
	require.Equal(t, []string{"both"}, namesOf(got.InFull(snapshot.WholeApacheApplications)), "to say that there are two")
	s.fault = forbid(applications + "both")
	got = readApplication(t, s, "", "both")
	require.Empty(t, got.Coverage(snapshot.WholeApacheApplications).Unseen, "the user asked about the other one")
	s.fault = nil

	s.without(snapshot.ApacheGroup)
	asked := s.asked(applications + "etl")
	got = readApplication(t, s, "SparkApplication", "etl")
	require.Equal(t, []string{"etl-0-driver", "etl-0-exec-1"}, namesOf(got.InFull(snapshot.WholePods)), "by the label alone")
	require.Empty(t, got.Coverage(snapshot.WholeApacheApplications).Unseen)
	require.Equal(t, asked, s.asked(applications+"etl"))
}

// serves makes the server have the kinds of Apache in some versions only.
func (s *apiServer) serves(versions ...string) {
	var kinds []servedKind
	for _, k := range s.kinds {
		if k.Group == snapshot.ApacheGroup {
			for _, version := range versions {
				one := k
				one.Version = version
				kinds = append(kinds, one)
			}
			continue
		}
		kinds = append(kinds, k)
	}
	s.kinds = kinds
}

// TestVersionsOfApache: the newest of those whose fields are known is read; another is said not to be.
func TestVersionsOfApache(t *testing.T) {
	for _, c := range []struct {
		served []string
		read   string // empty: none can be
	}{
		{[]string{"v1alpha1", "v1beta1", "v1"}, "v1"}, {[]string{"v1beta1", "v1alpha1"}, "v1beta1"}, {[]string{"v1alpha1"}, "v1alpha1"},
		{[]string{"v2"}, ""}, {[]string{"v2", "v1"}, "v1"},
	} {
		s := newServer(t)
		for _, version := range c.served {
			s.objects = append(s.objects, object("spark.apache.org/"+version, "SparkApplication", "etl", "team-a"))
		}
		s.serves(c.served...)
		got := readApplication(t, s, "", "etl")
		names, err := Names(t.Context(), connected(t, s.config()), snapshot.WholeApacheApplications, "team-a")
		listed, _, failed := Cluster(t.Context(), connected(t, s.config()), ClusterOptions{Needs: need(snapshot.ApacheViews()...), Now: time.Now})
		require.NoError(t, failed)
		if c.read == "" {
			require.Error(t, err)
			for _, unseen := range [][]snapshot.Unseen{got.Coverage(snapshot.WholeApacheApplications).Unseen,
				listed.Coverage(snapshot.WholeApacheApplications).Unseen} {
				require.Len(t, unseen, 1)
				require.Equal(t, "the server has it as v2 only, not as v1", unseen[0].Reason)
			}
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []string{"etl"}, names)
		for _, list := range [][]snapshot.Whole{got.InFull(snapshot.WholeApacheApplications), listed.InFull(snapshot.WholeApacheApplications)} {
			require.Len(t, list, 1, c.served)
			require.Equal(t, "spark.apache.org/"+c.read, list[0].APIVersion)
		}
	}
}

// TestListOfApache: of each object, how it stands.
func TestListOfApache(t *testing.T) {
	etl := object("spark.apache.org/v1", "SparkApplication", "etl", "team-a")
	etl.Object["spec"] = map[string]any{"mainClass": "A"}
	etl.Object["status"] = map[string]any{
		"currentState": map[string]any{"currentStateSummary": "ResourceReleased", "lastTransitionTime": "2026-11-20T02:00:00Z"},
		"stateTransitionHistory": map[string]any{
			"3": map[string]any{"currentStateSummary": "Failed", "lastTransitionTime": "2026-11-20T01:59:00Z", "message": "m",
				"lastObservedDriverStatus": map[string]any{"phase": "Failed"}},
		}}
	s := newServer(t, etl, object("spark.apache.org/v1", "SparkApplication", "new", "team-b"),
		object("spark.apache.org/v1", "SparkCluster", "prod", "team-a"))
	list := func(namespaces ...string) *snapshot.Snapshot {
		got, _, err := Cluster(t.Context(), connected(t, s.config()),
			ClusterOptions{Needs: need(snapshot.ApacheViews()...), Namespaces: namespaces, Fallback: []string{"team-a"}, Now: time.Now})
		require.NoError(t, err)
		return got
	}
	got := list()
	require.Equal(t, []string{"etl", "new"}, namesOf(got.InFull(snapshot.WholeApacheApplications)))
	require.Equal(t, []string{"prod"}, namesOf(got.InFull(snapshot.WholeApacheClusters)))
	w := got.InFull(snapshot.WholeApacheApplications)[0]
	a := app.ApacheIn(&w)
	require.Equal(t, "Failed", a.Outcome().State)
	require.Equal(t, time.Date(2026, 11, 20, 1, 59, 0, 0, time.UTC), a.Outcome().At)
	require.Equal(t, "etl", a.Name)
	require.NotContains(t, w.Fields, "spec")
	require.Nil(t, a.Outcome().Driver)

	require.Equal(t, []string{"etl"}, namesOf(list("team-a").InFull(snapshot.WholeApacheApplications)))
	s.fault = forbid("/apis/spark.apache.org/v1/sparkapplications", "/api/v1/namespaces")
	got = list()
	require.Equal(t, []string{"etl"}, namesOf(got.InFull(snapshot.WholeApacheApplications)), "of the namespaces that the user may read")
	require.Equal(t, snapshot.Partial, got.Coverage(snapshot.WholeApacheApplications).State)
	s.fault = nil
	s.without(snapshot.ApacheGroup)
	requests := len(s.requests)
	got = list()
	require.Equal(t, snapshot.NotServed, got.Coverage(snapshot.WholeApacheApplications).State)
	require.Len(t, s.requests, requests, "nothing is asked for")
}
