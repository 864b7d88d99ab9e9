package logs

import (
	"slices"
	"strings"
)

// closedSession is the condition of a request for a session that expired or was closed (addExecuteHolder and getOrCreateIsolatedSession in
// sql/connect/server/src/main/scala/org/apache/spark/sql/connect/service@v4.0.0).
const closedSession = "[INVALID_HANDLE.SESSION_CLOSED]"

// sessionClosed is the last such request; nil: there was none.
func (s *story) sessionClosed() *Complaint {
	for i := len(s.entries) - 1; i >= 0; i-- {
		e := &s.entries[i]
		says := func(line string) bool { return strings.Contains(line, closedSession) }
		if e.level >= warn && (says(e.message) || slices.ContainsFunc(e.extra, says)) {
			return s.complaintOf(i)
		}
	}
	return nil
}
