package app

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// meant is the text that a recorder of events was given. Since kubeflow/spark-operator#2946 the operator passes a format as the action
// and its first value as the note, so that Go adds the others as those that no verb takes: "etl%!(EXTRA string=refused)". Of events of
// executors the note is the name of the application, which the format does not take (recordSparkApplicationEvent and
// recordExecutorEvent in internal/controller/sparkapplication/controller.go@38082f33; eventf in tools/events/event_recorder.go of
// k8s.io/client-go@v0.35.4). A note whose values do not fit the verbs stays as it is.
func meant(action, note string) string {
	verbs := verb.FindAllString(action, -1)
	if len(verbs) == 0 || strings.Count(action, "%") != len(verbs) {
		return note
	}
	first, extra, more := strings.Cut(note, "%!(EXTRA ")
	values, fit := []string{first}, len(verbs) == 1 && !more
	if more {
		if values, fit = extraValues(verbs[1:], extra); fit {
			values = append([]string{first}, values...)
		} else {
			values, fit = extraValues(verbs, extra)
		}
	}
	if !fit || verbs[0] == "%d" {
		return note
	}
	var out strings.Builder
	for i, value := range values {
		before, after, _ := strings.Cut(action, verbs[i])
		out.WriteString(before + value)
		action = after
	}
	return out.String() + action
}

// verb matches those that the operator uses.
var verb = lazyregexp.New(`%[sdv]`)

// extraValues are the values that no verb took, each behind its type (doPrintf in fmt/print.go of go1.26): as many as there are verbs that
// take such types. The last one is all that is left: messages hold commas.
func extraValues(verbs []string, text string) (values []string, fit bool) {
	if len(verbs) == 0 {
		return nil, false
	}
	types := map[string]string{"%d": `u?int\d*`, "%s": "string", "%v": `\*?[\w.]+`}
	var each []string
	for _, v := range verbs {
		each = append(each, types[v]+"=(.*?)")
	}
	m := regexp.MustCompile(`(?s)^` + strings.Join(each, ", ") + `\)$`).FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	return m[1:], true
}
