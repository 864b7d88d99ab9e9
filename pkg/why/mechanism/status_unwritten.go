package mechanism

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// StatusUnwritten is an application that the operator has written no status for, where nothing tells why. Where its log, its pods or other
// applications tell, it is one of the mechanisms that waiting asks first.
type StatusUnwritten struct {
	Age      time.Duration
	Early    bool         // the operator may still get to it
	Manifest bool         // no API server has created the object: it has neither a UID nor a creation time
	Operator snapshot.Ref // a pod of its controller; zero: none was seen
}

// Mechanism names it.
func (StatusUnwritten) Mechanism() cause.ID { return "status-unwritten" }

// takenUp is how long the operator may take to get to what is new.
const takenUp = 2 * time.Minute

// waiting is about an application without a driver that the operator has not got to, or is about to try again.
func waiting(v *View) []cause.Cause {
	if v.Application == nil || v.Driver != nil || v.Spec.Suspend || len(v.Queued) > 0 {
		return nil
	}
	if v.State != "" || !v.Submitted.IsZero() {
		return nil
	}
	if v.Undecodable != nil {
		return []cause.Cause{undecodable(v)}
	}
	if len(v.OperatorSaid) > 0 {
		return []cause.Cause{operatorRefuses(v, &v.OperatorSaid[len(v.OperatorSaid)-1])}
	}
	if down, is := operatorCrashes(v); is {
		return []cause.Cause{down}
	}
	if slices.ContainsFunc(v.Broken, func(b app.Broken) bool { return b.Object.Namespace == v.AppRef().Namespace }) {
		return []cause.Cause{othersUndecodable(v, nil)} // a list of one namespace or of all fails for it
	}
	unwritten := StatusUnwritten{Age: v.Now.Sub(v.Application.CreationTimestamp.Time)}
	unwritten.Manifest = v.Application.UID == "" && v.Application.CreationTimestamp.IsZero()
	unwritten.Early = unwritten.Age < takenUp
	if !unwritten.Early && len(v.Elsewhere) > 0 {
		return []cause.Cause{namespaceUnwatched(v, unwritten.Age)}
	}
	if len(v.Operator) > 0 {
		unwritten.Operator = Ref(&v.Operator[0])
	}
	c := cause.Cause{Class: cause.Unknown, Role: cause.OperatorRole, Certainty: check.Likely, Effect: true, Trust: cause.ByOperator,
		Subject: v.AppRef(), Detail: unwritten}
	if unwritten.Early {
		c.Class, c.Effect = cause.RunningNormally, false
	}
	return []cause.Cause{c}
}
