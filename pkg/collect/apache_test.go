package collect

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

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

	got = readApplication(t, s, "", "both")
	require.Equal(t, []string{"both"}, namesOf(got.InFull(snapshot.WholeApplications)))
	require.Empty(t, got.InFull(snapshot.WholeApacheApplications))
	require.Zero(t, s.asked(applications+"both"))

	s.without(snapshot.ApacheGroup)
	asked := s.asked(applications + "etl")
	got = readApplication(t, s, "SparkApplication", "etl")
	require.Equal(t, []string{"etl-0-driver", "etl-0-exec-1"}, namesOf(got.InFull(snapshot.WholePods)), "by the label alone")
	require.Empty(t, got.Coverage(snapshot.WholeApacheApplications).Unseen)
	require.Equal(t, asked, s.asked(applications+"etl"))
}
