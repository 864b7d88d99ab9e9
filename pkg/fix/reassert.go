package fix

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ReassertedAtAnnotation is set on a webhook configuration to make the operator look at it.
const ReassertedAtAnnotation = "sparkdoctor.io/reasserted-at"

// ReassertBundle makes the leader of a 2.x webhook write its CA into the configuration: any update of it does
// (internal/controller/mutatingwebhookconfiguration/controller.go and validatingwebhookconfiguration/controller.go@v2.5.2).
type ReassertBundle struct {
	Configuration snapshot.Ref `json:"configuration"`
	At            time.Time    `json:"at"`
	Else          Restart      `json:"else,omitzero"` // if it is still wrong then; none without a Deployment
}

func (i ReassertBundle) traits() Traits {
	var otherwise Intent // a leader that holds another CA in memory writes that
	if i.Else.Deployment.Name != "" {
		otherwise = i.Else
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
	c, err := f.target(i.Configuration)
	if err != nil {
		return nil, err
	}
	change := annotation(c, []string{"metadata"}, ReassertedAtAnnotation, i.At.UTC().Format(time.RFC3339))
	if change.Old == change.New {
		return nil, done("%s was touched at %s", i.Configuration, change.New)
	}
	return []Step{{Target: i.Configuration, Why: "an update of the configuration makes the leader of the webhook write its CA into every webhook of it", Changes: []Change{change}}}, nil
}
