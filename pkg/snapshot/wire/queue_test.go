package wire

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestWorkloadsOfApplications: of the Workloads of a cluster those are kept that a SparkApplication owns, in either encoding.
func TestWorkloadsOfApplications(t *testing.T) {
	src, _ := snapshot.SourceOf(snapshot.KueueWorkloads)
	for owner, kept := range map[metav1.OwnerReference]bool{
		{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Name: "etl", UID: "app-1"}: true,
		{APIVersion: "spark.apache.org/v1", Kind: "SparkApplication", Name: "etl", UID: "app-1"}:          false,
		{APIVersion: "batch/v1", Kind: "Job", Name: "etl", UID: "app-1"}:                                  false,
	} {
		object := metav1.PartialObjectMetadata{
			TypeMeta:   metav1.TypeMeta{APIVersion: "kueue.x-k8s.io/v1beta2", Kind: "Workload"},
			ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "w", UID: "w-1", OwnerReferences: []metav1.OwnerReference{owner}},
		}
		raw, err := object.Marshal()
		require.NoError(t, err)
		text, err := json.Marshal(object)
		require.NoError(t, err)
		for _, item := range []Item{{Encoding: snapshot.Metadata, Raw: raw}, {Encoding: snapshot.JSON, Raw: text}} {
			r, err := Decode(src, item)
			require.NoError(t, err)
			require.Equal(t, kept, r != nil, owner)
			if !kept {
				continue
			}
			app := &snapshot.SparkApplication{Object: snapshot.Object{Ref: snapshot.Ref{Namespace: "team-a", Name: "etl", UID: "app-1"}}}
			require.True(t, app.OwnsWorkload([]snapshot.Object{*snapshot.ObjectOf(r)}))
			app.UID = "app-2"
			require.False(t, app.OwnsWorkload([]snapshot.Object{*snapshot.ObjectOf(r)}), "of an application that was there before")
		}
	}
}

// TestQueueOfAPod: annotations are kept of pods that have no node yet, labels of all.
func TestQueueOfAPod(t *testing.T) {
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	for name, tt := range map[string]struct{ metadata, want string }{
		"Volcano":            {`"annotations":{"a":"b","volcano.sh/queue-name":"q1"}`, "q1"},
		"Volcano's group":    {`"annotations":{"scheduling.volcano.sh/queue-name":"q2"}`, "q2"},
		"YuniKorn":           {`"annotations":{"yunikorn.apache.org/queue":"root.a"},"labels":{"queue":"root.b"}`, "root.a"},
		"YuniKorn, by label": {`"labels":{"queue":"root.b"}`, "root.b"},
		"Kueue":              {`"labels":{"kueue.x-k8s.io/queue-name":"user-queue"}`, "user-queue"},
		"none":               {`"labels":{"a":"b"}`, ""},
	} {
		r, err := Decode(src, Item{Raw: []byte(`{"metadata":{` + tt.metadata +
			`},"spec":{"schedulerName":"yunikorn"},"status":{"phase":"Pending"}}`)})
		require.NoError(t, err)
		pod, ok := r.(*snapshot.Pod)
		require.True(t, ok)
		require.Equal(t, []string{tt.want, "yunikorn"}, []string{pod.Queue(), pod.Trouble.Scheduler}, name)
	}
}
