package snapshot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestManyUndecodableObjectsAreCounted(t *testing.T) {
	var list []Unseen
	for i := range 2000 {
		list = append(list, Unseen{Verb: DecodeVerb, Resource: "pods", Namespace: "team-a", Reason: fmt.Sprintf("document %04d", i)})
	}
	list = append(list, Unseen{Verb: "list", Resource: "pods", Namespace: "team-a", Reason: "Forbidden"},
		Unseen{Verb: DecodeVerb, Resource: "pods", Namespace: "team-b", Reason: "x"})
	got := listUnseen(list)
	require.Equal(t, 2002, Unseens(got))
	require.Len(t, got, namedUndecodable+3)
	require.Equal(t, "document 0000", got[0].Reason, "the first is named")
	require.Equal(t, Unseen{Verb: DecodeVerb, Resource: "pods", Namespace: "team-a", Count: 1990, Reason: "1990 more could not be decoded"},
		got[11])
	require.Equal(t, got, listUnseen(got), "what an archive kept stays as it is")
	require.Equal(t, got, listUnseen(append(got[:len(got):len(got)], got...)), "what two checks say is said once")

	few := listUnseen(list[:namedUndecodable])
	require.Equal(t, list[:namedUndecodable], few)
}
