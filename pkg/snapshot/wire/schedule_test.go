package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestSchedule(t *testing.T) {
	src, _ := snapshot.SourceOf(snapshot.ScheduledSparkApplications)
	decode := func(text string) *snapshot.Schedule {
		record, err := Decode(src, Item{Encoding: snapshot.JSON, Raw: []byte(text)})
		require.NoError(t, err)
		s, ok := record.(*snapshot.Schedule)
		require.True(t, ok)
		return s
	}
	at := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	ref := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "ScheduledSparkApplication", Namespace: "a", Name: "nightly",
		UID: "u"}
	const head = `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"ScheduledSparkApplication","metadata":{"namespace":"a","name":"nightly","uid":"u"}`
	template := snapshot.SparkApplication{Spec: snapshot.Spec{ReleaseDependentFields: snapshot.ReleaseDependentFields{NoMainFile: true}}}
	limited := template
	limited.Lifetime = snapshot.Lifetime{Limited: true, Seconds: 60}
	require.Equal(t, &snapshot.Schedule{
		Object: snapshot.Object{Ref: ref}, Cron: "0 3 * * *", TimeZone: "UTC", Policy: "Forbid", Suspended: true, Template: limited,
		State: "FailedValidation", Reason: "no: password=[redacted]", LastRun: at, NextRun: at.Add(24 * time.Hour), LastRunName: "nightly-1",
	}, decode(head+`,"spec":{"schedule":"0 3 * * *","timeZone":"UTC","concurrencyPolicy":"Forbid","suspend":true,"template":{"timeToLiveSeconds":60,"sparkConf":{"a":"b"}}},
		"status":{"scheduleState":"FailedValidation","reason":"no: password=hunter2","lastRun":"2026-11-20T03:00:00Z","nextRun":"2026-11-21T03:00:00Z","lastRunName":"nightly-1"}}`))
	require.Equal(t, &snapshot.Schedule{Object: snapshot.Object{Ref: ref}, Template: template},
		decode(head+`,"spec":{"suspend":null},"status":{"lastRun":null}}`), "a new one")
	made := decode(head + `,"spec":{"template":{"sparkVersion":"3.5.5","sparkConf":{"spark.kubernetes.namespace":"a"},"driver":{"env":[{"name":"A","value":"1"}]}}}}`).Application()
	require.Equal(t, ref, made.Ref)
	require.Equal(t, []snapshot.Feature{{Field: snapshot.Env, Name: "A"}}, made.Driver.Sets)
	require.Equal(t, made.Namespace, made.SparkConf.Namespace, "the setting names the namespace in which it is")
	require.Equal(t, "spec.template.driver.env", made.Path("spec.driver.env"))
	require.Equal(t, "metadata.name", made.Path("metadata.name"))
	require.Equal(t, "spec.driver.env", new(snapshot.SparkApplication).Path("spec.driver.env"))
	broken := decode(head + `,"spec":{"schedule":7}}`)
	require.Equal(t, ref, broken.Ref)
	require.Contains(t, broken.Malformed, "spec.schedule")
}

func TestLifetime(t *testing.T) {
	require.Equal(t, snapshot.Lifetime{}, lifetime(nil))
	for seconds, want := range map[int64]time.Duration{0: 0, -5: 0, 60: time.Minute, 1 << 60: 100 * 365 * 24 * time.Hour} {
		got := lifetime(&seconds)
		require.True(t, got.Limited)
		require.Equal(t, want, got.Span())
	}
}
