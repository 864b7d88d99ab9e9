package mechanism

import (
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// WholeResult is a heap that was exhausted while a JDBC driver read the whole result of a query for Spark's reader: a larger heap only
// moves the limit. A heap that fills in another place of such a task looks alike, with other frames.
type WholeResult struct {
	Role   cause.Role
	Driver JDBCDriver
	One    bool // the stage had one task: the table is read as one partition
}

// JDBCDriver is one that reads whole results unless it is told otherwise.
type JDBCDriver string

// The drivers. That of MySQL does so whatever the fetch size is, as long as useCursorFetch is not set (src/main/user-impl/java/com/mysql/
// cj/jdbc/StatementImpl.java of mysql/mysql-connector-j@96a9f96); that of PostgreSQL where the fetch size is 0, which is the default of
// Spark's option (docs/sql-data-sources-jdbc.md@v3.5.5).
const (
	MySQL      JDBCDriver = "MySQL"
	PostgreSQL JDBCDriver = "PostgreSQL"
)

// Mechanism names it.
func (WholeResult) Mechanism() cause.ID { return "whole-result" }

// readsWhole matches the frames of an OutOfMemoryError from the driver of a database up to Spark's reader.
var readsWhole = lazyregexp.New(`(OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded))(?:\r?\n\s+at [^\n]*){0,80}?` +
	`\n\s+at (com\.mysql\.(?:cj\.protocol\.a\.NativeProtocol|jdbc\.MysqlIO)\.readAllResults|` +
	`org\.postgresql\.core\.v3\.QueryExecutorImpl\.processResults)\((?:[^\n]*\n\s+at ){1,30}?` +
	`org\.apache\.spark\.sql\.execution\.datasources\.jdbc\.JDBCRDD`)

// ReadWhole looks for such frames behind a heap that was exhausted.
func ReadWhole(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "heap" && known.Signature.ID != "gc-overhead" {
		return cause.Cause{}, false
	}
	var says, frame string
	for i := range v.Logs {
		l := &v.Logs[i]
		if l.Pod != about.Subject.Name || l.Namespace != about.Subject.Namespace {
			continue
		}
		for _, text := range []string{l.Head, l.Tail} {
			if m := readsWhole.FindStringSubmatch(text); m != nil {
				says, frame = m[1], m[2]
			}
		}
	}
	if frame == "" || len(about.Evidence) == 0 {
		return cause.Cause{}, false
	}
	role, _ := actingPod(v, about, &failed)
	d := WholeResult{Role: role, Driver: MySQL}
	if strings.HasPrefix(frame, "org.postgresql.") {
		d.Driver = PostgreSQL
	}
	if failed.Attempts.Times > 0 {
		of := lazyregexp.New(`Submitting (\d+) missing tasks from \w+Stage ` + strconv.Itoa(failed.Attempts.Stage) + ` `)
		m := inDriverLogs(v, of)
		d.One = m != nil && m[1] == "1"
	}
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Detail: d, Evidence: []cause.Proof{{Object: about.Subject, Field: about.Evidence[0].Field, Value: says + " … at " + frame,
			At: about.At}}}, true
}
