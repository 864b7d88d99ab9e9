package why

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/change"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// CaseFile is the answer to "why" about one application.
type CaseFile struct {
	AsOf    time.Time
	Subject snapshot.Ref
	// Namesake is of the other operator and has the same name; nil: none was seen, or the user chose between the two.
	Namesake *snapshot.Ref
	State    State

	// Causes are ranked: the first is the verdict. There is at least one, of class unknown if nothing else.
	Causes   []Cause
	RuledOut []RuledOut
	Attempts []Attempt // oldest first
	Timeline []Moment  // by time
	Losses   []Moment  // of executors: all of them, also those that Timeline leaves out
	// Executors is nil where the application has none to speak of: it never got that far, or nothing of them is left.
	Executors *Executors
	Also      []string // facts beside the verdict, one line each
	// Telling are the lines that tell most, where no cause is known.
	Telling []cause.Proof
	Unseen  []Unseen
}

// Verdict returns the first cause.
func (f *CaseFile) Verdict() *Cause { return &f.Causes[0] }

// Latest is the latest time in the logs of an application, in UTC; zero: none is known.
func Latest(e *app.Evidence) time.Time { return logs.Latest(e) }

// Cause is a cause as it is said.
type Cause struct {
	cause.Cause

	Message string       // one line, lower case, a fact with its numbers
	Brief   string       // of Message what a reader needs first
	Follows string       // what it keeps from happening, where Brief does not say so; empty: nothing that is known
	Shows   *cause.Proof // of the evidence what shows it best: of exceptions the one that tells, not one that only carries it; nil: the first
	Next    []command.Command
	Change  []Change
	Doubts  []cause.Doubt // rivals that were not ruled out
}

// Change is a field of the object that the user owns, as it is and as it should be.
type Change struct {
	change.Change

	Because string // where the new value comes from
}

// State is how the application stands.
type State struct {
	Word        string // as the operator or the pod says it: FAILED, RUNNING, SUBMISSION_FAILED; empty: new
	Since       time.Time
	Attempt     int // of Attempts; 0: not known
	MaxAttempts int // 0: no limit, or not known
	Ran         time.Duration
	DriverEnded time.Time // though Word says that it runs; zero: it did not, or Word knows
	Deleted     time.Time // it is terminating since; zero: it is not
}

// RuledOut is what it was not, and why.
type RuledOut struct{ Message, Because string }

// Attempt is one run.
type Attempt struct {
	Number     int
	Started    time.Time
	Ended      time.Time // zero while it runs
	Outcome    string    // a few words: "OOMKilled (137)", "completed"
	SameReason bool      // as the verdict
}

// Moment is one thing that happened.
type Moment struct {
	At     time.Time
	Text   string
	Object snapshot.Ref
	Turn   Turn
}

// Executors are counted over the last attempt.
type Executors struct {
	Asked, Ran, Running, Pending, Failed, Completed int
	Lost                                            []Loss // the most frequent first
}

// Loss is why executors were lost, and how many.
type Loss struct {
	Count int
	Why   string // "node drain", "OOMKilled"
}

// Unseen is what could not be looked at, and how to have it next time.
type Unseen struct {
	What, Reason string
	NextTime     string // empty: nothing would help
	Line         string // by which an administrator lets it be read; empty: that would not help
}
