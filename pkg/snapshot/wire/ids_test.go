package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestIDsOfNamespaces are the same as JSON and as protobuf; namespaces without them are as small as before.
func TestIDsOfNamespaces(t *testing.T) {
	src := source(t, snapshot.Namespaces)
	raw, err := (&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "etl", Annotations: map[string]string{
		snapshot.UsersAnnotation: "1000620000/10000", snapshot.GroupsAnnotation: "1000630000/10000", "openshift.io/requester": "me",
	}}}).Marshal()
	require.NoError(t, err)
	const text = `{"metadata":{"name":"etl","annotations":{"openshift.io/sa.scc.uid-range":"1000620000/10000",` +
		`"openshift.io/sa.scc.supplemental-groups":"1000630000/10000","openshift.io/requester":"me"}}}`
	for _, item := range []Item{{Encoding: snapshot.Protobuf, Raw: raw}, {Encoding: snapshot.JSON, Raw: []byte(text)}} {
		r, err := Decode(src, item)
		require.NoError(t, err)
		users, groups := snapshot.ObjectOf(r).IDs()
		require.Equal(t, []string{"1000620000/10000", "1000630000/10000"}, []string{users, groups})
	}
	r, err := Decode(src, Item{Encoding: snapshot.JSON, Raw: []byte(`{"metadata":{"name":"etl","annotations":{"a":"b"}}}`)})
	require.NoError(t, err)
	require.Nil(t, snapshot.ObjectOf(r).Seldom)
}
