package fix

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TouchedAtAnnotation is set on an application to make the operator look at it.
const TouchedAtAnnotation = "sparkdoctor.io/kicked-at"

// Touch makes the operator reconcile an application: any update does (internal/controller/sparkapplication/
// event_filter.go@v2.5.2), and without one it looks again after about ten hours.
type Touch struct {
	Application snapshot.Ref `json:"application"`
	State       string       `json:"state"` // in which it is stuck
	At          time.Time    `json:"at"`
	Consequence string       `json:"consequence"`     // what the operator will do
	Quiet       bool         `json:"quiet,omitempty"` // which restarts nothing and removes nothing
}

func (i Touch) traits() Traits {
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

func (i Touch) wrong() (field, why string) { return missing(i.At) }

func (i Touch) pin(planned Intent) Intent {
	if p, ok := planned.(Touch); ok {
		i.At = p.At
	}
	return i
}

func (i Touch) resolve(f Fresh) ([]Step, error) {
	app, err := f.Target(i.Application)
	if err != nil {
		return nil, err
	}
	if state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state"); state != i.State {
		return nil, stale("%s is %s, no longer %s", i.Application, orNone(state), i.State)
	}
	if app.GetDeletionTimestamp() != nil {
		return nil, stale("%s is being deleted", i.Application)
	}
	change := annotation(app, []string{"metadata"}, TouchedAtAnnotation, i.At.UTC().Format(time.RFC3339))
	if change.Old == change.New {
		return nil, done("%s was kicked at %s", i.Application, change.New)
	}
	return []Step{{Target: i.Application, Why: "the operator looks at an application only when it, or a pod of it, changes",
		Changes: []Change{change}}}, nil
}

// ReassertedAtAnnotation is set on a webhook configuration to make the operator look at it.
const ReassertedAtAnnotation = "sparkdoctor.io/reasserted-at"

// ReassertBundle makes the leader of a 2.x webhook write its CA into the configuration: any update of it does
// (internal/controller/mutatingwebhookconfiguration/controller.go and validatingwebhookconfiguration/controller.go@v2.5.2).
type ReassertBundle struct {
	Configuration snapshot.Ref `json:"configuration"`
	At            time.Time    `json:"at"`
	Fallback      Restart      `json:"else,omitzero"` // if it is still wrong then; none without a Deployment
}

func (i ReassertBundle) traits() Traits {
	var otherwise Intent // a leader that holds another CA in memory writes that
	if i.Fallback.Deployment.Name != "" {
		otherwise = i.Fallback
	}
	return Traits{
		Otherwise: otherwise,
		Target:    i.Configuration,
		Title:     "make the operator write its CA into the configuration again",
		Risk:      Disruptive,
		Order:     Webhook,
		Reads:     []Read{{Ref: i.Configuration}},
	}
}

func (i ReassertBundle) wrong() (field, why string) { return missing(i.At) }

func (i ReassertBundle) pin(planned Intent) Intent {
	if p, ok := planned.(ReassertBundle); ok {
		i.At = p.At
	}
	return i
}

func (i ReassertBundle) resolve(f Fresh) ([]Step, error) {
	c, err := f.Target(i.Configuration)
	if err != nil {
		return nil, err
	}
	change := annotation(c, []string{"metadata"}, ReassertedAtAnnotation, i.At.UTC().Format(time.RFC3339))
	if change.Old == change.New {
		return nil, done("%s was touched at %s", i.Configuration, change.New)
	}
	return []Step{{
		Target: i.Configuration, Changes: []Change{change},
		Why: "an update of the configuration makes the leader of the webhook write its CA into every webhook of it",
	}}, nil
}
