package logs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

func at(clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", "2026-11-23 "+clock)
	if err != nil {
		panic(err)
	}
	return t
}

// TestClock: the zone of a log, by the life of its container. The container started at 11:00:00 and ended at 11:30:00.
func TestClock(t *testing.T) {
	const body = "java.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)\n"
	for _, c := range []struct {
		name, first, last string
		tz                bool
		runs              string // until now; empty: it ended
		tail              bool   // the beginning was not read
		options           string
		dated             bool // the log was saved after the objects
		ahead             time.Duration
		unknown           bool
	}{
		{name: "UTC", first: "26/11/23 11:00:03", last: "26/11/23 11:29:59"},
		{name: "Tokyo", first: "26/11/23 20:00:03", last: "26/11/23 20:29:59", ahead: 9 * time.Hour},
		{name: "New York, the day is the same", first: "26/11/23 06:00:03", last: "26/11/23 06:29:59", ahead: -5 * time.Hour},
		{name: "Kathmandu", first: "2026-11-23 16:45:20,001", last: "2026-11-23 17:15:00,000", ahead: 5*time.Hour + 45*time.Minute},
		{name: "across midnight", first: "26/11/24 00:00:05", last: "26/11/24 00:29:58", ahead: 13 * time.Hour},
		{name: "its end alone", first: "26/11/23 20:12:00", last: "26/11/23 20:29:59", tail: true, ahead: 9 * time.Hour},
		{name: "no zone explains it", first: "26/11/23 19:52:00", last: "26/11/23 19:56:00", unknown: true},
		{name: "a clock that is five minutes late", first: "26/11/23 10:55:03", last: "26/11/23 11:24:59"},
		{name: "a clock that is five minutes early", first: "26/11/23 11:05:03", last: "26/11/23 11:34:59"},
		{name: "another day", first: "26/11/20 11:00:03", last: "26/11/20 11:29:59", unknown: true},
		{name: "it logs late and is in UTC", first: "26/11/23 11:15:03", last: "26/11/23 11:29:59"},
		{name: "it runs for half a day, in UTC", first: "26/11/23 11:00:03", last: "26/11/23 23:00:00", runs: "23:00:10"},
		{name: "a late line of one that runs in UTC", first: "26/11/23 20:00:03", last: "26/11/23 20:05:00", runs: "23:00:10"},
		{name: "the same with TZ is Tokyo", first: "26/11/23 20:00:03", last: "26/11/23 20:05:00", runs: "23:00:10", tz: true,
			ahead: 9 * time.Hour},
		{name: "an option of the JVM", first: "26/11/23 20:00:03", last: "26/11/23 20:05:00", runs: "23:00:10",
			options: "-Duser.timezone=Asia/Tokyo", ahead: 9 * time.Hour},
		{name: "saved two hours after the objects", first: "26/11/23 11:00:03", last: "26/11/23 13:00:00", runs: "11:01:00", dated: true},
		{name: "the same in Tokyo", first: "26/11/23 20:00:03", last: "26/11/23 22:00:00", runs: "11:01:00", dated: true, ahead: 9 * time.Hour},
		{name: "TZ is UTC", first: "26/11/23 11:00:03", last: "26/11/23 11:29:59", tz: true},
		{name: "lines name their zone", first: "2026-11-23T20:00:03+09:00", last: "2026-11-23T20:29:59+09:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "p", Labels: map[string]string{"spark-role": "driver"}}}
			one := corev1.Container{Name: "spark-kubernetes-driver"}
			if c.tz {
				one.Env = []corev1.EnvVar{{Name: "TZ"}}
			}
			p.Spec.Containers = []corev1.Container{one}
			status := corev1.ContainerStatus{Name: one.Name}
			e := &app.Evidence{Now: at("12:00:00")}
			if c.runs != "" {
				status.State.Running = &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: at("11:00:00")}}
				e.Now, e.Dated = at(c.runs), c.dated
			} else {
				status.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, StartedAt: metav1.Time{Time: at("11:00:00")},
					FinishedAt: metav1.Time{Time: at("11:30:00")}}
			}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{status}
			e.Pods = []corev1.Pod{p}
			if c.options != "" {
				e.Application = &app.Application{Spec: app.Spec{Driver: app.Role{JavaOptions: c.options}}}
			}
			l := &app.Log{Namespace: "n", Pod: "p", Container: one.Name, Role: "driver",
				Tail: "plain line\n" + c.first + " INFO A: begins\n" + body +
					c.last + ` ERROR B: it failed` + "\nException in thread \"main\" " + body}
			if c.tail {
				l.Dropped = -1
			}
			got := logs.ClockOf(e, l)
			require.Equal(t, logs.Clock{Ahead: c.ahead, Unknown: c.unknown}, got)

			// What the log tells carries the time of the cluster, or none.
			e.Logs = []app.Log{*l}
			causes := logs.Causes(e)
			if c.runs != "" && len(causes) == 0 {
				return
			}
			require.Len(t, causes, 1)
			if c.unknown {
				require.Zero(t, causes[0].At)
				return
			}
			require.Equal(t, logs.Digest(l, got).Last.Truncate(time.Second), causes[0].At.Truncate(time.Second))
			require.False(t, causes[0].At.Before(at("11:00:00")), causes[0].At)
		})
	}
}

// TestLatest: of all logs, in UTC.
func TestLatest(t *testing.T) {
	require.Zero(t, logs.Latest(&app.Evidence{}))
	e := &app.Evidence{Logs: []app.Log{{Pod: "a", Tail: "26/11/23 11:00:03 INFO A: b\n"}, {Pod: "b",
		Tail: "26/11/23 11:00:01 INFO A: b\n2026-11-23T21:00:04+09:00 INFO A: b\n"}, {Pod: "c", Tail: "plain"}}}
	require.Equal(t, at("12:00:04"), logs.Latest(e))
}

// TestClockOfTheRuntime: what kubectl logs --timestamps puts before a line is UTC, whatever the line says.
func TestClockOfTheRuntime(t *testing.T) {
	last := func(line string, c logs.Clock) time.Time { return logs.Digest(&app.Log{Tail: line}, c).Last }
	require.Equal(t, at("11:00:03"), last("2026-11-23T11:00:03.000000000Z 26/11/23 20:00:03 INFO A: b", logs.Clock{Unknown: true}))
	require.Zero(t, last("26/11/23 20:00:03 INFO A: b", logs.Clock{Unknown: true}))
	require.Zero(t, last("no time at all", logs.Clock{}))
}
