package wire

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestKeysAgree holds that each view that objects are read into has a decoder, and each decoder a view.
func TestKeysAgree(t *testing.T) {
	want := []snapshot.View{snapshot.Owners}
	for _, src := range snapshot.Sources() {
		want = append(want, src.View)
	}
	require.ElementsMatch(t, want, slices.Collect(maps.Keys(decoders())))
}

// TestDecodersMakeRecordsOfTheirView holds that a decoder makes what the table of kinds says the view holds.
func TestDecodersMakeRecordsOfTheirView(t *testing.T) {
	for _, src := range snapshot.Sources() {
		r, err := Decode(src, Item{Encoding: snapshot.JSON, Raw: []byte("{}")})
		require.NoError(t, err, src.View)
		if r != nil { // some keep only what checks read
			require.IsType(t, snapshot.NewRecord(src.View), r, src.View)
		}
	}
}
