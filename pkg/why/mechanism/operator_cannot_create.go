package mechanism

import (
	"encoding/json"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// OperatorCannotCreate is a part of a SparkConnect that the API server did not let the operator create: only its log says so.
type OperatorCannotCreate struct {
	What    string   // as the operator calls it
	Server  bool     // it is the server's pod
	Refusal *Refusal // nil: its words are not known
	Said    string   // why, by the log
}

// Mechanism names it.
func (OperatorCannotCreate) Mechanism() cause.ID { return "operator-cannot-create" }

func operatorCannotCreate(v *View) (cause.Cause, bool) {
	if len(v.OperatorSaid) == 0 {
		return cause.Cause{}, false
	}
	said := v.OperatorSaid[len(v.OperatorSaid)-1]
	if !said.At.IsZero() && said.At.Before(v.Application.CreationTimestamp.Time) {
		return cause.Cause{}, false // about another one of the name
	}
	c := cause.Cause{Class: cause.Submission, Role: cause.OperatorRole, Trust: cause.ByOperator, Subject: v.AppRef(), At: said.At,
		Evidence: []cause.Proof{{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At}}}
	text := errorIn(said.Text)
	if _, rest, found := strings.Cut(text, "failed to create or update "); found {
		text = rest
	}
	what, why, _ := strings.Cut(text, ": ")
	cannot := OperatorCannotCreate{What: what, Server: what == "server pod", Said: why}
	if r, known := NewMessages().Refused(why); known {
		cannot.Refusal = &r
		c.Class, c.Topics = r.Class, r.Topics
	} else {
		c.Certainty = check.Likely
	}
	c.Detail = cannot
	return c, true
}

// errorIn is the error of a line that zap wrote: a string of JSON, behind the text or among the other keys of the line
// (zapcore/console_encoder.go and zapcore/json_encoder.go of go.uber.org/zap@v1.27.0).
func errorIn(line string) string {
	_, rest, found := strings.Cut(line, `"error":`)
	if !found {
		return line
	}
	var said string
	if json.NewDecoder(strings.NewReader(rest)).Decode(&said) != nil {
		return strings.TrimRight(strings.ReplaceAll(rest, `\"`, `"`), `}"`) // the line was cut off
	}
	return said
}
