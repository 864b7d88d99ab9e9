package logs

import "strings"

// Retries are tries of a commit that failed and were made again, until one succeeded.
type Retries struct {
	Times     int
	Last      Complaint
	Committed string // the line of the snapshot that was committed after the last of them
	Snapshot  string // its ID
}

// committedSnapshot is what Iceberg says of a commit that succeeded (core/src/main/java/org/apache/iceberg/SnapshotProducer.java,
// apache/iceberg@01fbcc2).
const committedSnapshot = "Committed snapshot "

// retries finds what Iceberg tried again (runTaskWithRetry in core/src/main/java/org/apache/iceberg/util/Tasks.java,
// apache/iceberg@01fbcc2); nil: nothing, or no snapshot was committed after it.
func (s *story) retries() *Retries {
	var out Retries
	last := -1
	for i := range s.entries {
		if e := &s.entries[i]; e.level == warn && strings.HasPrefix(e.message, "Retrying task after failure: ") {
			out.Times++
			last = i
		}
	}
	if last < 0 || s.snapshot < last {
		return nil
	}
	out.Last, out.Committed = *s.complaintOf(last), s.entries[s.snapshot].first
	out.Snapshot, _, _ = strings.Cut(strings.TrimPrefix(s.entries[s.snapshot].message, committedSnapshot), " ")
	return &out
}
