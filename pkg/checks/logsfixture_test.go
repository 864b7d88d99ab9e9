package checks_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// runWithLogs runs a check on the objects of a fixture as if they were a whole cluster, in which the operator's pods have
// logged something.
func runWithLogs(t *testing.T, path string, now time.Time, change func(string) string, list ...*snapshot.OperatorLog) []check.Reported {
	t.Helper()
	paths, err := filepath.Glob("*/testdata/" + path)
	require.NoError(t, err)
	require.Len(t, paths, 1)
	raw, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	b := snapshot.NewBuilder(now)
	b.FromServer()
	endpoints, _ := snapshot.SourceOf(snapshot.WebhookEndpoints)
	sources := append(snapshot.ListedSources(), endpoints)
	id, p := path[:strings.Index(path, "/")], check.DefaultParams()
	for _, n := range checkOf(t, id).AllNeeds() {
		if n.View == snapshot.OperatorPods {
			pods, _ := snapshot.SourceOf(n.View)
			sources = append(sources, pods)
		}
	}
	for doc := range bytes.SplitSeq(raw, []byte("\n---\n")) {
		object, err := yaml.YAMLToJSON([]byte(change(string(doc))))
		require.NoError(t, err)
		for _, src := range sources {
			if strings.Contains(string(object), `"kind":"`+src.Kind+`"`) {
				record, err := wire.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: object})
				require.NoError(t, err)
				b.Add(src.View, record)
			}
		}
	}
	p.MaxObjectSize = 4500 // that of growing-slowly.yaml
	for _, n := range checkOf(t, id).AllNeeds() {
		b.Cover(n.View, snapshot.Coverage{State: snapshot.Complete})
	}
	for _, log := range list {
		b.Add(snapshot.OperatorLogs, log)
	}
	r := check.Run(b.Seal(), []check.Check{checkOf(t, id)}, p)[0]
	require.NotContains(t, r.Reason, "internal error")
	return r.Findings
}

func asWritten(doc string) string { return doc }

// operatorLog is that of a pod with the label by which the fixtures' Deployments select theirs.
func operatorLog(entries ...snapshot.LogEntry) *snapshot.OperatorLog {
	return &snapshot.OperatorLog{Container: "spark-operator", Entries: entries, Object: snapshot.Object{
		Ref:    snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "spark-operator", Name: "spark-operator-1"},
		Labels: snapshot.LabelsOf(map[string]string{"a": "b"}),
	}}
}

func entry(sign snapshot.Sign, about string, first, last time.Time) snapshot.LogEntry {
	return snapshot.LogEntry{Sign: sign, About: about, First: first, Last: last, Count: 2, Text: "the line"}
}

// TestWebhookSaysWhyAPodIsUnmutated takes an application of 1.x of which a pod lacks one value only, which proves little.
// The webhook's own error about this application at that time proves it (#2448).
func TestWebhookSaysWhyAPodIsUnmutated(t *testing.T) {
	made := time.Date(2026, 11, 20, 3, 1, 0, 0, time.UTC)
	oneValue := func(doc string) string {
		return strings.Replace(doc, "env: [{name: LOG_LEVEL, value: do-not-print-me}, {name: STAGE, value: prod}]", "nodeSelector: {pool: spark}",
			1)
	}
	newer := func(doc string) string {
		return strings.NewReplacer("v1beta2-1.6.2-3.5.0", "2.2.1", "-enable-webhook=true, -controller-threads=10",
			"webhook, start, --namespaces=").Replace(strings.Replace(oneValue(doc), "batchSchedulerOptions: {priorityClassName: high}", "", 1))
	}
	notFound := func(about string, first, last time.Time) *snapshot.OperatorLog {
		return operatorLog(entry(snapshot.ApplicationNotFound, about, first, last))
	}
	for name, c := range map[string]struct {
		change func(string) string
		log    *snapshot.OperatorLog
		want   string
		lines  int
	}{
		"nothing logged":             {oneValue, operatorLog(), "warning likely", 0},
		"not found then":             {oneValue, notFound("team-a/etl", made, made.Add(time.Second)), "error proven", 1},
		"not found at last":          {oneValue, notFound("team-a/etl", made.Add(-time.Hour), made), "error proven", 1},
		"another application":        {oneValue, notFound("team-a/other", made, made), "warning likely", 0},
		"an hour later":              {oneValue, notFound("team-a/etl", made.Add(time.Hour), made.Add(time.Hour)), "warning likely", 0},
		"all the time, and not then": {oneValue, notFound("team-a/etl", made.Add(-time.Hour), made.Add(time.Hour)), "warning likely", 0},
		"certificates refused then": {oneValue, operatorLog(entry(snapshot.CertificateRefused, "", made.Add(-time.Hour), made.Add(time.Hour))),
			"warning likely", 1},
		"refused afterwards only": {oneValue, operatorLog(entry(snapshot.CertificateRefused, "", made.Add(time.Hour), made.Add(2*time.Hour))),
			"warning likely", 0},
		"2.x denies such a pod": {newer, notFound("team-a/etl", made, made), "warning likely", 0},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(doc string) string {
				return strings.Replace(c.change(doc), "batchSchedulerOptions: {priorityClassName: high}", "", 1)
			}
			got := runWithLogs(t, "SD4002/legacy.yaml", made.Add(3*time.Hour), change, c.log)
			require.Len(t, got, 1)
			require.Equal(t, c.want, got[0].Severity.String()+" "+got[0].Certainty.String())
			require.Len(t, linesOf(got[0]), c.lines)
			require.Equal(t, c.want == "error proven", strings.HasSuffix(got[0].Message, "; the webhook could not find the application then"),
				got[0].Message)
		})
	}
}

func TestAPIServerSaysWhatItRefusesARemovalFor(t *testing.T) {
	deleted := time.Date(2026, 11, 20, 4, 0, 0, 0, time.UTC)
	name := "mutate-sparkoperator-k8s-io-v1beta2-sparkapplication.sparkoperator.k8s.io"
	for _, c := range []struct {
		about string
		last  time.Time
		lines int
	}{
		{name, deleted.Add(10 * time.Minute), 1},
		{name, deleted.Add(-10 * time.Minute), 0},
		{"mutate--v1-pod.sparkoperator.k8s.io", deleted.Add(10 * time.Minute), 0},
	} {
		got := runWithLogs(t, "SD2005/webhook-down.yaml", deleted.Add(30*time.Minute), asWritten,
			operatorLog(entry(snapshot.CallFailed, c.about, c.last, c.last)))
		require.Len(t, got, 1)
		require.Len(t, linesOf(got[0]), c.lines, "%s %s", c.about, c.last)
	}
}

func TestARefusedWriteIsAnError(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	find := func(list ...*snapshot.OperatorLog) check.Reported {
		got := runWithLogs(t, "SD3001/growing-slowly.yaml", now, asWritten, list...)
		require.Len(t, got, 1)
		return got[0]
	}
	plain := find()
	require.NotEqual(t, check.Error, plain.Severity)
	about := plain.Object.Namespace + "/" + plain.Object.Name
	refused := find(operatorLog(entry(snapshot.RequestTooLarge, about, now.Add(-time.Minute), now.Add(-time.Minute))))
	require.Equal(t, check.Error, refused.Severity)
	require.Equal(t, plain.Message+"; a write was rejected for its size 60 s ago (05:59 UTC)", refused.Message)
	require.Len(t, linesOf(refused), 1)
	require.Equal(t, plain, find(operatorLog(entry(snapshot.RequestTooLarge, "team-x/other", now, now))), "of another application")
	long := now.AddDate(-1, 0, 0)
	require.Equal(t, plain, find(operatorLog(entry(snapshot.RequestTooLarge, about, long, long))), "of an earlier submission")
}

// TestConditionsMayTakeARemovalOut holds that a webhook with matchConditions is not said to block: CEL is not evaluated.
func TestConditionsMayTakeARemovalOut(t *testing.T) {
	now := time.Date(2026, 11, 20, 4, 30, 0, 0, time.UTC)
	conditional := func(doc string) string {
		return strings.Replace(doc, "  admissionReviewVersions:", "  matchConditions: [{name: a, expression: \"true\"}]\n  "+
			"admissionReviewVersions:", 1)
	}
	for _, c := range []struct {
		change func(string) string
		blocks bool
	}{{asWritten, true}, {conditional, false}} {
		got := runWithLogs(t, "SD2005/webhook-down.yaml", now, c.change)
		require.Len(t, got, 1)
		require.Equal(t, c.blocks, strings.Contains(got[0].Message, "must admit its removal"), got[0].Message)
	}
}

// TestCrashLoopOfAPort holds that the cause of a crash loop is likely only unless the log tells it, and not named where the spec allows
// the port.
func TestCrashLoopOfAPort(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const seen = "with Error (exit code 1)"
	allowed := func(doc string) string {
		return strings.Replace(doc, "      containers:", "      securityContext: {sysctls: [{name: net.ipv4.ip_unprivileged_port_start, "+
			"value: \"0\"}]}\n      containers:", 1)
	}
	log := func(pod, text string) *snapshot.OperatorLog {
		l := operatorLog(entry(snapshot.StartFailed, "", now.Add(-2*time.Minute), now.Add(-time.Minute)))
		l.Name, l.Labels, l.Entries[0].Text = pod, snapshot.LabelsOf(map[string]string{"app": "spark-operator-webhook"}), text
		return l
	}
	const refused = `Failed to start manager {"error": "listen tcp :443: bind: permission denied"}`
	for name, c := range map[string]struct {
		change func(string) string
		logs   []*snapshot.OperatorLog
		want   string // what follows the crash
	}{
		"no log": {asWritten, nil, "; likely because it is not root: only some container runtimes let it listen on a port " +
			"below 1024 (--webhook-port=443)"},
		"the log tells": {asWritten, []*snapshot.OperatorLog{log("spark-operator-webhook-7d9f-a", refused)},
			"; it is not root and may not listen on a port below 1024 (--webhook-port=443)"},
		"the log of another pod": {asWritten, []*snapshot.OperatorLog{log("spark-operator-webhook-1111-b", refused)},
			"; likely because it is not root: only some container runtimes let it listen on a port below 1024 (--webhook-port=443)"},
		"the sysctl allows it": {allowed, nil, ""},
		"and the log tells others": {allowed, []*snapshot.OperatorLog{log("spark-operator-webhook-7d9f-a",
			"Failed to start manager: leader election lost")}, ""},
		"the runtime refuses it": {allowed, []*snapshot.OperatorLog{log("spark-operator-webhook-7d9f-a", refused)},
			"; it may not listen on its port"},
	} {
		t.Run(name, func(t *testing.T) {
			got := runWithLogs(t, "SD5008/webhook-port-443.yaml", now, c.change, c.logs...)
			require.Len(t, got, 1)
			_, cause, found := strings.Cut(got[0].Message, seen)
			require.True(t, found, got[0].Message)
			require.Equal(t, c.want, cause)
		})
	}
}
