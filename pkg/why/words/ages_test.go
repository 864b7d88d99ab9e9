package words

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestUnknownAges: what lies between now and a time that is missing is not said.
func TestUnknownAges(t *testing.T) {
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	for _, d := range []time.Duration{now.Sub(time.Time{}), time.Time{}.Sub(now)} {
		for _, say := range []func(time.Duration) string{lasting, ago, within} {
			require.Empty(t, say(d))
		}
	}
	require.Equal(t, " for 3 h", lasting(3*time.Hour))
	require.Equal(t, " 3 h ago", ago(3*time.Hour))
	require.Equal(t, " 0 s ago", ago(-time.Hour), "clocks differ")
	require.Equal(t, " in 56 years", within(now.Sub(time.Unix(0, 0))))
}

// TestAdviceFollowsFromTheObstacle: only who was refused is sent to ask for rights.
func TestAdviceFollowsFromTheObstacle(t *testing.T) {
	seen := map[string]snapshot.Obstacle{}
	for _, o := range []snapshot.Obstacle{snapshot.Refused, snapshot.LoggedIn, snapshot.TimedOut, snapshot.Busy, snapshot.Expired,
		snapshot.Gone, snapshot.TooLarge, snapshot.Unsaved, ""} {
		advice := overcoming(o)
		require.NotEmpty(t, advice)
		require.Equal(t, o == snapshot.Refused, advice == "let an administrator apply the roles", string(o))
		require.NotContains(t, seen, advice)
		seen[advice] = o
	}
	require.Equal(t, overcoming(snapshot.Expired), overcoming(snapshot.CutShort))
}
