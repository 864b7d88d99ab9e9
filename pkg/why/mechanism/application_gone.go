package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApplicationGone is an application that was deleted while it ran, by the log of the operator or of the client that did, or by the events
// of its driver, which the kubelet stopped then. One that had come to its end looks alike: the operator deletes it after
// spec.timeToLiveSeconds, and Airflow at once (delete_on_termination).
type ApplicationGone struct {
	Name    string
	At      time.Time // zero: not known
	State   string    // it was in; empty: not known
	Client  string    // that deleted it: "Airflow task etl.load"; empty: not known
	Timeout bool      // the time of that task ran out
	Stopped bool      // the kubelet stopped its driver: all that is known
}

// Mechanism names it.
func (ApplicationGone) Mechanism() cause.ID { return "application-gone" }

func applicationGone(v *View) []cause.Cause {
	if v.Application != nil || v.Apache != nil || v.Driver != nil || v.Subject.Kind != "SparkApplication" {
		return nil
	}
	c := cause.Cause{Class: cause.StoppedByUser, Role: cause.SubmissionRole, Trust: cause.ByOperator, Subject: v.AppRef(),
		Certainty: check.Likely}
	killing := v.eventsOn("Pod", app.DriverOf(v.Subject.Name), "Killing")
	d := ApplicationGone{Name: v.Subject.Name}
	switch gone := v.Deleted; {
	case gone != nil:
		d.At, d.State = gone.At, gone.State
		if who := gone.Client; who != nil {
			d.Client = "Airflow"
			if who.Task != "" {
				d.Client = "Airflow task " + who.Task
			}
			if who.TimedOut != nil {
				d.Timeout, c.Certainty = true, check.Proven
				c.Evidence = append(c.Evidence, proofOf(*who.TimedOut))
			}
			c.Evidence = append(c.Evidence, proofOf(who.Deletes))
			if d.At.IsZero() {
				d.At = who.Deletes.At
			}
		}
		if gone.Log.Text != "" {
			c.Evidence = append(c.Evidence, proofOf(gone.Log))
		}
		if over := d.State == "COMPLETED" || d.State == "FAILED"; !d.Timeout && (over || len(killing) == 0) {
			c.Class, c.Effect = cause.Unknown, true // it may have come to its end before
		}
	case len(killing) > 0:
		d.Stopped, d.At = true, killing[0].First
		c.Class, c.Effect = cause.Unknown, true
	default:
		return nil
	}
	c.Evidence = append(c.Evidence, v.killing(v.podNamed(app.DriverOf(v.Subject.Name)))...)
	c.Detail, c.At = d, d.At
	return []cause.Cause{c}
}

func proofOf(s app.Said) cause.Proof {
	return cause.Proof{Object: s.Pod, Field: "log " + s.Container, Value: s.Text, At: s.At}
}
