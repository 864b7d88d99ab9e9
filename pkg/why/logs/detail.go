package logs

import (
	"path"
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Failure is what the log of a process tells that failed first. It is the Detail of every cause of this package.
type Failure struct {
	Finding
	In       cause.Role // whose log it is; empty: the output of spark-submit, or of a pod that is gone
	Executor string     // where the task ran that failed: a number, or "driver" with a local master; empty: not known, or no task
	Attempts Attempts   // of the task that a job was given up for
	FirstTry time.Time  // when the first of these failed that the log tells of; zero: it tells of none
	Lost     Lost       // the executors that a job was given up for, or that a driver keeps losing
	GivenUp  *GivenUp   // the stage that could not fetch what they had written; nil: the job was given up for something else
	After    Aftermath
	Identity Unreached // the service that should have given the pod an identity, and was not reached
	Package  string    // the package of Python whose code raised the root; only where a dependency is at fault
	// Endpoints are what a connection was for, as HOST:PORT: that which the exceptions name, else those that the log named just before.
	Endpoints Endpoints
	Chain     []Throwable // all exceptions, the one that was raised first before those that carry it
	Lines     []string    // that tell of it, as the log has them

	// For relations, read once from its exceptions and lines:

	Connection Connection
	Before     *Unconnected // a connection that was not made before it; nil: none, or the failure tells of one itself
	Absent     Absent
	Actors     []Actor
	Worker     bool     // a Python worker raised it, which an executor starts, and the driver hands it on
	Settings   []string // of Spark, that the lines name
}

// Connection is what is said of connections that were not made.
type Connection struct {
	Unresolved bool   // a host name did not resolve
	TimedOut   bool   // one was not made in time
	Fetches    bool   // an executor could not fetch blocks from another
	Host       string // the last that is named with a port: what is deepest in a chain of exceptions stands last; empty: none
	Port       int
	Name       string // the last host that did not resolve, as it is named without a port; empty: none is
	ToDriver   bool   // the host is the headless Service of a driver
}

// Absent is what it asks for in vain.
type Absent struct {
	Paths   []string // that are named, where something that it asks for is not there
	Name    string   // key that it misses, which may be a variable of the environment
	Earlier []Missed // before it failed, the last one first
}

// Cloud is one that gives pods an identity.
type Cloud int

// The clouds.
const (
	Amazon Cloud = iota
	Google
)

// Actor is the identity by which a request was made, in the words of a service that refused it.
type Actor struct {
	Cloud    Cloud
	Name     string // role or account
	Instance string // whose role it is; empty: of none
}

// Mechanism returns what kind of failure it is. Of one that the catalogue knows, that is the id of its signature.
func (f Failure) Mechanism() cause.ID {
	if f.Meaning == nil {
		return ""
	}
	return f.Meaning.Mechanism()
}

// Finding is what exceptions, or a line, mean.
type Finding struct {
	Meaning  Meaning
	Strength Strength
	Root     Throwable // the deepest exception that does not only carry another, or what was said in its place; zero: a line of the catalogue
	Frame    Place     // of the application's code that is nearest to the root; zero: none is known
	// OfMetastore says that the Hive metastore raised it, and its client only hands it on.
	OfMetastore bool
	// Refused is the location of a file system that the metastore may not see; empty: it was not refused, or does not name it.
	Refused string
	// Nameservice is what HDFS takes for a host, though it has no domain; empty: nothing.
	Nameservice string
	// For is the exception that the application handled when it called what then failed; zero: none.
	For Throwable
	// Earlier is what a program printed before it, and may be why; nil: nothing.
	Earlier *Finding
}

// Strength is how much is known about what exceptions tell.
type Strength int

// From the least to the most.
const (
	EffectOnly Strength = iota // it follows from something else
	Unclear                    // an exception raised by Spark or a library, of which nothing is known
	Plausible                  // known, but another cause may be behind it; or code of the application called what failed
	OwnCode                    // raised by code of the application
	Certain                    // the message proves it by itself
)

// Throwable is an exception, as it was printed.
type Throwable struct {
	Class   string // java.net.ConnectException, ModuleNotFoundError; empty: a line that is no exception
	Message string // verbatim, of several lines where it has them
	Python  bool
}

// Place is a call in a stack trace.
type Place struct {
	Name   string // net.example.LineParser.parse, or the function of Python
	File   string // LineParser.scala, without its folder
	Line   int    // 0: not known
	Python bool
}

// String returns FILE:LINE, or the name of what is called where the line is not known.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Name
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Attempts is how often a task was tried before its job was given up; zero: no job was given up for a task.
type Attempts struct{ Task, Stage, Times int }

// Aftermath is how the application failed in the end, after what failed first.
type Aftermath struct {
	How  Reaction
	With Throwable // zero where the evidence alone says it
}

// Reaction is what an application did after something had failed.
type Reaction int

// The reactions.
const (
	NoReaction   Reaction = iota
	FailedLater           // within the time that a handler takes, at something else
	FailedAtOnce          // in words of its own
	GaveUp                // after several tries
	FailedAtRest          // at an output that is missing or half written
)

// Unreached is a host that could not be reached.
type Unreached struct {
	Host  string // empty: none
	Class string // of the exception
}

// Endpoints are what a connection was for.
type Endpoints struct {
	Names []string
	InLog bool // the log names them, not the exceptions
}

func (l *link) throwable() Throwable {
	return Throwable{Class: l.class, Message: l.message, Python: l.python}
}

func throwables(links []link) []Throwable {
	out := make([]Throwable, 0, len(links))
	for i := range links {
		out = append(out, links[i].throwable())
	}
	return out
}

// place is where the frame is.
func (f *frame) place() Place {
	p := Place{Name: f.name, File: f.file, Python: f.python}
	if f.python {
		p.File = path.Base(f.file)
	}
	if n, err := strconv.Atoi(f.line); err == nil {
		p.Line = n
	}
	return p
}
