package why

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// repeats reports whether all that a driver has written lately is that it tries to connect once more.
func (l driverLog) repeats(v *mechanism.View) bool {
	return l.seen && v.DriverRuns() && l.Again.Line != "" && l.Again.Last.After(v.Driver.CreationTimestamp.Time)
}

// unconnected is about such a driver.
func (l driverLog) unconnected(v *mechanism.View) []cause.Cause {
	if !l.repeats(v) {
		return nil
	}
	pod := mechanism.Ref(v.Driver)
	return []cause.Cause{{Class: cause.Network, Certainty: check.Likely, Subject: pod, At: l.Again.Since, Trust: cause.ByContainer,
		Message: fmt.Sprintf("the driver runs, and for %s it has done nothing but try to connect, %d times: %s",
			duration.HumanDuration(l.Again.Last.Sub(l.Again.Since)), l.Again.Times, l.Again.Line),
		Evidence: []cause.Proof{{Object: pod, Field: "log " + mechanism.MainName(v.Driver), Value: l.Again.Line, At: l.Again.Last}},
		Next: []command.Command{command.Do("check that the server which the line names runs, its name and port, then NetworkPolicies, a " +
			"service mesh and firewalls")}}}
}
