package archive

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestAdviceIsNoVerdict: an archive without what only next steps name is whole.
func TestAdviceIsNoVerdict(t *testing.T) {
	d := new(snapshot.Deployment)
	require.Contains(t, snapshot.FieldsOf(d), "TrackedBy")
	require.NotContains(t, snapshot.JudgedFieldsOf(d), "TrackedBy")
	require.NotContains(t, snapshot.JudgedFieldsOf(d), "Containers.MemoryLimit")
	require.Contains(t, snapshot.JudgedFieldsOf(d), "Containers.LowPorts")
}
