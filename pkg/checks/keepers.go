package checks

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// keepers are the controllers that move applications from state to state.
type keepers struct {
	list       []*operator.Installation // with a controller, be it scaled to zero
	namespaces map[string]*snapshot.Object
	takers     map[string][]taker // by namespace, as they were asked for
}

// taker is an installation whose controller takes a namespace, or may.
type taker struct {
	in       *operator.Installation
	sure     bool
	filtered bool // it takes the labels of an application to tell
}

// keeperNeeds are what tells which controller an application has.
func keeperNeeds() []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
	}
}

// consulted makes needs those of a check that tells what it tells without them, too.
func consulted(needs []snapshot.Need) []snapshot.Need {
	for i := range needs {
		needs[i].Role = snapshot.Consulted
	}
	return needs
}

func newKeepers(s *snapshot.Snapshot) *keepers {
	k := &keepers{namespaces: map[string]*snapshot.Object{}, takers: map[string][]taker{}}
	installations, namespaces := operator.Find(s.Deployments()), s.AllNamespaces()
	for i := range installations {
		if installations[i].Controller != nil {
			k.list = append(k.list, &installations[i])
		}
	}
	for i := range namespaces {
		k.namespaces[namespaces[i].Name] = &namespaces[i]
	}
	return k
}

// of returns the installation whose controller takes an application, nil if none does. sure is false if that depends on
// labels of the namespace that were not seen.
func (k *keepers) of(app *snapshot.SparkApplication) (in *operator.Installation, sure bool) {
	for _, one := range k.in(app.Namespace) {
		switch {
		case one.filtered && !one.in.Picks(app.Labels):
		case one.sure:
			return one.in, true
		case in == nil:
			in = one.in
		}
	}
	return in, in == nil
}

func (k *keepers) in(namespace string) []taker {
	known, asked := k.takers[namespace]
	if asked {
		return known
	}
	for _, one := range k.list {
		if yes, sure := one.Told(namespace, k.namespaces[namespace]); yes || !sure {
			known = append(known, taker{one, sure, one.LabelFilter() != ""})
		}
	}
	k.takers[namespace] = known
	return known
}

// left returns the applications of a namespace that no controller was told to take, be it scaled to zero. known is false
// if that depends on what was not seen.
func (k *keepers) left(name string, apps []*snapshot.SparkApplication) (left []*snapshot.SparkApplication, known bool) {
	left = apps
	for _, in := range k.list {
		switch yes, known := in.Told(name, k.namespaces[name]); {
		case !known, !in.FilterKnown():
			return nil, false
		case yes:
			left = slices.DeleteFunc(slices.Clone(left), func(app *snapshot.SparkApplication) bool { return in.Picks(app.Labels) })
		}
	}
	return left, true
}

// idle counts applications that wait for a controller of which no replica is ready: that is the controller's fault, and
// one, however many wait.
type idle map[string]int

func (w idle) add(in *operator.Installation) { w[in.Controller.String()]++ }

// leave passes over them: what becomes of them can be told once a replica is ready.
func (w idle) leave(a *Answer) {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		a.pass(w[name], fmt.Sprintf("%s for %s, of which no replica is ready", waits(w[name]), name))
	}
}

func waits(n int) string {
	if n == 1 {
		return "1 application waits"
	}
	return fmt.Sprintf("%d applications wait", n)
}

// inStateSince returns when an application had reached its state at the latest. The API server dates what the operator
// writes; without managedFields the end of the last run is the nearest thing, for the states that follow one.
func inStateSince(app *snapshot.SparkApplication) (since time.Time, evidence Evidence) {
	if !app.StatusChanged.IsZero() {
		return app.StatusChanged, Evidence{Object: app.Ref, Field: "metadata.managedFields", Value: "status last written at " + app.StatusChanged.Format(time.RFC3339)}
	}
	if app.Terminated.After(app.LastSubmissionAttempt) {
		return app.Terminated, Evidence{Object: app.Ref, Field: "status.terminationTime", Value: app.Terminated.Format(time.RFC3339)}
	}
	return time.Time{}, Evidence{}
}

// undatedStates says how many applications are in a state of which nobody can tell since when.
func undatedStates(n int) string {
	return fmt.Sprintf("since when %s in its state, without managedFields", countedAre(n, "application"))
}

func stateOf(app *snapshot.SparkApplication) Evidence {
	return Evidence{Object: app.Ref, Field: "status.applicationState.state", Value: app.State}
}
