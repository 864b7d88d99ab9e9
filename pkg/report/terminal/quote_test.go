package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuotesWithoutPackage: only the package of an exception is left out, never a part of what it says.
func TestQuotesWithoutPackage(t *testing.T) {
	for quote, want := range map[string]string{
		"pod etl-driver 15:22:20 · org.apache.celeborn.common.exception.CelebornIOException: Connecting to /10.8.6.14:9091 timed out": "pod " +
			"etl-driver 15:22:20 · CelebornIOException: Connecting to /10.8.6.14:9091 timed out",
		"pod etl-driver · ValueError: no such table":                     "pod etl-driver · ValueError: no such table",
		"pod etl-driver · reserve buffer failed, see db.example.com: no": "pod etl-driver · reserve buffer failed, see db.example.com: no",
		"pod etl-driver · state.waiting: CreateContainerConfigError":     "pod etl-driver · state.waiting: CreateContainerConfigError",
	} {
		require.Equal(t, want, withoutPackage(quote))
	}
}
