package evidence

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// operatorError matches a line in which the operator logs an error: klog up to 1.x, zap since 2.0.0.
var operatorError = regexp.MustCompile(`E\d{4} \d\d:\d\d:\d\d\.|\bERROR\b|"level":"error"`)

// errorsAbout are the errors in a log of the operator that name the application.
func (s *sorter) errorsAbout(l *Log) (out []Said) {
	name := s.application()
	for line := range strings.Lines(l.Tail) {
		if s.applicationKind() == "SparkApplication" && name != "" && operatorError.MatchString(line) && strings.Contains(line, name) {
			out = append(out, Said{Container: l.Container, Text: strings.TrimSpace(line),
				Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}})
		}
	}
	return out
}
