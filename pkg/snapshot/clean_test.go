package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// TestCleanLeavesWhatIsShared: pods that are alike share what is wrong with them; only the one with a secret gets its own.
func TestCleanLeavesWhatIsShared(t *testing.T) {
	shared := &PodProblem{Message: "token=hunter2"}
	owners := []OwnerReference{{Name: "driver"}}
	p := &Pod{Object: Object{Owners: owners}, Trouble: shared}
	Clean(p)
	require.Equal(t, "token="+redact.Mark, p.Trouble.Message)
	require.Equal(t, "token=hunter2", shared.Message, "another record may hold it, and is cleaned by itself")
	quiet := &PodProblem{Message: "0/3 nodes are available"}
	p = &Pod{Object: Object{Owners: owners}, Trouble: quiet}
	Clean(p)
	require.Same(t, quiet, p.Trouble)
	require.Same(t, &owners[0], &p.Owners[0])
}
