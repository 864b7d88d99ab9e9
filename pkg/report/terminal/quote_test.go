package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuotesWithoutPackage: only the package of an exception is left out, never a part of what it says.
func TestQuotesWithoutPackage(t *testing.T) {
	for said, want := range map[string]string{
		"org.apache.celeborn.common.exception.CelebornIOException: Connecting to /10.8.6.14:9091 timed out": "CelebornIOException: " +
			"Connecting to /10.8.6.14:9091 timed out",
		"ValueError: no such table":                     "ValueError: no such table",
		"reserve buffer failed, see db.example.com: no": "reserve buffer failed, see db.example.com: no",
		"state.waiting: CreateContainerConfigError":     "state.waiting: CreateContainerConfigError",
	} {
		require.Equal(t, want, withoutPackage(said))
	}
}
