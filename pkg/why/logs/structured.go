package logs

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// parseStructured reads a line of JSON. Fields are those of common/utils/src/main/resources/org/apache/spark/SparkLayout.json@v4.0.0 (ts,
// level, msg, exception, logger), of the Elastic Common Schema, of Logstash and of Python loggers (message, levelname, exc_info).
func parseStructured(line string) (header, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &fields) != nil {
		return header{}, false
	}
	text := func(names ...string) string {
		for _, name := range names {
			var s string
			if json.Unmarshal(fields[name], &s) == nil && s != "" {
				return s
			}
		}
		return ""
	}
	h := header{
		level:   levelOf(text("level", "log.level", "levelname", "severity")),
		logger:  text("logger", "log.logger", "logger_name", "name"),
		message: text("msg", "message"),
	}
	empty := h.message == "" && fields["exception"] == nil
	if h.level == plain || empty {
		return header{}, false // a record that the application printed
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999Z0700", "2006-01-02 15:04:05,999"} {
		if at, err := time.Parse(layout, text("ts", "timestamp", "@timestamp", "time", "asctime")); err == nil && snapshot.Writable(at) {
			h.at, h.zoned = at.UTC(), layout != "2006-01-02 15:04:05,999"
			break
		}
	}
	trace := structuredTrace(fields["exception"])
	if trace == "" {
		trace = text("error.stack_trace", "stack_trace", "exc_info", "stacktrace")
	}
	if trace == "" && text("error.type") != "" {
		trace = text("error.type") + ": " + text("error.message")
	}
	if trace != "" {
		h.message += "\n" + trace
	}
	return h, true
}

// structuredTrace is the exception of a record as the JVM would print it.
func structuredTrace(raw json.RawMessage) string {
	var e struct {
		Class      string          `json:"class"`
		Message    string          `json:"msg"`
		StackTrace json.RawMessage `json:"stacktrace"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &e) != nil {
		return ""
	}
	var whole string
	if json.Unmarshal(e.StackTrace, &whole) == nil && whole != "" {
		return whole
	}
	if e.Class == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(e.Class)
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	var frames []struct {
		Class  string      `json:"class"`
		Method string      `json:"method"`
		File   string      `json:"file"`
		Line   json.Number `json:"line"`
	}
	if json.Unmarshal(e.StackTrace, &frames) == nil {
		for _, f := range frames {
			b.WriteString("\n\tat " + f.Class + "." + f.Method + "(" + f.File + ":" + f.Line.String() + ")")
		}
	}
	return b.String()
}
