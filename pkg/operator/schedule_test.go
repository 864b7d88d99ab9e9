package operator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestTimetable(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC) // a Friday
	for name, c := range map[string]struct {
		schedule  snapshot.Schedule
		latest    string // next due time
		due       string
		explained bool
	}{
		"in a zone of its own": {snapshot.Schedule{Cron: "0 9 * * *", TimeZone: "America/Sao_Paulo"}, "2026-11-20T12:00:00Z",
			"2026-11-20T12:00:00Z", true},
		"in a zone of its own, changed": {snapshot.Schedule{Cron: "0 9 * * *", TimeZone: "America/Sao_Paulo"}, "2026-11-20T12:00:00Z",
			"2026-11-21T12:00:00Z", false},
		"the schedule names the zone": {snapshot.Schedule{Cron: "CRON_TZ=Asia/Tokyo 0 0 * * *", TimeZone: "UTC"}, "2026-11-20T15:00:00Z",
			"2026-11-20T15:00:00Z", true},
		"summer time between now and due": {snapshot.Schedule{Cron: "0 9 1 4 *", TimeZone: "Europe/Berlin"}, "2027-04-01T07:00:00Z",
			"2027-04-01T08:00:00Z", true},
		"local, which may be anywhere": {snapshot.Schedule{Cron: "0 0 * * 1"}, "2026-11-23T12:00:00Z", "2026-11-22T15:00:00Z", true},
		"local, but not that late":     {snapshot.Schedule{Cron: "0 0 * * 1"}, "2026-11-23T12:00:00Z", "2026-11-30T00:00:00Z", false},
		"another minute, before it": {snapshot.Schedule{Cron: "0 9 * * *", TimeZone: "America/Sao_Paulo"}, "2026-11-20T12:00:00Z",
			"2026-11-20T11:40:00Z", false},
		"another hour, before it": {snapshot.Schedule{Cron: "0 9 * * *", TimeZone: "America/Sao_Paulo"}, "2026-11-20T12:00:00Z",
			"2026-11-20T08:00:00Z", false},
		"an hour off for summer time": {snapshot.Schedule{Cron: "0 9 * * *", TimeZone: "America/Sao_Paulo"}, "2026-11-20T12:00:00Z",
			"2026-11-20T11:00:00Z", true},
		"its own zone, another minute": {snapshot.Schedule{Cron: "CRON_TZ=Asia/Kolkata 0 9 * * *"}, "2026-11-21T03:30:00Z",
			"2026-11-20T21:10:00Z", false},
		"its own zone": {snapshot.Schedule{Cron: "TZ=Asia/Kolkata 0 9 * * *"}, "2026-11-21T03:30:00Z", "2026-11-21T03:30:00Z",
			true},
		"in the gap of summer time": {snapshot.Schedule{Cron: "30 2 * * 0", TimeZone: "Europe/Berlin"}, "2026-11-22T01:30:00Z",
			"2026-11-22T01:30:00Z", true},
		"local, at no quarter":   {snapshot.Schedule{Cron: "0 0 * * *"}, "2026-11-21T06:00:00Z", "2026-11-20T22:20:00Z", false},
		"local, another day":     {snapshot.Schedule{Cron: "0 0 * * 1"}, "2026-11-23T12:00:00Z", "2026-11-21T06:00:00Z", false},
		"local, far in the east": {snapshot.Schedule{Cron: "0 0 * * 1"}, "2026-11-23T12:00:00Z", "2026-11-22T10:00:00Z", true},
		"a descriptor": {snapshot.Schedule{Cron: "@daily", TimeZone: "UTC"}, "2026-11-21T00:00:00Z", "2026-11-21T00:00:00Z",
			true},
		"a descriptor, changed": {snapshot.Schedule{Cron: "@daily", TimeZone: "UTC"}, "2026-11-21T00:00:00Z", "2026-11-20T06:15:00Z",
			false},
		"every so often": {snapshot.Schedule{Cron: "@every 1h", TimeZone: "Local"}, "2026-11-20T07:00:00Z",
			"2026-11-20T06:10:00Z", true},
		"every so often, changed": {snapshot.Schedule{Cron: "@every 1h"}, "2026-11-20T07:00:00Z", "2026-11-21T00:00:00Z", false},
	} {
		table, err := TimetableOf(&c.schedule)
		require.NoError(t, err, name)
		require.Equal(t, c.latest, table.LatestNext(now).Format(time.RFC3339), name)
		due, err := time.Parse(time.RFC3339, c.due)
		require.NoError(t, err)
		require.Equal(t, c.explained, table.Explains(due, now), name)
	}
	for _, s := range []snapshot.Schedule{{Cron: "0 9 * *"}, {Cron: ""}, {Cron: "0 9 * * *", TimeZone: "Europe/Berlinn"},
		{Cron: "CRON_TZ=nowhere 0 9 * * *"}} {
		_, err := TimetableOf(&s)
		require.Error(t, err, s.Cron)
	}
	never, err := TimetableOf(&snapshot.Schedule{Cron: "0 0 30 2 *"})
	require.NoError(t, err)
	require.Zero(t, never.LatestNext(now), "there is no such day")
	require.True(t, never.Explains(now.Add(time.Hour), now))
}

func TestSchedules(t *testing.T) {
	of := func(image, args string) Schedules {
		found := Find([]snapshot.Deployment{deployment("x-controller", image, args)})
		require.Len(t, found, 1)
		return found[0].Schedules()
	}
	require.Equal(t, Schedules{Digits: 19}, of("docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0", "-controller-threads=10"))
	seconds := "controller start --scheduled-spark-application-timestamp-precision=seconds"
	require.Equal(t, Schedules{NeedsPolicy: true, Sticky: true, KeepsDue: true, Digits: 19},
		of("ghcr.io/kubeflow/spark-operator/controller:2.4.0", seconds), "no such flag yet")
	require.Equal(t, 10, of("ghcr.io/kubeflow/spark-operator/controller:2.5.0", seconds).Digits)
	require.Equal(t, "etl-..........", of("ghcr.io/kubeflow/spark-operator/controller:2.5.0", seconds).RunName("etl"))
}

// TestCorrected: a zone that the operator's machine does not know is refused however valid it is here.
func TestCorrected(t *testing.T) {
	for want, list := range map[bool][]snapshot.Schedule{
		true: {
			{Cron: "0 5 * * *", Reason: "end of range (25) above maximum (23): 25"},
			{Cron: "0 5 * * *", TimeZone: "Europe/Vienna", Reason: "unknown time zone Europe/Wien"},
		},
		false: {
			{Cron: "0 25 * * *", Reason: "end of range (25) above maximum (23): 25"},
			{Cron: "0 5 * * *", TimeZone: "Europe/Vienna", Reason: "unknown time zone Europe/Vienna"},
		},
	} {
		for _, s := range list {
			require.Equal(t, want, Corrected(&s), "%+v", s)
		}
	}
}
