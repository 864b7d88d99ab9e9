// Package checks asks questions of a snapshot. A check is a value: all about it can be listed without running it,
// and running it reads nothing but the views that it declares. Checks do no I/O and know no clock.
package checks

import (
	"cmp"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Check is one question.
type Check struct {
	ID    string // "SD2001": never reused; the first digit is the area
	Slug  string // "cross-namespace-owner"
	Title string // the question as a fact that a finding asserts
	Since string // release of sparkdoctor that introduced it
	Next  string // one line: what to do about a finding

	Needs    []snapshot.Need // all that Run may read
	Absence  bool            // concludes from something not being there: not applicable to partial input
	Unscoped bool            // about the installation or its webhooks: never narrowed to namespaces or labels

	// Repairs are the kinds of wishes that its findings may carry, each with nothing but the kinds of the objects it
	// concerns: what "rbac --for-fix" grants.
	Repairs []fix.Intent

	// Break is the release that brought what a check of area 7 is about, or that makes worse what another one finds: asked of
	// an upgrade that does not bring it, the check is not applicable. Zero: any does, or its findings say so themselves.
	Break operator.Version
	// OfManifests says that it judges rendered manifests of what will be installed: without them it is not applicable.
	OfManifests bool
	// Worse says for a check of the other areas why what it finds must be mended before an upgrade; empty: a gate does not
	// ask it.
	Worse string

	// Breaks are the parts that its findings break, by which other checks are linked to them as effects.
	Breaks []Part
	// CausedBy are the findings of others that explain its own.
	CausedBy []Cause
	// Admission is the link of the chain by which pods are mutated that an error of the check breaks.
	Admission Link
	// Fold joins its findings that are one to the reader, beside those of one fingerprint and those that share something.
	Fold *Fold

	// Severity is what the user's configuration makes of its findings in reports; nil: as found.
	Severity *Severity

	Run func(*snapshot.Snapshot, Params) Answer
}

// Params are the thresholds and grace periods of a run.
type Params struct {
	StuckAfter    time.Duration // how long an object may be terminating
	MaxObjectSize int           // etcd's limit for one request in bytes
	NewAfter      time.Duration // how long an application counts as new, so that its parts may be missing
	SettleAfter   time.Duration // how long a controller may take: the garbage collector, or a rollout
	CertWarn      time.Duration // how long before its end a certificate is worth a warning
	KeepExecutors int           // entries of executors that ended which a repair of status.executorState leaves
	FinishedAfter time.Duration // how long ago an application must have ended to count as left lying about
	PileUp        int           // how many of those in a namespace are too many

	SubmittedAfter  time.Duration // how long a submitted application may wait for its driver, or a driver for executors
	TransitionAfter time.Duration // how long the operator may take from one state of an application to the next

	Restarts      int // how often a container of the operator may start again: a node that went or a lost lease makes one
	Backlog       int // how many applications may wait for an operator that works: fewer may each have a reason of their own
	LostExecutors int // how many executors an application may lose: nodes go
	OOMExecutors  int // how many of them for want of memory: fewer are a bad partition of the data

	Upgrade *Upgrade // what a gate asks about; nil in a scan
}

// DefaultParams returns the defaults of the flags. etcd's limit is --max-request-bytes, 1.5 MiB
// (etcd.io/docs/latest/dev-guide/limit).
func DefaultParams() Params {
	return Params{
		StuckAfter: 10 * time.Minute, MaxObjectSize: 3 << 19, NewAfter: 5 * time.Minute, SettleAfter: time.Minute, CertWarn: 30 * 24 * time.Hour, KeepExecutors: 100,
		FinishedAfter: 7 * 24 * time.Hour, PileUp: 100,
		SubmittedAfter: 10 * time.Minute, TransitionAfter: 5 * time.Minute,
		Restarts: 3, Backlog: 10, LostExecutors: 10, OOMExecutors: 3,
	}
}

// Answer is what a check found, how many of its subjects it judged, and which it could not judge for want of data, in words
// ("2 manifests take their namespace from a template expression"). The engine makes the status of it: see Result.conclude.
type Answer struct {
	Findings []Finding
	Judged   int
	Unjudged []string
	// NotApplicable says why there is nothing that the check could judge, however much is read: the build is a fork.
	NotApplicable string
}

// pass over n subjects that cannot be judged, of those that were counted as judged, and say why. None need no reason.
func (a *Answer) pass(n int, why string) {
	if n > 0 {
		a.Judged, a.Unjudged = a.Judged-n, append(a.Unjudged, why)
	}
}

// Severity says how bad it is.
type Severity int

const (
	Info    Severity = iota // worth knowing
	Warning                 // breaks under a plausible event
	Error                   // broken or lost now, or at the next ordinary event
)

// String returns error, warning or info.
func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// Certainty says how sure it is.
type Certainty int

const (
	Proven Certainty = iota
	Likely
)

// String returns proven or likely.
func (c Certainty) String() string { return [...]string{"proven", "likely"}[c] }

// Finding is one fact that should not be.
type Finding struct {
	Check, Slug string // filled in by Run
	Object      snapshot.Ref
	Location    snapshot.Location
	Severity    Severity
	Certainty   Certainty
	Field       string // path within the object
	Message     string // one line, lower case, a fact about this object with its numbers
	Evidence    []Evidence
	Related     []snapshot.Ref
	CausedBy    []string // fingerprints

	// Fixes are what would repair it, all of them and in this order; none if only a person can.
	Fixes []fix.Intent

	Hop   operator.Version // of area 7: the hop of the upgrade that breaks it
	Steps []Step           // and what to do about it, in order

	// Absent names what the finding rests on not being there; a finding that is not covered is dropped, and
	// live each is fetched again.
	Absent []Absent
	// Reviews are what the finding says that an account may not do, which an API server is asked about.
	Reviews []snapshot.Review
	// Settles is how long what is missing must stay missing, because a controller may just be slow.
	Settles time.Duration

	Labels  snapshot.Labels // of the object, for -l where no Spark custom resource owns it
	App     string          // name of the Spark object that the finding belongs to, if the object is one of its parts
	Kind    Kind            // of fault, where a check knows several
	What    string          // tells findings of one kind about one object apart; no counts, UIDs, generated names
	Breaks  []Part          // beside those of its check
	Objects []snapshot.Ref  // all objects hit by the same cause, when folded
	// Fields are those of Objects where the field differs from Field, for findings that join others.
	Fields map[snapshot.Key]string
	Cause  string // fingerprints of the cause by which it was folded; it is then named by that
	// Apps says that it joins parts of several applications, so that App is only that of the first.
	Apps bool

	// Shared is what it has in common with findings of its check about other applications, such as an image that cannot be
	// pulled: those are one to the reader. Empty: nothing.
	Shared string
	Joined Joined // those that were joined because they share it

	Suppressed *Suppression // somebody accepts it
}

// Kind is a kind of fault that a check knows: a word that stays the same, for it is a part of the fingerprint.
type Kind string

// identity tells findings of one check about one object apart.
func (f *Finding) identity() string { return cmp.Or(f.What, string(f.Kind)) }

// Evidence is one value that was seen, and where.
type Evidence struct {
	Object snapshot.Ref
	Field  string
	Value  string
}

// Absent is an object that was not found where it should be.
type Absent struct {
	View View
	Ref  snapshot.Ref
}

// View is snapshot.View.
type View = snapshot.View

// FieldOf returns the path within one of Objects; empty where the finding says it of another kind of object only.
func (f *Finding) FieldOf(o snapshot.Ref) string {
	if field, differs := f.Fields[o.Key()]; differs {
		return field
	}
	if o.Kind != f.Object.Kind {
		return ""
	}
	return f.Field
}

// Affected returns how many objects the finding is about. Where a finding about one object names others that it hits,
// the pods of an application say, these count.
func (f *Finding) Affected() int {
	others := 0
	for _, o := range f.Objects {
		if o.Kind != f.Object.Kind {
			others++
		}
	}
	if others > 0 {
		return others
	}
	return max(1, len(f.Objects))
}
