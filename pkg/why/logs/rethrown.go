package logs

import "strings"

// rethrown says of which task an exception is that ended the driver without a word of it: a job was given up for the task just before, and
// a try of it failed at the same. Code of the driver that fails at the same by itself looks alike, where no job was given up.
func (s *story) rethrown(c candidate) candidate {
	root := c.verdict.root
	if c.tried.Times != 0 || c.executor != "" || root == nil || len(root.message) < leastAlike {
		return c
	}
	for at := c.at - 1; at > s.work; at-- {
		e := &s.entries[at]
		if e.level < failure || !abortsJob.MatchString(e.message) {
			continue
		}
		m := failedTimes.FindStringSubmatch(e.message)
		if m == nil || s.timeOf(c.at).Sub(s.timeOf(at)) > afterAbort {
			return c
		}
		tried := attemptsOf(m[1:])
		for i := len(s.tasks) - 1; i >= 0; i-- {
			if t := &s.tasks[i]; t.at < at && tried.of(*t) && s.says(t, root.message) {
				c.tried, c.executor = tried, t.executor
				return c
			}
		}
		return c
	}
	return c
}

// leastAlike is how long a message is, at least, by which two exceptions are the same.
const leastAlike = 20

// says reports whether the exceptions of a try say the same: all of it, or as far as a line of the log holds it.
func (s *story) says(t *taskFailure, message string) bool {
	first, _, _ := strings.Cut(message, "\n")
	if strings.Contains(s.entries[t.at].message, first) {
		return true
	}
	for _, l := range s.chain(t.at) {
		said, _, _ := strings.Cut(l.message, "\n")
		if said == first {
			return true
		}
	}
	return false
}
