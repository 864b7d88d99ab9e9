package fix

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTouches holds that only who knows that nothing follows calls a kick safe.
func TestTouches(t *testing.T) {
	require.Equal(t, Disruptive, TraitsOf(Touch{Application: app()}).Risk)
	require.Equal(t, Safe, TraitsOf(Touch{Application: app(), Quiet: true}).Risk)
}
