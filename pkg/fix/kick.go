package fix

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// KickedAtAnnotation is set on an application to make the operator look at it.
const KickedAtAnnotation = "sparkdoctor.io/kicked-at"

// Kick makes the operator reconcile an application: any update does (internal/controller/sparkapplication/
// event_filter.go@v2.5.2), and without one it looks again after about ten hours.
type Kick struct {
	Application snapshot.Ref `json:"application"`
	State       string       `json:"state"` // in which it is stuck
	At          time.Time    `json:"at"`
	Consequence string       `json:"consequence"`     // what the operator will do
	Quiet       bool         `json:"quiet,omitempty"` // which restarts nothing and removes nothing
}

func (i Kick) traits() Traits {
	risk := Disruptive
	if i.Quiet {
		risk = Safe
	}
	return Traits{
		Target: i.Application,
		Title:  "make the operator look at the application: " + i.Consequence,
		Risk:   risk,
		Order:  Upkeep,
		Reads:  []Read{{Ref: i.Application}},
	}
}

func (i Kick) wrong() (field, why string) { return missing(i.At) }

func (i Kick) pin(planned Intent) Intent {
	if p, ok := planned.(Kick); ok {
		i.At = p.At
	}
	return i
}

func (i Kick) resolve(f Fresh) ([]Step, error) {
	app, err := f.target(i.Application)
	if err != nil {
		return nil, err
	}
	if state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state"); state != i.State {
		return nil, stale("%s is %s, no longer %s", i.Application, orNone(state), i.State)
	}
	if app.GetDeletionTimestamp() != nil {
		return nil, stale("%s is being deleted", i.Application)
	}
	change := annotation(app, []string{"metadata"}, KickedAtAnnotation, i.At.UTC().Format(time.RFC3339))
	if change.Old == change.New {
		return nil, done("%s was kicked at %s", i.Application, change.New)
	}
	return []Step{{Target: i.Application, Why: "the operator looks at an application only when it, or a pod of it, changes", Changes: []Change{change}}}, nil
}
