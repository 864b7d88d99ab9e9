package whole

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func sourceOf(t *testing.T, v snapshot.View) snapshot.Source {
	t.Helper()
	src, known := snapshot.SourceOf(v)
	require.True(t, known)
	return src
}

func TestOfKeepsWhatTellsAndNoValues(t *testing.T) {
	const object = `{"metadata":{"name":"etl","namespace":"a","uid":"u","creationTimestamp":"2026-01-02T03:04:05Z","selfLink":"x",
		"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"hunter2","note":"hunter2"},
		"managedFields":[{"manager":"kubectl","operation":"Update","time":"2026-01-02T03:04:05Z","subresource":"status",
			"fieldsV1":{"f:status":{"f:x":{"f:y":{}}},"f:metadata":{"f:finalizers":{".":{},"v:\"a\"":{}}}}}]},
		"spec":{"sparkConf":{"spark.executorEnv.A":"hunter2","spark.kubernetes.driverEnv.B":"hunter2","spark.cores.max":"4"},
			"driver":{"annotations":{"note":"hunter2"},"envVars":{"C":"hunter2"},"env":[{"name":"D","value":"hunter2"},
				{"name":"E","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}]}}}`
	w, err := Of(sourceOf(t, snapshot.WholeApplications), []byte(object), snapshot.Location{})
	require.NoError(t, err)
	require.Equal(t, snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: "etl", UID: "u"},
		w.Ref)
	text, err := json.Marshal(w.Fields)
	require.NoError(t, err)
	require.NotContains(t, string(text), "hunter2")
	require.JSONEq(t, `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication",
		"metadata":{"name":"etl","namespace":"a","uid":"u","creationTimestamp":"2026-01-02T03:04:05Z",
			"managedFields":[{"manager":"kubectl","operation":"Update","time":"2026-01-02T03:04:05Z","subresource":"status",
				"fieldsV1":{"f:status":{},"f:metadata":{"f:finalizers":{}}}}]},
		"spec":{"sparkConf":{"spark.executorEnv.A":"","spark.kubernetes.driverEnv.B":"","spark.cores.max":"4"},
			"driver":{"envVars":{"C":""},"env":[{"name":"D"},{"name":"E","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}]}}}`, string(text))
}

func TestOfKeepsTheIdentityOfAServiceAccount(t *testing.T) {
	const object = `{"metadata":{"name":"etl","annotations":{"eks.amazonaws.com/role-arn":"arn:aws:iam::1:role/etl","note":"hunter2"}}}`
	w, err := Of(sourceOf(t, snapshot.WholeAccounts), []byte(object), snapshot.Location{})
	require.NoError(t, err)
	text, err := json.Marshal(w.Fields)
	require.NoError(t, err)
	require.JSONEq(t, `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"etl",
		"annotations":{"eks.amazonaws.com/role-arn":"arn:aws:iam::1:role/etl"}}}`, string(text))
}

// TestOfKeepsWhatTellsOfOthers: of a pod what its mesh and its gang scheduler were told, and of a neighbor which of its containers failed.
func TestOfKeepsWhatTellsOfOthers(t *testing.T) {
	const object = `{"metadata":{"name":"x","annotations":{"sidecar.istio.io/inject":"false","note":"hunter2"}},"status":{"phase":"Running",
		"containerStatuses":[{"name":"ok","state":{"terminated":{"exitCode":0}}},{"name":"runs","state":{"running":{}}},
			{"name":"fuse","restartCount":1,"image":"i","lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","message":"hunter2"}}}]}}`
	for view, want := range map[snapshot.View]string{
		snapshot.WholePods: `"annotations":{"sidecar.istio.io/inject":"false"}`,
		snapshot.WholeNeighbors: `"containerStatuses":[{"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled"}},"name":"fuse",` +
			`"restartCount":1}]`,
	} {
		w, err := Of(sourceOf(t, view), []byte(object), snapshot.Location{})
		require.NoError(t, err)
		text, err := json.Marshal(w.Fields)
		require.NoError(t, err)
		require.Contains(t, string(text), want)
		require.NotContains(t, string(text), `"note"`)
	}
}

func TestOfTrims(t *testing.T) {
	for view, c := range map[snapshot.View][2]string{
		snapshot.WholeConfigMaps: {`"data":{"a":"hunter2"},"binaryData":{}`, `,"keys":["a"]`},
		snapshot.WholeNodes:      {`"status":{"images":[1],"allocatable":{"cpu":"1"}}`, `,"status":{"allocatable":{"cpu":"1"}}`},
	} {
		src := sourceOf(t, view)
		w, err := Of(src, []byte(`{"metadata":{"name":"x"},`+c[0]+`}`), snapshot.Location{})
		require.NoError(t, err)
		text, err := json.Marshal(w.Fields)
		require.NoError(t, err)
		require.JSONEq(t, `{"apiVersion":"v1","kind":"`+src.Kind+`","metadata":{"name":"x"}`+c[1]+`}`, string(text))
	}
	for _, bad := range []string{`{`, `[]`, `{}`, `{"metadata":{}}`, `{"metadata":[]}`} {
		_, err := Of(sourceOf(t, snapshot.WholePods), []byte(bad), snapshot.Location{})
		require.Error(t, err, bad)
	}
}

// numbered is a log of lines of a known length.
func numbered(lines int) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "%07d 90 bytes %s\n", i, strings.Repeat("-", 72))
	}
	return b.Bytes()
}

func TestReadLogKeepsBothEndsInWholeLines(t *testing.T) {
	const tail = 512 << 10
	for _, lines := range []int{0, 1, 100, 2912, 2913, 5825, 5826, 8000, 8737, 8738, 8739, 20_000} {
		all := numbered(lines)
		for name, in := range map[string]io.Reader{"at once": bytes.NewReader(all), "in parts": iotest.HalfReader(bytes.NewReader(all))} {
			got, err := ReadLog(in, tail, 1<<30)
			require.NoError(t, err)
			require.Equal(t, len(all), got.Read, name)
			require.Equal(t, lines, got.Lines)
			require.Equal(t, len(all), len(got.Head)+len(got.Tail)+got.Dropped, "%d lines %s", lines, name)
			require.True(t, bytes.HasPrefix(all, got.Head) && bytes.HasSuffix(all, got.Tail))
			require.Zero(t, len(got.Head)%90+len(got.Tail)%90, "whole lines")
			require.Equal(t, len(all) <= tail, len(got.Head) == 0, "the end is everything")
			if len(all) <= tail+HeadBytes {
				require.Zero(t, got.Dropped)
			}
		}
	}
}

func TestReadLogStops(t *testing.T) {
	got, err := ReadLog(bytes.NewReader(numbered(100_000)), TailBytes, 1<<20)
	require.NoError(t, err)
	require.InDelta(t, 1<<20, got.Read, 32<<10)
	got, err = ReadLog(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("kept\nlost"))), TailBytes, 1<<20)
	require.ErrorIs(t, err, iotest.ErrTimeout)
	require.Equal(t, "k", string(got.Tail))
	got, err = ReadLog(strings.NewReader(strings.Repeat("x", HeadBytes+1000)), 500, 1<<30)
	require.NoError(t, err)
	require.Empty(t, got.Head, "of a single line nothing is whole")
}
