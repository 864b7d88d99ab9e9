package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Listening is what a server of Spark Connect logs when it has opened its port
// (SparkConnectServer.scala in sql/connect/server/src/main/scala/org/apache/spark/sql/connect/service@v4.0.0, and @v3.5.5).
const Listening = "Spark Connect server started at"

// ListeningLine returns the line of a log that says so; empty: none does.
func ListeningLine(log *app.Log) string {
	for _, text := range []string{log.Head, log.Tail} {
		if at := strings.Index(text, Listening+": "); at >= 0 {
			line, _, _ := strings.Cut(text[strings.LastIndexByte(text[:at], '\n')+1:], "\n")
			return strings.TrimSpace(line)
		}
	}
	return ""
}
