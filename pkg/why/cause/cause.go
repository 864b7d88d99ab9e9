// Package cause holds what can be the reason why an application is as it is: its class, how sure it is, what proves it, and what to do.
package cause

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Cause is one reason, and what shows it.
type Cause struct {
	Class     Class
	Role      Role
	Certainty check.Certainty
	Topics    Topics
	Detail    Detail // what was found
	Subject   snapshot.Ref
	Container string // of a log, whose it is
	// InitContainer is the init container of the subject that failed or hangs; empty: it is about none.
	InitContainer string
	Executors     []string  // ids of the executors that it is about, as Spark numbers them
	At            time.Time // when it happened; zero where nothing tells
	Evidence      []Proof
	// Trust orders causes: what a kubelet recorded comes before what a log says of it.
	Trust Trust
	// Effect says that it follows from something else, which may be missing from the input: it is the verdict only where no cause stands.
	Effect bool
	// Signature names the entry of the catalogue that matched a log, or the check whose finding it is; empty: neither. Of a signature that
	// is not built in it is FILE#ID.
	Signature string
	// SignatureFile is the file of a signature that is not built in; empty: it is. Such a cause is likely at most, and comes after those
	// of built-in signatures.
	SignatureFile string
}

// Proof is a value that was seen: a field of an object, or a line of a log.
type Proof struct {
	Object snapshot.Ref // whose field it is, or the pod whose log
	Field  string       // path within the object; of a line: "log CONTAINER", "log CONTAINER (previous)"
	Value  string
	At     time.Time // of an event or a line; zero where it has none
	// Beside says that it shows what a reader looks up next, and does not prove the cause.
	Beside bool
}

// Trust is how directly something was seen, the most direct first.
type Trust int

const (
	ByContainer   Trust = iota // state of a container, as the kubelet recorded it
	ByPod                      // status of a pod, and its conditions
	ByCondition                // condition of another object: an application, a Workload, a node
	ByEvent                    // an event
	ByEnvironment              // quota, limit, claim, account, policy: what stands in the way now
	ByOperator                 // what the operator wrote into the status
	ByPlatform                 // a finding of a check
	ByDriverLog                // a log of the driver, or of spark-submit
	ByExecutorLog              // a log of an executor
	BySpec                     // read from the spec alone
)

// Class is the kind of a cause. It is a word of the report's schema.
type Class string

const (
	ClusterKilled      Class = "clusterKilled" // out of memory, evicted, preempted, drained, node lost, deadline
	CodeFailed         Class = "codeFailed"    // the application's code, or its data
	Configuration      Class = "configuration"
	Credentials        Class = "credentials"
	Dependency         Class = "dependency"
	Image              Class = "image"
	Scheduling         Class = "scheduling"
	Quota              Class = "quota"
	Network            Class = "network"
	Storage            Class = "storage"
	Submission         Class = "submission"
	ObserverMissed     Class = "observerMissed" // the operator recorded what did not happen
	StoppedByUser      Class = "stoppedByUser"
	RunningNormally    Class = "runningNormally"
	SlowButProgressing Class = "slowButProgressing"
	Suspended          Class = "suspended"
	Succeeded          Class = "succeeded"
	Unknown            Class = "unknown"
)

// Classes lists all classes.
func Classes() []Class {
	return []Class{
		ClusterKilled, CodeFailed, Configuration, Credentials, Dependency, Image, Scheduling, Quota, Network, Storage, Submission,
		ObserverMissed, StoppedByUser, RunningNormally, SlowButProgressing, Suspended, Succeeded, Unknown,
	}
}

// Fault reports whether something is wrong, or may be.
func (c Class) Fault() bool {
	switch c {
	case RunningNormally, Suspended, Succeeded, SlowButProgressing:
		return false
	default:
		return true
	}
}
