package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestProgressCountsLists: the lists that are done, of how many, come first; then the objects read so far, and the list being read.
func TestProgressCountsLists(t *testing.T) {
	p := newProgress(nil)
	tell := func(e collect.Progress) string {
		p.update(e, time.Unix(0, 0))
		return p.line(e.View)
	}
	require.Equal(t, "reading: 0 of 2 lists", tell(collect.Progress{Of: 2}))
	require.Equal(t, "reading: 0 of 2 lists, 500 objects, now services", tell(collect.Progress{View: snapshot.Services, Items: 500}))
	require.Equal(t, "reading: 0 of 2 lists, 501 objects, now namespaces", tell(collect.Progress{View: snapshot.Namespaces, Items: 1}))
	require.Equal(t, "reading: 1 of 2 lists, 501 objects, now services", tell(collect.Progress{View: snapshot.Services, Done: true}))
	p.clear() // there is no terminal
}
