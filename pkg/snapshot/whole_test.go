package snapshot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPlainLog(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":                             "plain\ttext\n",
		"\x1b[1;31mERROR\x1b[0m x\r\n":              "ERROR x\n",
		"10%\r20%\r30%\n":                           "10%\n20%\n30%\n",
		"a\x00b\x07c\u202ed\u2028e\u009bf":          "abcdef",
		"\x1b]0;title\x07text \x1b[":                "]0;titletext ",
		"caf\xe9 caf\u00e9":                         "caf\ufffd caf\u00e9",
		"fs.s3a.secret.key=hunter2hunter2\nnext\n":  "fs.s3a.secret.key=[redacted]\nnext\n",
		"-----BEGIN PRIVATE KEY-----\nMIIE\nAB==\n": "[redacted]\n\n\n",
		"x -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\npassword=hunter2\n": "x [redacted]\n\n\npassword=[redacted]\n",
	} {
		got := PlainLog(in)
		require.Equal(t, want, string(got), "%q", in)
		require.Equal(t, got, PlainLog(string(got)), "the same when an archive is read")
	}
}

// TestLogWithASecretOnEachLineIsCleaned takes no quadratic time: a test would not end.
func TestLogWithASecretOnEachLineIsCleaned(t *testing.T) {
	log := strings.Repeat("26/01/02 03:04:05 WARN conf password=hunter2\n", 30_000)
	p := &PodLog{Tail: LogText(log)}
	Clean(p)
	require.NotContains(t, p.Tail, "hunter2")
	require.Equal(t, 30_000, strings.Count(string(p.Tail), Redacted))
}

func TestCleanLooksIntoFields(t *testing.T) {
	shared := map[string]any{"spark.hadoop.fs.s3a.secret.key": "hunter2", "spark.app.name": "etl"}
	w := &Whole{Fields: map[string]any{
		"spec": map[string]any{
			"sparkConf": shared, "arguments": []any{"--password", "hunter2", "--date", "today"}, "mixed": []any{"a", int64(1)},
			"volumes": []any{map[string]any{"secret": map[string]any{"secretName": "db"}}}, "serviceAccountName": "spark", "n": int64(3),
		},
		"status": map[string]any{"message": "failed: jdbc:postgresql://db?password=hunter2", "nothing": nil},
	}}
	Clean(w)
	require.NotContains(t, fmt.Sprint(w.Fields), "hunter2")
	require.Equal(t, "hunter2", shared["spark.hadoop.fs.s3a.secret.key"], "a record is a copy")
	spec, _ := w.Fields["spec"].(map[string]any)
	require.Equal(t, []any{"--password", Redacted, "--date", "today"}, spec["arguments"])
	require.Equal(t, []any{map[string]any{"secret": map[string]any{"secretName": "db"}}}, spec["volumes"])
	require.Equal(t, int64(3), spec["n"])
}

func TestInPart(t *testing.T) {
	b := NewBuilder(time.Time{})
	b.Add(SparkPods, &Pod{Object: Object{Ref: Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "p"}}})
	b.Cover(SparkPods, Coverage{State: Complete})
	b.Cover(Deployments, Coverage{State: Complete})
	s := b.Seal()
	part := s.InPart([]View{SparkPods, SparkApplications})
	require.False(t, part.Covers(SparkPods, "a"))
	require.True(t, part.Covers(Deployments, "a"))
	require.True(t, s.Covers(SparkPods, "a"))
	require.Len(t, part.SparkPods(), 1)
	require.Equal(t, NotAsked, part.Coverage(SparkApplications).State)
}
