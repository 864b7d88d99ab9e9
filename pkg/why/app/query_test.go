package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestTypesOfQueries: a type has its group behind a dot, with a version or without, as kubectl takes it.
func TestTypesOfQueries(t *testing.T) {
	for typed, want := range map[string]app.Query{
		"sparkapplication":                              {Kind: "SparkApplication"},
		"sparkapplication.spark.apache.org":             {Kind: "SparkApplication", Group: snapshot.ApacheGroup},
		"SparkApplications.spark.apache.org":            {Kind: "SparkApplication", Group: snapshot.ApacheGroup},
		"sparkapp.v1.spark.apache.org":                  {Kind: "SparkApplication", Group: snapshot.ApacheGroup},
		"sparkapplications.v1beta1.spark.apache.org":    {Kind: "SparkApplication", Group: snapshot.ApacheGroup},
		"sparkapplication.sparkoperator.k8s.io":         {Kind: "SparkApplication", Group: snapshot.SparkGroup},
		"sparkapplication.v1beta2.sparkoperator.k8s.io": {Kind: "SparkApplication", Group: snapshot.SparkGroup},
		"sparkcluster.spark.apache.org":                 {Kind: "SparkCluster", Group: snapshot.ApacheGroup},
		"sparkconnects.sparkoperator.k8s.io":            {Kind: "SparkConnect", Group: snapshot.SparkGroup},
		"pods.v1":                                       {Kind: "Pod"},
		"po":                                            {Kind: "Pod"},
	} {
		want.Namespace, want.Name = "a", "etl"
		got, err := app.ParseQuery(typed+"/etl", "a")
		require.NoError(t, err, typed)
		require.Equal(t, want, got, typed)
		if want.Group != "" {
			require.Equal(t, want.Group, got.Ref().Group(), typed)
			require.Equal(t, got, app.QueryFor(got.Ref()), typed)
		}
	}
	for typed, says := range map[string]string{
		"sparkapplication.apps":                  "a sparkapplication is of sparkoperator.k8s.io or spark.apache.org",
		"sparkapplication.v1":                    "a sparkapplication is of sparkoperator.k8s.io or spark.apache.org",
		"sparkcluster.sparkoperator.k8s.io":      "a sparkcluster is of spark.apache.org",
		"scheduledsparkapplication.spark.apache": "a scheduledsparkapplication is of sparkoperator.k8s.io",
		"pods.apps":                              "a pod is of no group",
		"deployment.apps":                        `"deployment.apps" is neither a type of an application`,
	} {
		_, err := app.ParseQuery(typed+"/etl", "")
		require.ErrorContains(t, err, says, typed)
	}
	require.Equal(t, "sparkapplication.spark.apache.org", app.Query{Kind: "SparkApplication", Group: snapshot.ApacheGroup}.Type())
	require.Equal(t, "sparkconnect", app.Query{Kind: "SparkConnect"}.Type())
}

// TestBothOperatorsHaveTheName: the group chooses; without it the answer is about the Kubeflow operator's, and the other is known.
func TestBothOperatorsHaveTheName(t *testing.T) {
	const kubeflow = "{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: etl, namespace: a, uid: o}}"
	driver := podWith("a", "etl-1-driver", 1, of("s1", "driver", "spark.operator/spark-app-name", "etl"))
	made := func(apache string, pods ...*snapshot.Whole) *snapshot.Snapshot {
		b := snapshot.NewBuilder(time.Date(2026, 11, 23, 13, 0, 0, 0, time.UTC))
		b.Add(snapshot.WholeApplications, objectOf(t, snapshot.WholeApplications, kubeflow))
		if apache != "" {
			b.Add(snapshot.WholeApacheApplications, objectOf(t, snapshot.WholeApacheApplications, apache))
		}
		for _, p := range pods {
			b.Add(snapshot.WholePods, p)
		}
		return b.Seal()
	}
	found := func(s *snapshot.Snapshot, asked string) (snapshot.Ref, *snapshot.Ref, error) {
		q, err := app.ParseQuery(asked, "a")
		require.NoError(t, err)
		ref, err := app.Find(s, q)
		return ref, app.Namesake(s, q, ref), err
	}
	both := made(apacheJob, driver)
	for _, asked := range []string{"etl", "sparkapplication/etl"} {
		ref, other, err := found(both, asked)
		require.NoError(t, err)
		require.Equal(t, "o", ref.UID)
		require.Equal(t, "u", other.UID, asked)
	}
	for asked, uid := range map[string]string{"sparkapplication.sparkoperator.k8s.io/etl": "o", "pod/etl-1-driver": driver.UID,
		"sparkapplication.spark.apache.org/etl": driver.UID} {
		ref, other, err := found(both, asked)
		require.NoError(t, err)
		require.Equal(t, uid, ref.UID, asked)
		require.Nil(t, other, asked)
	}
	ref, _, err := found(made(apacheJob), "sparkapplication.spark.apache.org/etl")
	require.NoError(t, err)
	require.Equal(t, "u", ref.UID, "no driver is left")

	ref, other, err := found(made(""), "etl")
	require.NoError(t, err)
	require.Equal(t, "o", ref.UID)
	require.Nil(t, other)
	_, _, err = found(made(""), "sparkapplication.spark.apache.org/etl")
	require.EqualError(t, err, `no sparkapplication.spark.apache.org "etl" was found in namespace a`)
	ref, _, err = found(made("", driver), "sparkapplication.spark.apache.org/etl")
	require.NoError(t, err)
	require.Equal(t, driver.UID, ref.UID, "its pods are left")
}
