package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWanted holds that what is wanted follows the records that come, whoever asked before.
func TestWanted(t *testing.T) {
	app := GroupKind{SparkGroup, "SparkApplication"}
	pod := &Pod{Object: Object{
		Ref:    Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-driver", UID: "p"},
		Owners: []OwnerReference{{APIVersion: SparkGroup + "/v1beta2", Kind: app.Kind, Name: "etl", UID: "u"}},
	}}
	b := NewBuilder(time.Time{})
	require.Empty(t, b.Wanted())
	b.Add(SparkPods, pod)
	key := Key{app, "a", "etl"}
	require.Equal(t, map[GroupKind]Wanted{app: {UIDs: map[string]bool{"u": true}, Keys: map[Key]bool{key: true, {app, "", "etl"}: true}}},
		b.Wanted())

	page := &Batch{}
	page.Add(SparkApplications, &SparkApplication{Object: Object{Ref: Ref{APIVersion: SparkGroup + "/v1beta2", Kind: app.Kind, Namespace: "b",
		Name: "etl", UID: "u"}}})
	b.Take(page)
	b.Add(Owners, &Object{Ref: Ref{APIVersion: "v1", Kind: "ConfigMap", Name: "nobody's"}})
	require.Equal(t, map[GroupKind]Wanted{app: {UIDs: map[string]bool{}, Keys: map[Key]bool{}}}, b.Wanted())
	s := b.Seal()
	found := s.Ownership().Resolve(&s.SparkPods()[0].Object, pod.Owners[0])
	require.Equal(t, CrossNamespace, found.Verdict)
	require.Equal(t, "b", found.Owner.Namespace)
}
