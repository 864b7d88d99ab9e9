package app

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Deleted is what logs tell of an application that is gone: when the operator saw it deleted, and which client deleted it.
type Deleted struct {
	At     time.Time // zero: the operator's log does not say
	State  string    // it was in
	Log    Said      // of the operator
	Client *Client   // nil: no log says who
}

// Client is who deletes an application, by its own log.
type Client struct {
	Task     string // of Airflow, with its DAG: "finance_close.ledger_rebuild"; empty: not told
	Deletes  Said
	TimedOut *Said // before it; nil: it says nothing of a time that ran out
}

// operatorDeleted matches what the operator logs of an application that is gone (internal/controller/sparkapplication/event_handler.go@
// v2.5.2), as zap writes it.
var operatorDeleted = lazyregexp.New(`\bSparkApplication deleted\b`)

// state matches the one that the application was in.
var state = lazyregexp.New(`"state": ?"([A-Z_]+)"`)

// What Airflow logs of a task that ran an application (apache/airflow@2.10.5): that its SparkKubernetesOperator deletes the application
// (process_pod_deletion in providers/cncf/kubernetes/src/airflow/providers/cncf/kubernetes/operators/spark_kubernetes.py), that the task
// took longer than its execution_timeout (airflow/utils/timeout.py), and which task it is (airflow/models/taskinstance.py).
var (
	airflowDeletes = lazyregexp.New(`\bDeleting spark job: (\S+)`)
	airflowTimeout = lazyregexp.New(`\bProcess timed out, PID: \d+|\bAirflowTaskTimeout\b`)
	airflowTask    = lazyregexp.New(`\bdag_id=([\w.-]+), task_id=([\w.-]+)`)
	airflowStamp   = lazyregexp.New(`^\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4})\]`)
)

// afterTimeout is how long Airflow takes at most from the end of the time to the deletion.
const afterTimeout = 2 * time.Minute

// deleted reads the logs for an application that was not seen.
func (s *sorter) deleted(logs []Log) {
	if s.e.Application != nil || s.e.Apache != nil || s.e.Subject.Kind != "SparkApplication" {
		return
	}
	var d Deleted
	for i := range logs {
		l := &logs[i]
		for _, text := range []string{l.Head, l.Tail} {
			if strings.Contains(text, "SparkApplication deleted") {
				s.deletedByLog(&d, l, text)
			}
			if strings.Contains(text, "Deleting spark job: "+s.e.Subject.Name) {
				d.Client = clientOf(l, text, s.e.Subject.Name)
			}
		}
	}
	if !d.At.IsZero() || d.Client != nil {
		s.e.Deleted = &d
	}
}

// deletedByLog is the last time that the operator saw the application deleted.
func (s *sorter) deletedByLog(d *Deleted, l *Log, text string) {
	named := func(line, field, value string) bool {
		return strings.Contains(line, `"`+field+`": "`+value+`"`) || strings.Contains(line, `"`+field+`":"`+value+`"`)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(stamped.ReplaceAllString(line, ""))
		if !operatorDeleted.MatchString(line) || !named(line, "name", s.e.Subject.Name) || !named(line, "namespace", s.e.Subject.Namespace) {
			continue
		}
		d.At, d.Log, d.State = loggedAt(line), saidIn(l, line, loggedAt(line)), ""
		if m := state.FindStringSubmatch(line); m != nil {
			d.State = m[1]
		}
	}
}

// clientOf reads who deletes an application by the log of that client.
func clientOf(l *Log, text, name string) *Client {
	var c Client
	at := time.Time{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(stamped.ReplaceAllString(line, ""))
		if m := airflowStamp.FindStringSubmatch(line); m != nil {
			at, _ = time.Parse("2006-01-02T15:04:05.000-0700", m[1])
		}
		if m := airflowDeletes.FindStringSubmatch(line); m != nil && m[1] == name {
			c.Deletes = saidIn(l, line, at.UTC())
		}
		if m := airflowTask.FindStringSubmatch(line); m != nil {
			c.Task = m[1] + "." + m[2]
		}
		if c.Deletes.Text == "" && airflowTimeout.MatchString(line) {
			said := saidIn(l, line, at.UTC())
			c.TimedOut = &said
		}
	}
	if c.TimedOut != nil && c.Deletes.At.Sub(c.TimedOut.At).Abs() > afterTimeout {
		c.TimedOut = nil // that of an import of the DAG, say
	}
	if c.Deletes.Text == "" {
		return nil
	}
	return &c
}

// namespaced matches the namespace in a line of zap.
var namespaced = lazyregexp.New(`"namespace": ?"([a-z0-9-]+)"`)

// deletedIn finds an application of which only logs tell: that of an operator which saw it deleted, or that of the client which did.
func deletedIn(s *snapshot.Snapshot, q Query) map[string]snapshot.Ref {
	found := map[string]snapshot.Ref{}
	if q.Name == "" || q.Kind != "" && q.Kind != "SparkApplication" || q.Group != "" && q.Group != snapshot.SparkGroup {
		return found
	}
	add := func(namespace string) {
		if q.in(namespace) {
			found[namespace] = Query{"SparkApplication", snapshot.SparkGroup, namespace, q.Name}.Ref()
		}
	}
	for _, l := range s.ApplicationLogs() {
		for _, text := range []string{string(l.Head), string(l.Tail)} {
			for line := range strings.Lines(text) {
				if !strings.Contains(line, q.Name) {
					continue
				}
				whole := strings.Contains(line, `"name": "`+q.Name+`"`) || strings.Contains(line, `"name":"`+q.Name+`"`)
				if m := namespaced.FindStringSubmatch(line); m != nil && whole && operatorDeleted.MatchString(line) {
					add(m[1])
				}
				if m := airflowDeletes.FindStringSubmatch(line); m != nil && m[1] == q.Name && q.Namespace != "" {
					add(q.Namespace)
				}
			}
		}
	}
	return found
}

func saidIn(l *Log, line string, at time.Time) Said {
	return Said{Container: l.Container, Text: line, At: at,
		Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}}
}
