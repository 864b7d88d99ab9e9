package apply

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

func parsed(t *testing.T, text string) *fix.Object {
	t.Helper()
	o := &fix.Object{}
	require.NoError(t, utiljson.Unmarshal([]byte(text), &o.Object))
	return o
}

func TestRollout(t *testing.T) {
	for status, want := range map[string]string{
		`{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"availableReplicas":2}`: "the controller manager has not seen it",
		`{"observedGeneration":2,"replicas":3,"updatedReplicas":1,"availableReplicas":2}`: "1 of 2 replicas are new",
		`{"observedGeneration":2,"replicas":3,"updatedReplicas":2,"availableReplicas":2}`: "1 old replicas are not gone",
		`{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"availableReplicas":1}`: "1 of 2 new replicas are available",
		`{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"availableReplicas":2}`: "",
	} {
		require.Equal(t, want, rollout(parsed(t, fmt.Sprintf(`{"metadata":{"generation":2},"spec":{"replicas":2},"status":%s}`, status))))
	}
}

// TestLeader: a lease outlives its holder, so that being held by another is not enough.
func TestLeader(t *testing.T) {
	lease := func(holder, renewed string) *fix.Object {
		return parsed(t, fmt.Sprintf(`{"spec":{"holderIdentity":%q,"renewTime":%q}}`, holder, renewed))
	}
	for name, tc := range map[string]struct {
		lease  *fix.Object
		before string
		done   bool
	}{
		"gone":             {nil, "1", false},
		"given back":       {lease("", "2"), "1", false},
		"the old one":      {lease("old", "2"), "1", false},
		"first look":       {lease("new", "1"), "", false},
		"not renewed":      {lease("new", "1"), "1", false},
		"another, renewed": {lease("new", "2"), "1", true},
	} {
		waits, _ := leader(tc.lease, "old", tc.before)
		require.Equal(t, tc.done, waits == "", name)
	}
}
