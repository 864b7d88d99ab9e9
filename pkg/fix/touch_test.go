package fix

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKicks holds that only who knows that nothing follows calls a kick safe.
func TestKicks(t *testing.T) {
	require.Equal(t, Disruptive, TraitsOf(Kick{Application: app()}).Risk)
	require.Equal(t, Safe, TraitsOf(Kick{Application: app(), Quiet: true}).Risk)
}
