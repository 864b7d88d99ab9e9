package logs

import "strings"

// accepts reports whether the line, which begins nothing, belongs to the current entry.
func (r *reader) accepts(line string) bool {
	current := r.current()
	switch {
	case current.reports(line):
		return true
	case current.traced:
		return joins(line)
	case current.uncaught != caught:
		return true
	case r.broken >= 0 && len(current.extra) == 0 && traceLine.MatchString(line) && !raises.MatchString(current.message):
		return false // it is no exception of its own that these frames would be of
	case current.level >= warn:
		return true
	case current.level == plain && strings.IndexByte(current.message, '.') > 0 && throwableName.MatchString(current.message):
		return true // its message may have several lines
	default:
		return traceLine.MatchString(line)
	}
}

func (r *reader) extend(line string) {
	r.current().extend(line)
	if r.current().traced {
		r.broken = len(r.entries) - 1
	}
}

func (e *entry) extend(line string) {
	begins := strings.Contains(line, "Caused by: ") || throwableName.MatchString(line) || line == directCause || line == whileHandling
	full := len(e.extra) >= maxExtra && !begins
	if full || len(e.extra) >= 2*maxExtra {
		return
	}
	e.extra = append(e.extra, line)
	switch {
	case strings.HasPrefix(strings.TrimSpace(line), "at ") && traceLine.MatchString(line):
		e.traced = true
	case begins, strings.HasSuffix(line, tracebackLine), strings.HasPrefix(line, ": "), strings.HasPrefix(line, "JVM stacktrace:"):
		e.traced = false
	}
}
