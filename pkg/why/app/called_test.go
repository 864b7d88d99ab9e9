package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// podWith is a pod with labels, created some minutes after noon.
func podWith(namespace, name string, minutes int, labels map[string]any) *snapshot.Whole {
	at := time.Date(2026, 11, 23, 12, minutes, 0, 0, time.UTC)
	return &snapshot.Whole{
		Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name, UID: name}, Created: at},
		Fields: map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"namespace": namespace, "name": name, "uid": name,
			"creationTimestamp": at.Format(time.RFC3339), "labels": labels}},
	}
}

func of(selector, role string, more ...string) map[string]any {
	out := map[string]any{"spark-app-selector": selector, "spark-role": role}
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// layouts are the labels by which others than our operator name an application called etl.
func layouts() map[string][]string {
	return map[string][]string{
		"spark-submit and Dataproc": {"spark-app-name", "etl"},
		"Apache's operator": {"spark-app-name", "x", "spark.operator/spark-app-name", "etl", "spark.operator/name",
			"spark-kubernetes-operator"},
		"EMR on EKS": {"emr-containers.amazonaws.com/job.id", "etl", "emr-containers.amazonaws.com/component", "driver"},
	}
}

func snapshotOf(pods ...*snapshot.Whole) *snapshot.Snapshot {
	b := snapshot.NewBuilder(time.Date(2026, 11, 23, 13, 0, 0, 0, time.UTC))
	for _, p := range pods {
		b.Add(snapshot.WholePods, p)
	}
	b.Cover(snapshot.WholePods, snapshot.Coverage{State: snapshot.Complete})
	return b.Seal()
}

// TestFindByALabel: the newest run of the name is meant, and no pod of another one is taken for its part.
func TestFindByALabel(t *testing.T) {
	for layout, label := range layouts() {
		s := snapshotOf(
			podWith("a", "first-driver", 1, of("s1", "driver", label...)), podWith("a", "first-exec-1", 2, of("s1", "executor", label...)),
			podWith("a", "second-driver", 10, of("s2", "driver", label...)), podWith("a", "second-exec-1", 11, of("s2", "executor", label...)),
			podWith("a", "other-driver", 20, of("s3", "driver")), podWith("a", "other-exec-1", 21, of("s3", "executor")),
			podWith("a", "web", 30, map[string]any{"spark-app-name": "etl"}), // no application of Spark
		)
		for _, asked := range []string{"etl", "second-driver", "pod/second-driver", "pod/second-exec-1"} {
			q, err := app.ParseQuery(asked, "a")
			require.NoError(t, err)
			ref, err := app.Find(s, q)
			require.NoError(t, err, "%s: %s", layout, asked)
			e := app.From(s, ref)
			var names []string
			for _, p := range e.Pods {
				names = append(names, p.Name)
			}
			require.Equal(t, []string{"second-driver", "second-exec-1"}, names, "%s: %s", layout, asked)
		}
	}
}

func TestFindByALabelInSeveralNamespaces(t *testing.T) {
	s := snapshotOf(podWith("a", "x", 1, of("s1", "driver", "spark-app-name", "etl")),
		podWith("b", "y", 1, of("s2", "driver", "spark-app-name", "etl")))
	q, err := app.ParseQuery("etl", "")
	require.NoError(t, err)
	_, err = app.Find(s, q)
	var several *app.AmbiguousError
	require.ErrorAs(t, err, &several)
	require.Equal(t, []string{"a", "b"}, several.Namespaces)
	q.Namespace = "b"
	ref, err := app.Find(s, q)
	require.NoError(t, err)
	require.Equal(t, "y", ref.Name)
	q.Kind = "SparkApplication" // a label is no object
	_, err = app.Find(s, q)
	require.Error(t, err)
}
