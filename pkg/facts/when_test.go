package facts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhen(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for want, at := range map[string]time.Time{
		"48 min ago (11:12 UTC)":           now.Add(-48 * time.Minute),
		"0 s ago (12:00 UTC)":              now,
		"3 h 30 min ago (08:30 UTC)":       now.Add(-210 * time.Minute).In(time.FixedZone("CET", 3600)),
		"13 h ago (2026-11-19 23:00 UTC)":  now.Add(-13 * time.Hour),
		"in 33 min (12:33 UTC)":            now.Add(33 * time.Minute),
		"in 13 h (2026-11-21 01:00 UTC)":   now.Add(13 * time.Hour),
		"400 d ago (2025-10-16 12:00 UTC)": now.AddDate(0, 0, -400),
	} {
		require.Equal(t, want, When(at, now))
	}
	require.Equal(t, "for 48 min (since 11:12 UTC)", ForSince(now.Add(-48*time.Minute), now))
	require.Equal(t, "for 13 h (since 2026-11-19 23:00 UTC)", ForSince(now.Add(-13*time.Hour), now))
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	require.Equal(t, "48 min", Age(now.Add(-48*time.Minute), now))
	require.Equal(t, "an unknown time", Age(time.Time{}, now))
}
