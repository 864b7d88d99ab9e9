package controlplane

import (
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPortsOfTwoClustersDiffer draws all ports of two clusters: none is drawn for both, and none that is listened on.
func TestPortsOfTwoClustersDiffer(t *testing.T) {
	seen := map[int]bool{}
	for range 2 {
		p, err := reservePorts()
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, p.release()) })
		drawn, err := p.free(50)
		require.NoError(t, err)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", drawn[49]+1))
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		rest, err := p.free(48)
		require.NoError(t, err)
		require.NotContains(t, rest, drawn[49]+1, "it is in use")
		_, err = p.free(99)
		require.ErrorContains(t, err, "98 are free")
		for _, port := range append(drawn, rest...) {
			require.NotContains(t, seen, port)
			seen[port] = true
		}
	}
	require.Len(t, seen, 196)
}
