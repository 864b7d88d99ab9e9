package logs

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Meaning is what a failure is: one of the types below.
type Meaning interface {
	Mechanism() cause.ID
}

// Known is a failure that the catalogue knows.
type Known struct {
	Signature catalog.Signature
	Groups    map[string]string
	// Quoted are exceptions that may name more than the signature says: those that carry the message where that is Certain, the root alone
	// where it is not.
	Quoted []Throwable
}

// OfKind is a failure of which the class of its exception, or its words, tell no more than the kind.
type OfKind struct {
	Kind Kind
	Line string // that says it, where no exception does; empty: the root does
}

// VariableUnset is a variable of the environment that a Python program asks for and does not have.
type VariableUnset struct{ Name string }

// ValueMissing is a value that a client of a service needs and was not given.
type ValueMissing struct{ Client string } // its class, without the package

// CodeRaised is an exception that the code of the application raised, or called what raised it.
type CodeRaised struct{}

// Unexplained is an exception of which nothing is known.
type Unexplained struct{}

// Consequence is an exception that follows from something else.
type Consequence struct{}

// SparkNotStarted is an exception of which nothing is known, while Spark started.
type SparkNotStarted struct{ By Meaning } // what it would mean at any other time

// Untold is a call of Spark that failed, and why is not in what was read of the log.
type Untold struct {
	Job  bool    // that was given up for a task; false: any call, which Python handled
	Then Finding // what the application said after that
}

// ScriptShadows is a file that stands in front of a package that Python imports.
type ScriptShadows struct {
	Module string
	Script string // the file, among the frames of the exception; empty: it is not, so that it is one of the module's name
}

// APIUnreached is a driver that does not reach the API server.
type APIUnreached struct{}

// APIHungUp is a connection to the API server that ended while Spark started.
type APIHungUp struct{ HTTP2 bool } // it had just begun to speak HTTP/2

// JVMCrashed is a fatal error in the JVM or in native code.
type JVMCrashed struct {
	Signal  string // SIGSEGV (0xb)
	Bus     bool   // it is SIGBUS: memory is mapped and not there
	Library string // of the problematic frame: "libzstd-jni.so"; empty: not told
	Where   string // that frame: Library and its function, or a method; empty: not told
	OfJVM   bool   // Library is the JVM's own
}

// HeapStaysFull is a Java heap that full garbage collections do not empty.
type HeapStaysFull struct {
	Heap        int // MiB
	Collections int // full ones that freed next to nothing
}

// ExecutorsLost is about executors that ended: see Failure.Lost.
type ExecutorsLost struct{ Replaced bool } // again and again, while the driver runs and no job of it finishes

// ShuffleUnreached is about blocks that executors cannot fetch from one another, where none of them was lost.
type ShuffleUnreached struct{}

// DriverUnreached is about executors that cannot connect to a driver that is there.
type DriverUnreached struct {
	Host    string // that its executors were told, where it is not the Service that Spark makes for a driver in cluster mode
	Unknown bool   // the name does not resolve
	Cut     bool   // the connection was made, and cut off before the driver answered
}

// EndedItself is an application that ended itself with no exception, after it had said why.
type EndedItself struct {
	Wrote []string // in earnest, at its end
}

// LastWords is what was said in earnest before the end, where nothing tells why: it proves nothing.
type LastWords struct{ Line string }

// Mechanism returns the id of the signature.
func (m Known) Mechanism() cause.ID { return cause.ID(m.Signature.ID) }

// Mechanism returns the kind.
func (m OfKind) Mechanism() cause.ID { return cause.ID(m.Kind) }

// Mechanism returns "variable-unset".
func (VariableUnset) Mechanism() cause.ID { return "variable-unset" }

// Mechanism returns "value-missing".
func (ValueMissing) Mechanism() cause.ID { return "value-missing" }

// Mechanism returns "code-raised".
func (CodeRaised) Mechanism() cause.ID { return "code-raised" }

// Mechanism returns "unexplained".
func (Unexplained) Mechanism() cause.ID { return "unexplained" }

// Mechanism returns "consequence".
func (Consequence) Mechanism() cause.ID { return "consequence" }

// Mechanism returns "spark-not-started".
func (SparkNotStarted) Mechanism() cause.ID { return "spark-not-started" }

// Mechanism returns "untold".
func (Untold) Mechanism() cause.ID { return "untold" }

// Mechanism returns "script-shadows".
func (ScriptShadows) Mechanism() cause.ID { return "script-shadows" }

// Mechanism returns "api-unreached".
func (APIUnreached) Mechanism() cause.ID { return "api-unreached" }

// Mechanism returns "api-hung-up".
func (APIHungUp) Mechanism() cause.ID { return "api-hung-up" }

// Mechanism returns "jvm-crash".
func (JVMCrashed) Mechanism() cause.ID { return "jvm-crash" }

// Mechanism returns "heap-stays-full".
func (HeapStaysFull) Mechanism() cause.ID { return "heap-stays-full" }

// Mechanism returns "executors-lost".
func (ExecutorsLost) Mechanism() cause.ID { return "executors-lost" }

// Mechanism returns "shuffle-unreached".
func (ShuffleUnreached) Mechanism() cause.ID { return "shuffle-unreached" }

// Mechanism returns "driver-unreached".
func (DriverUnreached) Mechanism() cause.ID { return "driver-unreached" }

// Mechanism returns "ended-itself".
func (EndedItself) Mechanism() cause.ID { return "ended-itself" }

// Mechanism returns "last-words".
func (LastWords) Mechanism() cause.ID { return "last-words" }
