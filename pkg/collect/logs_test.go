package collect

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	refusedLine = "2026/11/20 02:59:00 http: TLS handshake error from 10.0.0.1:4711: remote error: tls: bad certificate"
	plainLine   = "2026-11-20T02:59:00.000Z\tINFO\twebhook/sparkpod_defaulter.go:95\tMutating Pod"
)

// logServer answers requests for logs, by pod, and remembers them.
type logServer struct {
	*apiServer
	mu      sync.Mutex
	queries map[string][]url.Values
}

func newLogServer(t *testing.T, answer func(pod string, query url.Values, w http.ResponseWriter, r *http.Request)) *logServer {
	t.Helper()
	s := &logServer{apiServer: newServer(t, replicas()...), queries: map[string][]url.Values{}}
	s.fault = func(w http.ResponseWriter, r *http.Request) bool {
		path, isLog := strings.CutSuffix(r.URL.Path, "/log")
		if !isLog {
			return false
		}
		pod := path[strings.LastIndex(path, "/")+1:]
		s.mu.Lock()
		s.queries[pod] = append(s.queries[pod], r.URL.Query())
		s.mu.Unlock()
		answer(pod, r.URL.Query(), w, r)
		return true
	}
	return s
}

func (s *logServer) read(t *testing.T) *snapshot.Snapshot {
	t.Helper()
	return scan(t, s.apiServer, ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorLogs), Logs: true})
}

// at is a line as the kubelet gives it, some seconds after three o'clock.
func at(second int, line string) string {
	return time.Date(2026, 11, 20, 3, 0, second, 123456789, time.UTC).Format(time.RFC3339Nano) + " " + line + "\n"
}

func TestLogsOfTheOperatorOnly(t *testing.T) {
	s := newLogServer(t, func(pod string, _ url.Values, w http.ResponseWriter, _ *http.Request) {
		if pod == "webhook-2" {
			_, _ = fmt.Fprint(w, at(1, plainLine), at(2, refusedLine), at(3, refusedLine),
				at(4, `failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": EOF`))
		}
	})
	require.Empty(t, scan(t, s.apiServer, ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorPods,
		snapshot.OperatorLogs)}).OperatorLogs())
	require.Empty(t, s.queries, "nobody wanted them")
	scan(t, s.apiServer, ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorPods), Logs: true})
	require.Empty(t, s.queries, "no check needs them")

	got := s.read(t)
	require.Equal(t, snapshot.Complete, got.Coverage(snapshot.OperatorLogs).State)
	require.Len(t, s.queries, 3, "the replicas, also one that is not ready, and no other pod")
	query := s.queries["webhook-1"][0]
	require.Equal(t, "spark-operator true 5000 4194304", strings.Join([]string{query.Get("container"), query.Get("timestamps"),
		query.Get("tailLines"), query.Get("limitBytes")}, " "))
	list := got.OperatorLogs()
	require.Len(t, list, 3)
	require.Empty(t, list[0].Entries)
	start := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	require.Equal(t, []snapshot.LogEntry{
		{Sign: snapshot.CallFailed, About: "mutate--v1-pod.sparkoperator.k8s.io", First: start.Add(4 * time.Second),
			Last: start.Add(4 * time.Second), Count: 1, Text: `failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": EOF`},
		{Sign: snapshot.CertificateRefused, First: start.Add(2 * time.Second), Last: start.Add(3 * time.Second), Count: 2, Text: refusedLine},
	}, list[1].Entries)
	require.Equal(t, "webhook-2", list[1].Name)
}

func TestLogsThatCannotBeRead(t *testing.T) {
	s := newLogServer(t, func(pod string, _ url.Values, w http.ResponseWriter, _ *http.Request) {
		switch pod {
		case "webhook-1":
			fail(w, apierrors.NewForbidden(schema.GroupResource{Resource: "pods/log"}, pod, nil))
		case "webhook-2":
			_, _ = fmt.Fprint(w, at(1, refusedLine))
		default:
			fail(w, apierrors.NewBadRequest(`container "spark-operator" in pod "webhook-starting" is waiting to start: ContainerCreating`))
		}
	})
	got := s.read(t)
	require.Equal(t, snapshot.Coverage{State: snapshot.Partial, Unseen: []snapshot.Unseen{
		{Verb: "get", Resource: "pods/log", Namespace: "spark-operator", Name: "webhook-1", Reason: "forbidden"},
	}}, got.Coverage(snapshot.OperatorLogs), "one that has not started has no log")
	require.Len(t, got.OperatorLogs(), 3)
	require.Len(t, got.OperatorLogs()[1].Entries, 1)
}

func TestLogsOfPodsThatCannotBeListed(t *testing.T) {
	s := newLogServer(t, nil)
	logs := s.fault
	s.fault = func(w http.ResponseWriter, r *http.Request) bool {
		return forbid("/api/v1/namespaces/spark-operator/pods")(w, r) || logs(w, r)
	}
	got := s.read(t)
	require.Equal(t, snapshot.Coverage{State: snapshot.Unseeable, Unseen: []snapshot.Unseen{
		{Verb: "list", Resource: "pods", Namespace: "spark-operator", Reason: "forbidden"},
	}}, got.Coverage(snapshot.OperatorLogs))
}

// TestLogsAreBounded takes a server that goes on for ever, one that says nothing, and one that breaks off.
func TestLogsAreBounded(t *testing.T) {
	s := newLogServer(t, func(pod string, query url.Values, w http.ResponseWriter, r *http.Request) {
		switch pod {
		case "webhook-1": // a server that does not keep to limitBytes
			block := strings.Repeat(at(1, plainLine), 1000)
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, block); err != nil {
					return
				}
			}
		case "webhook-2":
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Length", "100000")
			_, _ = fmt.Fprint(w, at(1, refusedLine))
		}
	})
	config := s.config()
	config.Timeout = 500 * time.Millisecond
	got, _, err := Cluster(t.Context(), connected(t, config), ClusterOptions{Needs: need(snapshot.Deployments, snapshot.OperatorLogs),
		Logs: true, Now: time.Now})
	require.NoError(t, err)
	cover := got.Coverage(snapshot.OperatorLogs)
	reasons := map[string]string{}
	for _, u := range cover.Unseen {
		reasons[u.Name] = u.Reason
	}
	require.Contains(t, reasons["webhook-2"], "timed out")
	require.NotEmpty(t, reasons["webhook-starting"])
	require.Len(t, got.OperatorLogs()[2].Entries, 1, "what came before it broke off counts")
}

// TestLongLogsAreReadFromTheirEnd holds that the newest lines are seen where the limit of bytes would cut them off.
func TestLongLogsAreReadFromTheirEnd(t *testing.T) {
	long := strings.Repeat("x", 2000)
	s := newLogServer(t, func(_ string, query url.Values, w http.ResponseWriter, _ *http.Request) {
		lines, text := map[string]int{"5000": 4999, "500": 499}[query.Get("tailLines")], &strings.Builder{}
		for i := range lines {
			text.WriteString(at(i%60, long))
		}
		text.WriteString(at(59, refusedLine))
		all := text.String()
		_, _ = fmt.Fprint(w, all[:min(len(all), logBytes)])
	})
	got := s.read(t)
	require.Len(t, s.queries["webhook-1"], 2)
	require.Len(t, got.OperatorLogs()[0].Entries, 1)
	require.Equal(t, snapshot.Complete, got.Coverage(snapshot.OperatorLogs).State)
}

// TestLinesHoldNoSecrets holds for what is quoted, and that a very long line is cut.
func TestLinesHoldNoSecrets(t *testing.T) {
	sign := `failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": Post "https://bob:s3cret@proxy/": `
	token := "eyJhbGciOiJSUzI1NiIsImtpZCI6." + strings.Repeat("a", 3900) + ".c2lnbmF0dXJl"
	for name, c := range map[string]struct{ text, want string }{
		"short": {sign + "spark.hadoop.fs.s3a.secret.key=abc",
			`failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": Post "https://[redacted]@proxy/": spark.hadoop.fs.s3a.secret.key=[redacted]`},
		"a long token":    {sign + token + " end", `failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": Post "https://[redacted]@proxy/": [redacted] end`},
		"cut in a secret": {sign + strings.Repeat("y", 3990) + " password=" + strings.Repeat("z", 5000), ""},
		"not UTF-8":       {sign + "\xff\xfe", `failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": Post "https://[redacted]@proxy/": ` + "\ufffd"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newLogDigest()
			require.NoError(t, d.read(strings.NewReader(at(1, c.text))))
			got := d.sorted()[0].Text
			require.LessOrEqual(t, len(got), maxQuote+len("…"))
			require.NotContains(t, got, "s3cret")
			require.NotContains(t, got, "zz")
			if c.want != "" {
				require.Equal(t, c.want, got)
			} else {
				require.True(t, strings.HasSuffix(got, "…"))
			}
		})
	}
}

func TestLogLinesOfAnyLength(t *testing.T) {
	d := newLogDigest()
	text := "no time at all\n\n" + at(1, strings.Repeat("x", maxLogLine)+refusedLine) + at(2, refusedLine+strings.Repeat(" y", maxLogLine)) +
		strings.TrimSuffix(at(3, refusedLine), "\n")
	require.NoError(t, d.read(strings.NewReader(text)))
	require.Equal(t, len(text), d.bytes)
	require.Equal(t, 2, d.sorted()[0].Count, "what is beyond the start of a line is passed over, the last line need not end")
	require.Equal(t, 3, d.sorted()[0].Last.Second())
}

func TestLogSubjectsAreBounded(t *testing.T) {
	d := newLogDigest()
	for i := range 3 * maxLogEntries {
		d.line(time.Time{}, fmt.Sprintf("internal error: failed to get SparkApplication ns/app-%d: x", i))
	}
	require.Len(t, d.sorted(), maxLogEntries)
}

// FuzzLogDigest takes any bytes for a log: what is quoted is short, one line, and text.
func FuzzLogDigest(f *testing.F) {
	f.Add([]byte(at(1, refusedLine) + at(2, plainLine)))
	f.Add([]byte(at(1, `failed calling webhook \"mutate--v1-pod.sparkoperator.k8s.io\": password=\"a\\\"b\" eyJhbGciOiJSUzI1NiIsImtpZCI6.x.y`)))
	f.Add([]byte("2026-11-20T03:00:01Z failed to get SparkApplication"))
	f.Fuzz(func(t *testing.T, log []byte) {
		defer allocated.Bound(t, len(log))()
		d := newLogDigest()
		if err := d.read(bytes.NewReader(log)); err != nil {
			t.Fatal(err)
		}
		for _, e := range d.sorted() {
			if len(e.Text) > maxQuote+len("…") || !utf8.ValidString(e.Text) || strings.ContainsAny(e.Text, "\n\r\t") || e.Count < 1 {
				t.Fatalf("%+v", e)
			}
		}
	})
}
