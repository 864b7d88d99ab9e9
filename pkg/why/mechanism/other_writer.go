package mechanism

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// OtherWriter is who made the commit to a Delta table with which that of the application is in conflict. The transaction that the exception
// names, or the version of the same table, is of one commit alone. A commit of the same number to another table looks alike.
type OtherWriter struct {
	Application string    // by the label of its pod, or by the name of that
	Pod         string    // whose log tells of the commit
	Over        bool      // that pod ended
	Own         string    // the application that was refused
	Table       string    // its location
	Operation   string    // of the other commit: "MERGE"; empty: not told
	Partition   string    // "[region=emea]"; empty: not told
	Column      string    // "region"; empty: not told
	Version     int       // of that commit
	At          time.Time // zero: not told
	Exception   string    // "ConcurrentAppendException"
	Schedule    string    // of which both are runs, and that lets them overlap; empty: none
}

// Mechanism names it.
func (OtherWriter) Mechanism() cause.ID { return "other-writer" }

// What Delta Lake says of a conflict (spark/src/main/scala/org/apache/spark/sql/delta/DeltaErrors.scala and OptimisticTransaction.scala of
// delta-io/delta@v3.2.0).
var (
	conflicting = lazyregexp.New(`Conflicting commit: \{(?:"timestamp":(\d{1,15}),)?[^\n]*?"operation":"([A-Z][A-Z ]*)"` +
		`(?:[^\n]*"txnId":"([0-9a-f]{8})[0-9a-f-]*")?`)
	conflictPartition = lazyregexp.New(`(?:to|from) partition (\[(?:([^\]\n=]{1,80})=)?[^\]\n]{0,120}\])`)
	attempted         = lazyregexp.New(`\[tableId=([0-9a-f]+)[0-9a-f-]*,txnId=[0-9a-f-]+\] Attempting to commit version (\d+)`)
)

// WriterOf finds whose commit refused that of the application.
func WriterOf(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "delta-conflict" {
		return cause.Cause{}, false
	}
	text := failed.Root.Message + "\n" + strings.Join(failed.Lines, "\n")
	for _, t := range failed.Chain {
		text += "\n" + t.Message
	}
	d := OtherWriter{Exception: known.Groups["what"], Own: v.AppRef().Name}
	transaction := ""
	if m := conflicting.FindStringSubmatch(text); m != nil {
		if ms, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			d.At = time.UnixMilli(ms).UTC()
		}
		d.Operation, transaction = m[2], m[3]
	}
	if m := conflictPartition.FindStringSubmatch(text); m != nil {
		d.Partition, d.Column = m[1], m[2]
	}
	table, version := ownAttempt(v, about.Subject.Name)
	at := -1
	for i := range v.Commits {
		c := &v.Commits[i]
		same := transaction != "" && c.Transaction == transaction
		if same || transaction == "" && table != "" && c.ID == table && c.Version == version {
			at = i
		}
	}
	if at < 0 {
		return cause.Cause{}, false
	}
	c := &v.Commits[at]
	d.Application, d.Over, d.Pod, d.Table, d.Version = c.Application, c.Over, c.Said.Pod.Name, c.Table, c.Version
	if d.Application == "" {
		d.Application = cmp.Or(app.PodNameOf(d.Pod).Prefix, d.Pod)
	}
	if of := v.Schedule; of != nil && of.ConcurrencyPolicy != "Forbid" && app.RunOf(of.Name, d.Application) {
		d.Schedule = of.Name
	}
	proof := cause.Proof{Object: c.Said.Pod, Field: "log " + c.Container, Value: c.Text, At: d.At}
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{proof}}, true
}

// ownAttempt is the table to which a driver tried to commit last, and the version.
func ownAttempt(v *View, pod string) (table string, version int) {
	for i := range v.Logs {
		if v.Logs[i].Pod != pod {
			continue
		}
		for _, m := range attempted.FindAllStringSubmatch(v.Logs[i].Head+"\n"+v.Logs[i].Tail, -1) {
			if n, err := strconv.Atoi(m[2]); err == nil {
				table, version = m[1], n
			}
		}
	}
	return table, version
}

// TableName is the location of a table without its scheme and the account of its store.
func TableName(location string) string {
	_, rest, is := strings.Cut(location, "://")
	if !is {
		return location
	}
	container, path, _ := strings.Cut(rest, "/")
	container, _, _ = strings.Cut(container, "@")
	return strings.TrimPrefix(container+"/"+path, "/")
}
