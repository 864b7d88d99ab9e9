package apply

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestUnservedKinds: an owner of a kind that is not served is not there; one whose group does not answer cannot be judged.
func TestUnservedKinds(t *testing.T) {
	owner := func(apiVersion string) []fix.Read {
		return []fix.Read{{Ref: snapshot.Ref{APIVersion: apiVersion, Kind: "Workflow", Namespace: "a", Name: "w"}}}
	}
	s, c := newServer(t, nil)
	s.groups = map[string]int{"/apis/broken.example/v1": http.StatusServiceUnavailable, "/apis/other.example/v1": http.StatusOK}
	for apiVersion, known := range map[string]bool{"gone.example/v1": true, "other.example/v1": true, "broken.example/v1": false} {
		f, err := c.Fetch(t.Context(), owner(apiVersion))
		require.Equal(t, known, err == nil, "%s: %v", apiVersion, err)
		require.Nil(t, f.Object(owner(apiVersion)[0].Ref))
	}
}
