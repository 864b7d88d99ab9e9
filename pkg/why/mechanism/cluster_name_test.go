package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestClusterNameOf(t *testing.T) {
	for host, want := range map[string]clusterName{
		"minio":                          {Service: "minio"},
		"minio.store":                    {Service: "minio", Namespace: "store"},
		"minio.store.svc":                {Service: "minio", Namespace: "store", Svc: true},
		"minio.store.svc.cluster.local":  {Service: "minio", Namespace: "store", Svc: true, rest: ".cluster.local"},
		"minio.store.svc.cluster.local.": {Service: "minio", Namespace: "store", Svc: true, rest: ".cluster.local."},
		"db-0.db.store.svc":              {Pod: "db-0", Service: "db", Namespace: "store", Svc: true},
	} {
		got, is := clusterNameOf(host)
		require.True(t, is, host)
		require.Equal(t, want, got, host)
	}
	for _, host := range []string{"", "s3.eu-west-1.amazonaws.com"} {
		_, is := clusterNameOf(host)
		require.False(t, is, host)
	}
}

// TestCorrectedSettings: only the host itself is put right, and only its own port: what has the same letters or digits stays.
func TestCorrectedSettings(t *testing.T) {
	in := func(namespace, name string) snapshot.Ref { return snapshot.Ref{Namespace: namespace, Name: name} }
	elsewhere := ServiceElsewhere{Host: "db", Short: true, Asked: "jobs", Service: in("store", "db")}
	require.Equal(t, "jdbc:postgresql://db.store:5432/dbname", elsewhere.Corrected("jdbc:postgresql://db:5432/dbname"))
	require.Equal(t, "mydb:1", elsewhere.Corrected("mydb:1"))
	pods := ServiceElsewhere{Host: "m-0.m.old.svc", Asked: "old", Service: in("new", "m")}
	require.Equal(t, "m-0.m.new.svc:9097,m-1.m.new.svc.cluster.local:9097,m-1.m.older.svc",
		pods.Corrected("m-0.m.old.svc:9097,m-1.m.old.svc.cluster.local:9097,m-1.m.older.svc"))
	unserved := PortUnserved{Host: "a", Port: 9092}
	require.Equal(t, "b:9092,a:9093,a:90921", unserved.Corrected("b:9092,a:9092,a:90921", 9093))
	require.Equal(t, "b:9092", unserved.Corrected("b:9092", 9093))
}
