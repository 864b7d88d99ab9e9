package checks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// said is an entry whose last line is some minutes after noon of the day of the tests, which are at one o'clock.
func said(sign snapshot.Sign, about string, minute, count int) snapshot.LogEntry {
	last := dayOf(0).Add(time.Duration(minute) * time.Minute)
	return snapshot.LogEntry{Sign: sign, About: about, First: last.Add(-time.Duration(count-1) * time.Second), Last: last, Count: count,
		Text: "the line of " + string(sign)}
}

func logs(entries ...snapshot.LogEntry) map[int][]snapshot.LogEntry {
	return map[int][]snapshot.LogEntry{0: entries}
}

// linesOf are the quoted lines of a finding.
func linesOf(f check.Reported) []string {
	var out []string
	for _, e := range f.Evidence {
		if strings.HasPrefix(e.Field, facts.LogField) {
			out = append(out, e.Object.Name+": "+e.Value)
		}
	}
	return out
}

const podWebhook = "mutate--v1-pod.sparkoperator.k8s.io"

// TestLogsProveASuspicion takes a replica that must be thought to serve an old certificate. Its log proves it if a client
// refused its certificate under the caBundle that there is now.
func TestLogsProveASuspicion(t *testing.T) {
	ca, other := issue(t, nil, -200, 3650), issue(t, nil, -200, 3650)
	suspect := newBed(other.pem(), ownData(t, issue(t, nil, -10, 3650), issue(t, other, -10, 3650))).with(func(b *bed) {
		b.start, b.ready, b.written = []int{-20, -5}, 2, dayOf(0)
	})
	mismatch := newBed(other.pem(), ownData(t, ca, issue(t, ca, -50, 3650))).with(func(b *bed) { b.start, b.written = []int{-101}, dayOf(0) })
	refused := func(minute int) snapshot.LogEntry { return said(snapshot.CertificateRefused, "", minute, 3) }
	x509 := said(snapshot.CallFailed, podWebhook, 30, 1)
	x509.Text = "failed calling webhook: x509: certificate signed by unknown authority"
	others := x509
	others.About = "other.sparkoperator.k8s.io"
	timeout := x509
	timeout.Text = "failed calling webhook: context deadline exceeded"
	for name, c := range map[string]struct {
		bed  bed
		id   string
		want string
	}{
		"no log":                        {suspect, "SD1005", "error likely"},
		"a log that says nothing":       {suspect.with(func(b *bed) { b.logs = logs() }), "SD1005", "error likely"},
		"refused under this caBundle":   {suspect.with(func(b *bed) { b.logs = logs(refused(30)) }), "SD1005", "error proven"},
		"refused before it was written": {suspect.with(func(b *bed) { b.logs = logs(refused(-30)) }), "SD1005", "error likely"},
		"refused while it was written":  {suspect.with(func(b *bed) { b.logs = logs(refused(0)) }), "SD1005", "error likely"},
		"nobody noted when it was written": {suspect.with(func(b *bed) { b.logs, b.written = logs(refused(30)), time.Time{} }), "SD1005",
			"error likely"},
		"refused at the other replica": {suspect.with(func(b *bed) { b.logs = map[int][]snapshot.LogEntry{1: {refused(30)}} }), "SD1005",
			"error likely"},
		"1.4.x, one of two": {newBed(ca.pem(), nil).with(chart14(2)).with(func(b *bed) {
			b.written, b.logs = dayOf(0),
				logs(refused(30))
		}), "SD1005", "error proven"},

		"caBundle: no log":                 {mismatch, "SD1003", "error likely"},
		"caBundle: refused":                {mismatch.with(func(b *bed) { b.logs = logs(refused(30)) }), "SD1003", "error proven"},
		"caBundle: refused before":         {mismatch.with(func(b *bed) { b.logs = logs(refused(-30)) }), "SD1003", "error likely"},
		"caBundle: the API server says so": {mismatch.with(func(b *bed) { b.logs = logs(x509) }), "SD1003", "error proven"},
		"caBundle: it says so of another":  {mismatch.with(func(b *bed) { b.logs = logs(others) }), "SD1003", "error likely"},
		"caBundle: it says something else": {mismatch.with(func(b *bed) { b.logs = logs(timeout) }), "SD1003", "error likely"},
		"caBundle: replicas were asked, as well": {mismatch.with(func(b *bed) {
			b.logs, b.served = logs(refused(30)),
				map[int][]*issued{0: {ca}}
		}), "SD1003", "error likely"},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.bed.run(t, c.id)
			require.Equal(t, []string{c.want}, verdicts(r), "%+v", r.Findings)
			if strings.HasSuffix(c.want, "proven") {
				require.Len(t, linesOf(r.Findings[0]), 1)
			}
		})
	}
}

// TestLogsOfOneReplicaAlone finds what neither dates nor a probe tell: clients refuse one replica and not the other.
func TestLogsOfOneReplicaAlone(t *testing.T) {
	ca := issue(t, nil, -200, 3650)
	two := newBed(ca.pem(), ownData(t, ca, issue(t, ca, -50, 3650))).with(func(b *bed) {
		b.start, b.ready, b.written = []int{-3, -3}, 2,
			dayOf(0)
	})
	refused := func(count int) []snapshot.LogEntry {
		return []snapshot.LogEntry{said(snapshot.CertificateRefused, "", 30, count)}
	}
	for name, c := range map[string]struct {
		change func(*bed)
		want   []string
	}{
		"one of two":                   {func(b *bed) { b.logs = map[int][]snapshot.LogEntry{0: refused(3), 1: nil} }, []string{"error likely"}},
		"both: a client trusts nobody": {func(b *bed) { b.logs = map[int][]snapshot.LogEntry{0: refused(3), 1: refused(3)} }, nil},
		"once: a client went wrong":    {func(b *bed) { b.logs = map[int][]snapshot.LogEntry{0: refused(1), 1: nil} }, nil},
		"the other was not read":       {func(b *bed) { b.logs = map[int][]snapshot.LogEntry{0: refused(3)} }, nil},
		"there is no other":            {func(b *bed) { b.start, b.ready, b.logs = []int{-3}, 1, logs(refused(3)...) }, nil},
		"the other started later": {func(b *bed) { b.start, b.logs = []int{-3, 1}, map[int][]snapshot.LogEntry{0: refused(3), 1: nil} },
			nil},
		"nobody noted when": {func(b *bed) { b.written, b.logs = time.Time{}, map[int][]snapshot.LogEntry{0: refused(3), 1: nil} },
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := two.with(c.change).run(t, "SD1005")
			require.Equal(t, append([]string{}, c.want...), verdicts(r), "%+v", r.Findings)
			if len(c.want) > 0 {
				require.Equal(t, "clients reject the certificate of 1 of 2 ready webhook replicas (webhook-a), last 30 min ago (12:30 UTC), but "+
					"not that of the others", r.Findings[0].Message)
				require.Equal(t, []string{"webhook-a: 3 times from 2026-11-21T12:29:58Z to 2026-11-21T12:30:00Z: the line of certificate refused"},
					linesOf(r.Findings[0]))
			}
		})
	}
	leaf := issue(t, ca, -50, 3650)
	asked := two.with(func(b *bed) {
		b.logs = map[int][]snapshot.LogEntry{0: refused(3), 1: nil}
		b.data, b.served = ownData(t, ca, leaf), map[int][]*issued{0: {leaf}, 1: {leaf}}
	})
	require.Empty(t, asked.run(t, "SD1005").Findings, "what they serve is trusted, and that is proven")
}

// TestLogsExplain holds for checks that need no proof: the lines that explain the finding are quoted, and no others.
func TestLogsExplain(t *testing.T) {
	ca := issue(t, nil, -200, 3650)
	data := ownData(t, ca, issue(t, ca, -50, 3650))
	left, path := "webhook.sparkoperator.k8s.io", "/webhook"
	everything := func(b *bed) {
		b.written = dayOf(0)
		b.logs = logs(
			said(snapshot.BundleNotWritten, "", 30, 1), said(snapshot.CallFailed, podWebhook, 30, 1), said(snapshot.CallFailed, left, 30, 1),
			said(snapshot.CertificateRefused, "", 30, 1),
			said(snapshot.StartFailed, "", 30, 1), said(snapshot.ApplicationNotFound, "a/b", 30, 1), said(snapshot.RequestTooLarge, "a/b", 30, 1),
		)
	}
	for id, c := range map[string]struct {
		bed  bed
		want []snapshot.Sign
	}{
		"SD1001": {newBed(ca.pem(), data).with(func(b *bed) {
			b.extra = []admissionv1.MutatingWebhook{{
				Name: podWebhook, FailurePolicy: new(admissionv1.Ignore),
				ClientConfig: admissionv1.WebhookClientConfig{CABundle: b.bundle,
					Service: &admissionv1.ServiceReference{Namespace: "spark-operator", Name: "spark-operator-webhook-svc", Path: new("/mutate--v1-pod")}},
			}}
		}), []snapshot.Sign{snapshot.CertificateRefused}},
		"SD1002": {newBed(ca.pem(), data), []snapshot.Sign{snapshot.StartFailed, snapshot.CallFailed}},
		"SD1003": {newBed(nil, data), []snapshot.Sign{snapshot.CertificateRefused, snapshot.BundleNotWritten}},
		"SD1004": {newBed(ca.pem(), map[string][]byte{"ca-cert.pem": []byte("x")}), []snapshot.Sign{snapshot.StartFailed}},
		"SD1008": {newBed(ca.pem(), data).with(func(b *bed) { b.unregistered = true }),
			[]snapshot.Sign{snapshot.BundleNotWritten, snapshot.StartFailed}},
		"SD1009": {newBed(ca.pem(), data).with(func(b *bed) {
			b.extra = []admissionv1.MutatingWebhook{{Name: left, ClientConfig: admissionv1.WebhookClientConfig{
				Service: &admissionv1.ServiceReference{Namespace: "elsewhere", Name: "spark-operator-webhook", Path: &path},
			}}}
			b.args = append(slices.Clone(b.args), "--mutating-webhook-name=other")
		}), []snapshot.Sign{snapshot.CallFailed}},
	} {
		t.Run(id, func(t *testing.T) {
			without := c.bed.run(t, id)
			require.NotEmpty(t, without.Findings, "%s: %s", without.Status, without.Reason)
			require.Empty(t, linesOf(without.Findings[0]))
			with := c.bed.with(everything).run(t, id)
			require.Equal(t, verdicts(without), verdicts(with), "they explain, and prove nothing that is not")
			var want []string
			for _, sign := range c.want {
				want = append(want, "webhook-a: 2026-11-21T12:30:00Z: the line of "+string(sign))
			}
			require.Equal(t, want, linesOf(with.Findings[0]))
		})
	}
}

// TestLogsAreNeverNeeded holds for every check: logs that were not asked for cost nothing, and logs that could not be read
// are named, but no verdict waits for them.
func TestLogsAreNeverNeeded(t *testing.T) {
	reading := 0
	for _, c := range checks.All() {
		i := slices.IndexFunc(c.Needs, func(n snapshot.Need) bool { return n.View == snapshot.OperatorLogs })
		if i < 0 {
			continue
		}
		reading++
		require.Equal(t, snapshot.Consulted, c.Needs[i].Role, c.ID)
	}
	require.Equal(t, 12, reading)

	ca := issue(t, nil, -200, 3650)
	healthy := newBed(ca.pem(), ownData(t, ca, issue(t, ca, -50, 3650)))
	unread := snapshot.Unseen{Verb: "get", Resource: snapshot.PodLogs, Namespace: "spark-operator", Name: "webhook-a", Reason: "forbidden"}
	forbidden := healthy.snapshotWith(t, map[snapshot.View]snapshot.Coverage{snapshot.OperatorLogs: {State: snapshot.Unseeable,
		Unseen: []snapshot.Unseen{unread}}})
	r := check.Run(forbidden, []check.Check{checkOf(t, "SD1005")}, check.DefaultParams())[0]
	require.Equal(t, check.Passed, r.Status)
	require.True(t, r.Partial)
	require.Equal(t, []snapshot.Unseen{unread}, r.Unseen)

	notAsked := healthy.snapshotWith(t, map[snapshot.View]snapshot.Coverage{snapshot.OperatorLogs: {}})
	r = check.Run(notAsked, []check.Check{checkOf(t, "SD1005")}, check.DefaultParams())[0]
	require.Equal(t, check.Passed, r.Status)
	require.False(t, r.Partial)
}

func TestARunThatWasRefusedIsQuoted(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	tried := now.Add(-time.Hour)
	list := runWithLogs(t, "SD6007/due-and-not-started.yaml", now, asWritten, operatorLog(
		entry(snapshot.RunNotStarted, "team-a/first", tried, tried), entry(snapshot.RunNotStarted, "team-b/other", tried, tried),
		entry(snapshot.RunNotStarted, "team-b/only", now.Add(-24*time.Hour), now.Add(-24*time.Hour))))
	require.Len(t, list, 2)
	require.Contains(t, list[0].Message, "; the operator tried 60 min ago (05:00 UTC) and failed")
	require.Equal(t, "2 times from 2026-11-20T05:00:00Z to 2026-11-20T05:00:00Z: the line", list[0].Evidence[len(list[0].Evidence)-1].Value)
	require.NotContains(t, list[1].Message, "tried", "before it was due")
}
