// Package casefile holds the case file of one application as it is written: the document of JSON and YAML, and the words that a terminal,
// Markdown and HTML share.
package casefile

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Kind is what a case file calls itself in JSON and YAML.
const Kind = "CaseFile"

// Document is a case file.
type Document struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   report.Metadata `json:"metadata"`
	Tool       report.Tool     `json:"tool"`
	Subject    snapshot.Ref    `json:"subject"`
	State      State           `json:"state"`
	Verdict    Verdict         `json:"verdict"`
	Causes     []Cause         `json:"causes"` // ranked; the first is the verdict
	RuledOut   []RuledOut      `json:"ruledOut"`
	Attempts   []Attempt       `json:"attempts"`
	Timeline   []Moment        `json:"timeline"`
	Losses     []Moment        `json:"-"` // of executors, also those that Timeline leaves out
	Executors  *Executors      `json:"executors,omitempty"`
	Also       []string        `json:"also,omitempty"`
	Telling    []Evidence      `json:"telling,omitempty"` // the lines to read where no cause is known
	Unseen     []Unseen        `json:"unseen"`

	patchLine string // the command that prints the patch
	namesake  bool   // the other operator has one of that name
}

// State is how the application stands.
type State struct {
	State       string    `json:"state"` // empty: the operator has not set one
	Since       time.Time `json:"since,omitzero"`
	Attempt     int       `json:"attempt,omitempty"`
	MaxAttempts int       `json:"maxAttempts,omitempty"`
	RanSeconds  int       `json:"ranSeconds,omitempty"`
	DriverEnded time.Time `json:"driverEnded,omitzero"` // though the state says that it runs
	Deleted     time.Time `json:"deleted,omitzero"`     // it has been terminating since
}

// Verdict is the answer.
type Verdict struct {
	Mechanism string        `json:"mechanism,omitempty"` // what was found, by its name; absent: nothing
	Class     string        `json:"class"`
	Role      string        `json:"role,omitempty"` // whose failure it is: driver, executor, operator, submission
	Certainty string        `json:"certainty"`
	Message   string        `json:"message"`
	Brief     string        `json:"brief,omitempty"`   // of Message what a reader needs first, where that is less
	Follows   string        `json:"follows,omitempty"` // what it keeps from happening, where Brief does not say so
	Evidence  []Evidence    `json:"evidence"`
	Shows     *Evidence     `json:"-"`                // what shows it best; nil: the first of the evidence
	Change    []Change      `json:"change,omitempty"` // what to set so that it does not happen again
	Next      []report.Next `json:"next"`
	Now       []report.Next `json:"-"` // of Next what helps now
	Stalled   bool          `json:"-"` // the job has stopped to go on
	// NotRuledOut is what else it could be, for which it is likely and not proven.
	NotRuledOut []NotRuledOut `json:"notRuledOut,omitempty"`
}

// NotRuledOut is something else that could look like a reason.
type NotRuledOut struct {
	Rival    string `json:"rival"`
	Is       string `json:"is"`
	Standing string `json:"standing"` // present or notSeen
}

// Cause is a verdict, and where it stands among others.
type Cause struct {
	Verdict

	Subject   snapshot.Ref `json:"subject"`
	Time      time.Time    `json:"time,omitzero"`
	Effect    bool         `json:"effect,omitempty"`
	Signature string       `json:"signature,omitempty"`
}

// Evidence is a value that was seen.
type Evidence struct {
	Object snapshot.Ref `json:"object"`
	Field  string       `json:"field"`
	Value  string       `json:"value"`
	Time   time.Time    `json:"time,omitzero"`
	Beside bool         `json:"beside,omitempty"` // it does not prove the cause
}

// RuledOut is what it was not.
type RuledOut struct {
	Message string `json:"message"`
	Because string `json:"because"`
}

// Attempt is one run.
type Attempt struct {
	Number     int       `json:"number"`
	Started    time.Time `json:"started,omitzero"`
	Ended      time.Time `json:"ended,omitzero"`
	Outcome    string    `json:"outcome"`
	SameReason bool      `json:"sameReason"`
}

// Moment is one thing that happened.
type Moment struct {
	Time   time.Time     `json:"time"`
	Text   string        `json:"text"`
	Object *snapshot.Ref `json:"object,omitempty"`
	Turn   why.Turn      `json:"-"`
}

// Executors are those of the last attempt.
type Executors struct {
	Asked     int    `json:"asked"`
	Ran       int    `json:"ran"`
	Running   int    `json:"running"`
	Pending   int    `json:"pending"`
	Failed    int    `json:"failed"`
	Completed int    `json:"completed"`
	Lost      []Loss `json:"lost"`
}

// Loss says why executors were lost.
type Loss struct {
	Count int    `json:"count"`
	Why   string `json:"why"`
}

// Unseen is what could not be looked at.
type Unseen struct {
	What     string `json:"what"`
	Reason   string `json:"reason"`
	NextTime string `json:"nextTime,omitempty"`
	Command  string `json:"command,omitempty"` // of an administrator, which lets it be read
}

// UnseenOf is what could not be looked at, with a command that goes where the user asked.
func UnseenOf(u why.Unseen, asked command.Asked) Unseen {
	return Unseen{What: u.What, Reason: u.Reason, NextTime: u.NextTime, Command: asked.In(u.Line)}
}

// New makes the document of a case file, with commands that go where the user asked.
func New(f why.CaseFile, tool report.Tool, asked command.Asked) *Document {
	d := &Document{
		APIVersion: report.APIVersion, Kind: Kind, Metadata: report.Metadata{CreationTimestamp: second(f.AsOf)}, Tool: tool, Subject: f.Subject,
		State: State{State: f.State.Word, Since: second(f.State.Since), Attempt: f.State.Attempt, MaxAttempts: f.State.MaxAttempts,
			RanSeconds: int(f.State.Ran / time.Second), DriverEnded: second(f.State.DriverEnded), Deleted: second(f.State.Deleted)},
		Also: f.Also, namesake: f.Namesake != nil,
		Causes: []Cause{}, RuledOut: []RuledOut{}, Attempts: []Attempt{}, Timeline: []Moment{}, Unseen: []Unseen{},
	}
	for i := range f.Causes {
		d.Causes = append(d.Causes, causeOf(&f.Causes[i], f.Subject, asked))
	}
	if len(d.Causes) == 0 { // a case file has one; a reader of the document must not meet an empty verdict
		unknown := why.Cause{Cause: cause.Cause{Class: cause.Unknown}, Message: "nothing that was read tells why"}
		d.Causes = []Cause{causeOf(&unknown, f.Subject, asked)}
	}
	d.Verdict = d.Causes[0].Verdict
	for _, r := range f.RuledOut {
		d.RuledOut = append(d.RuledOut, RuledOut(r))
	}
	for _, a := range f.Attempts {
		d.Attempts = append(d.Attempts, Attempt{a.Number, second(a.Started), second(a.Ended), a.Outcome, a.SameReason})
	}
	for _, m := range f.Timeline {
		d.Timeline = append(d.Timeline, momentOf(m))
	}
	for _, m := range f.Losses {
		d.Losses = append(d.Losses, momentOf(m))
	}
	if e := f.Executors; e != nil {
		d.Executors = &Executors{e.Asked, e.Ran, e.Running, e.Pending, e.Failed, e.Completed, []Loss{}}
		for _, l := range e.Lost {
			d.Executors.Lost = append(d.Executors.Lost, Loss(l))
		}
	}
	for _, p := range f.Telling {
		d.Telling = append(d.Telling, Evidence{named(p.Object, f.Subject), p.Field, p.Value, second(p.At), false})
	}
	for _, u := range f.Unseen {
		d.Unseen = append(d.Unseen, UnseenOf(u, asked))
	}
	return d
}

func momentOf(m why.Moment) Moment {
	out := Moment{Time: second(m.At), Text: m.Text, Turn: m.Turn}
	if m.Object != (snapshot.Ref{}) {
		out.Object = &m.Object
	}
	return out
}

// causeOf names the application where a cause or a piece of evidence names no object.
func causeOf(c *why.Cause, app snapshot.Ref, asked command.Asked) Cause {
	out := Cause{
		Verdict: Verdict{Class: string(c.Class), Role: string(c.Role), Certainty: c.Certainty.String(), Message: c.Message,
			Evidence: []Evidence{}, Next: []report.Next{}},
		Subject: named(c.Subject, app), Time: second(c.At), Effect: c.Effect, Signature: c.Signature,
	}
	if c.Detail != nil {
		out.Mechanism = string(c.Detail.Mechanism())
	}
	if d, tells := c.Detail.(interface{ Stalls() bool }); tells {
		out.Stalled = d.Stalls()
	}
	if c.Brief != c.Message {
		out.Brief = c.Brief
	}
	out.Follows = c.Follows
	if p := c.Shows; p != nil {
		out.Shows = &Evidence{named(p.Object, app), p.Field, p.Value, second(p.At), false}
	}
	for i := range c.Change {
		out.Change = append(out.Change, changeOf(&c.Change[i]))
	}
	if c.Class == cause.Unknown {
		out.Certainty = check.Likely.String() // nothing proves it
	}
	for _, p := range c.Evidence {
		out.Evidence = append(out.Evidence, Evidence{named(p.Object, app), p.Field, p.Value, second(p.At), p.Beside})
	}
	for _, d := range c.Doubts {
		out.NotRuledOut = append(out.NotRuledOut, NotRuledOut{string(d.ID), d.Is, d.Standing.String()})
	}
	for _, n := range c.Next {
		next := report.Next{Text: n.Text, Command: asked.In(n.Line)}
		if out.Next = append(out.Next, next); !n.Later && !n.Then {
			out.Now = append(out.Now, next)
		}
	}
	return out
}

func named(o, otherwise snapshot.Ref) snapshot.Ref {
	if o.Kind == "" || o.Name == "" {
		return otherwise
	}
	return o
}

// Answered reports whether there is a verdict.
func (d *Document) Answered() bool { return d.Verdict.Class != string(cause.Unknown) }

// second is a time as JSON has it: of no zone, and without fractions, which few objects have. One that JSON cannot have is not known.
func second(t time.Time) time.Time {
	if t.IsZero() || !snapshot.Writable(t) {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Second)
}
