// Package change finds what to change so that an application runs: fields of the object that its user owns, with their values before and
// after, and where the number comes from. It is data: package words says it, "why -o patch" prints it as a merge patch, and nothing
// applies it.
//
// A change is computed from what a mechanism found and from the spec, never from a sentence. Where a number cannot be computed, or a change
// would have no effect, there is none: an answer without a change is better than one that a user tries in vain.
package change

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
)

// Change is one field, as it is and as it should be.
type Change struct {
	Object  snapshot.Ref // that the user owns; zero: there is none, and Path is a setting of Spark
	Path    []string     // of the field below the object
	From    any          // JSON; nil: not set
	Implied string       // what holds while it is not set; empty: not known
	To      any          // JSON, a list is complete; nil: the field goes
	Item    *Item        // of a list, what changes in it; nil: it is none
	Because Reason
	Stops   bool // it restarts a run that goes on
}

// Item is what changes in a list.
type Item struct {
	At       string // the item by its name, and its field: "[data].name"; empty: an item is added
	From, To string // From: empty where it is added
}

// Reason is where the new value comes from: one of the types below.
type Reason interface{ reason() }

// Scaled is a multiple of what was there, or of what was needed.
type Scaled struct {
	Times float64
	Of    Base
	Value string // of it, where From does not say it: "1030 MiB"
}

// Base is what a value is a multiple of.
type Base string

// What a value is a multiple of.
const (
	OfLimit   Base = "limit"   // of the container's memory
	OfPresent Base = "present" // value of the same field
	OfNeeded  Base = "needed"  // as the message says
)

// FitsNode is the most that fits on a node.
type FitsNode struct {
	Some    bool // others were not seen
	Chosen  bool // others are not for the pod, by their labels, taints or a cordon
	Node    string
	Most    resource.Quantity
	Of      string // cpu or memory
	Counted bool   // what its pods take is known, and left out of Most
}

// FitsQuota is how many executors a ResourceQuota has room for.
type FitsQuota struct {
	Quota    string
	Resource string
}

// LeftOfQuota is what a ResourceQuota has left, where it never has room for one such pod.
type LeftOfQuota struct{ Quota, Resource string }

// FitsQueue is how many executors a queue of Volcano may have.
type FitsQueue struct {
	Queue string
	Short []mechanism.QueueShort // what of its capability is less than what is asked for
}

// FitsRange is what a LimitRange allows.
type FitsRange struct{ LimitRange string }

// Counts is a ResourceQuota that admits only pods that set a field.
type Counts struct{ Quota, Resource string }

// Reaches is a limit that is as high as the request.
type Reaches struct{}

// Tolerates is a taint of nodes.
type Tolerates struct {
	Taint string // key=value:effect
	Nodes int
}

// Labelled is a label that nodes have.
type Labelled struct {
	Label string // key=value
	Nodes int
}

// NearName is the name of an object that exists, near to one that does not.
type NearName struct {
	Kind, Absent string
}

// NearKey is a key that a Secret has, near to one that it lacks.
type NearKey struct{ Secret string }

// RepeatsSuccess is a restart policy that runs again what succeeded.
type RepeatsSuccess struct{}

// LongerThanInterval is a run that took longer than its schedule waits until it starts the next one.
type LongerThanInterval struct{ Took, Interval time.Duration }

// HoldsQuota is earlier runs of a schedule that hold a ResourceQuota.
type HoldsQuota struct {
	Runs  int
	Quota string
}

// KnownPort is the port that Services and network policies of a driver have.
type KnownPort struct{}

// AllowedPort is a port that a NetworkPolicy lets executors connect to.
type AllowedPort struct{ Policy string }

// OwnPort is the port that Spark takes by itself, which policies let be reached, where a setting asks for another one.
type OwnPort struct {
	Policy          string // that allows it; empty: none of those that do not allow the other one
	Port, Instead   int32  // Instead: the one that is asked for; 0: it is not for this policy alone to allow it
	Egress, Ingress bool   // where the other one is closed
}

// SharesGPU is how many executors share the GPU of a node at a time.
type SharesGPU struct {
	Executors int
	Node      string
}

// Outgrown is a volume that was full when a part of the tasks of a stage had finished.
type Outgrown struct {
	Limit resource.Quantity
	Tasks logs.Tasks
}

// OffMemory is a directory that no longer counts against the memory limit.
type OffMemory struct{}

// FitsRelease is a release of a library that fits another.
type FitsRelease struct{ Base mechanism.Base }

// ReadsToken is a class that reads the token of a service account.
type ReadsToken struct{ Class, Account string }

// RunsExecutors is a service account that a binding lets run executors.
type RunsExecutors struct {
	Kind, Binding string
	Meant         bool // a setting names it, without effect
}

// AsksFor is a policy of admission that asks for a field.
type AsksFor struct{ Policy string }

// DriverHas is what the driver has, and executors lack.
type DriverHas struct{}

// HasRole is a service account that names a role of a cloud.
type HasRole struct{ Role string }

// OfExecutors is what the spec gives to executors.
type OfExecutors struct{}

// Offered is a label of nodes that Karpenter makes where a NodePool has it.
type Offered struct{}

// SplitsSkew is a partition that is far larger than the others, which Spark splits where adaptive execution is on.
type SplitsSkew struct{}

// Told is a value that the message itself asks for.
type Told struct{}

func (AllowedPort) reason()        {}
func (AsksAtFirst) reason()        {}
func (AsksAtMost) reason()         {}
func (Counts) reason()             {}
func (FitsNode) reason()           {}
func (FitsQuota) reason()          {}
func (FitsQueue) reason()          {}
func (FitsRange) reason()          {}
func (FitsRelease) reason()        {}
func (HasRole) reason()            {}
func (DriverHas) reason()          {}
func (AsksFor) reason()            {}
func (HoldsHeap) reason()          {}
func (HoldsQuota) reason()         {}
func (KnownPort) reason()          {}
func (Labelled) reason()           {}
func (LeftOfQuota) reason()        {}
func (LongerThanInterval) reason() {}
func (NearKey) reason()            {}
func (NearName) reason()           {}
func (OfExecutors) reason()        {}
func (OffMemory) reason()          {}
func (Offered) reason()            {}
func (Outgrown) reason()           {}
func (OwnPort) reason()            {}
func (Reaches) reason()            {}
func (ReadsToken) reason()         {}
func (RepeatsSuccess) reason()     {}
func (RunsExecutors) reason()      {}
func (Scaled) reason()             {}
func (SharesGPU) reason()          {}
func (SplitsSkew) reason()         {}
func (Told) reason()               {}
func (Tolerates) reason()          {}

// Of returns what to change for an answer, by the first of the causes whose advice it gives that knows it.
func Of(v *mechanism.View, a *rank.Answer) []Change {
	if !a.Class.Fault() && a.Class != cause.SlowButProgressing && a.Class != cause.Suspended {
		return nil
	}
	for i := range a.Advice {
		for _, find := range finders() {
			if found := find(v, &a.Advice[i]); len(found) > 0 {
				return stopping(v, found)
			}
		}
	}
	return nil
}

// stopping marks changes of the spec of an application whose driver runs: the operator deletes the driver, and submits it again
// (event_filter.go and controller.go in internal/controller/sparkapplication@v2.5.2).
func stopping(v *mechanism.View, all []Change) []Change {
	for i := range all {
		all[i].Stops = v.DriverRuns() && all[i].Object.Kind == "SparkApplication" && all[i].Object.Group() == snapshot.SparkGroup
	}
	return all
}

// finders know what to change, by what they are about.
func finders() []func(*mechanism.View, *cause.Cause) []Change {
	return []func(*mechanism.View, *cause.Cause) []Change{
		bySignature, memory, serverMemory, taint, room, label, quota, limits, names, undeclaredVolume, volume, blockPort, suspended, identity,
		account, unnamed, library, archive, spot, mesh, repeats, overlaps, architecture, requiredLabel, connectPackage, initExecutors,
		skew, gpu, service, mountOneSided, keepsNode, quotes, token, debugger, locale,
	}
}

// suspended is an application that its user holds back.
func suspended(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.Suspended)
	if !is {
		return nil
	}
	object, prefix := owner(v)
	if d.Schedule {
		object, prefix = v.Subject, []string{"spec"}
	}
	if object.Name == "" {
		return nil
	}
	return []Change{{Object: object, Path: below(prefix, "suspend"), From: true, To: false, Because: Told{}}}
}
