package logs

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Collects is the last job that a driver began, where it is of an action that brings its whole result to the driver (Dataset.collect and
// collectAsList in sql/core/src/main/scala/org/apache/spark/sql/Dataset.scala, toPandas in python/pyspark/sql/pandas/conversion.py@v3.5.5).
type Collects struct {
	Action string // "toPandas"
	At     string // the line that calls it: "/opt/job.py:212"
	Line   string // of the log
}

var collecting = lazyregexp.New(`^(?:Starting job: |Got job \d+ \()(collect|collectAsList|collectAsMap|toPandas) at ([^\s)]{1,200}:\d+)`)

// lastCollected is that of the last job; nil: it is of another action.
func (s *story) lastCollected() *Collects {
	if s.work < 0 {
		return nil
	}
	m := collecting.FindStringSubmatch(s.entries[s.work].message)
	if m == nil {
		return nil
	}
	line, _ := s.toldAt(s.work)
	return &Collects{Action: m[1], At: m[2], Line: line}
}
