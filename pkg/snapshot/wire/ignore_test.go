package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestIgnoreAnnotationIsKept in every encoding, and no other annotation is.
func TestIgnoreAnnotationIsKept(t *testing.T) {
	annotations := map[string]string{"a": "1", snapshot.IgnoreAnnotation: "SD2001: moved", snapshot.LastAppliedAnnotation: "{}", "z": "2"}
	meta := metav1.ObjectMeta{Name: "etl-driver", Namespace: "team-a", UID: "11111111-0000-4000-8000-000000000001", Annotations: annotations}
	pod := requireAlike(t, &corev1.Pod{ObjectMeta: meta})
	require.Equal(t, "SD2001: moved", pod.Ignore())

	raw, err := (&metav1.PartialObjectMetadata{ObjectMeta: meta}).Marshal()
	require.NoError(t, err)
	b := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	b.Add(snapshot.SparkPods, pod)
	for _, src := range snapshot.ListedSources() {
		text := `{"apiVersion":"` + src.Group + `/v1","kind":"` + src.Kind +
			`","metadata":{"name":"x","namespace":"team-a","annotations":{"sparkdoctor.io/ignore":"SD2001: moved"}}}`
		r, err := Decode(src, Item{Encoding: snapshot.JSON, Raw: []byte(text)})
		require.NoError(t, err, src.View)
		if r == nil || src.View == snapshot.WarningEvents {
			continue // a Secret without a certificate; an event of another kind
		}
		require.Equal(t, "SD2001: moved", snapshot.ObjectOf(r).Ignore(), src.View)
		if _, is := r.(*snapshot.Object); is {
			r, err := Decode(src, Item{Encoding: snapshot.Protobuf, Raw: raw})
			require.NoError(t, err)
			require.Equal(t, "SD2001: moved", snapshot.ObjectOf(r).Ignore(), "%s as metadata", src.View)
		}
		b.Add(src.View, r)
		b.Add(src.View, r) // as when two listings have it
	}
	list := b.Seal().Ignored()
	require.Greater(t, len(list), 10)
	seen := map[snapshot.Key]bool{}
	for _, o := range list {
		require.False(t, seen[o.Key()], "%s twice", o.Ref)
		seen[o.Key()] = true
		require.Equal(t, "SD2001: moved", o.Text)
	}
}
