package lifecycle

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func nameInvalid() check.Check {
	return check.Check{
		ID: "SD6012", Slug: "name-invalid", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "the operator cannot run an application because of its name",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
		},
		Relations: check.Relations{Breaks: []check.Part{check.ApplicationName}},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			installations, unruled := facts.Installations().Of(p), 0
			var found []check.Finding
			schedules, badSchedules := p.ScheduledSparkApplications(), map[snapshot.Key]bool{}
			for i := range schedules {
				o := &schedules[i]
				n := naming{&o.Object, operator.For(installations, o.Namespace), p.Excerpt()}
				if o.Terminating() || o.Suspended || !n.refusesRuns() {
					unruled += n.unruled()
					continue
				}
				badSchedules[check.AppKey(o.Namespace, o.Name)] = true
				found = append(found, n.finding(operator.RefusedName, true))
			}
			list, unjudged := facts.Decoded(p.Snapshot)
			for _, app := range list {
				n := naming{&app.Object, operator.For(installations, app.Namespace), p.Excerpt()}
				if app.Terminating() || badSchedules[check.AppKey(app.Namespace, app.Labels.Get(snapshot.ScheduledAppLabel))] {
					continue
				}
				unruled += n.unruled()
				if fault, proven := n.fault(); hurts(fault, app) {
					found = append(found, n.finding(fault, proven))
				}
			}
			connects := p.SparkConnects()
			for i := range connects {
				if f, hurts := connectName(&connects[i], installations); hurts {
					found = append(found, f)
				}
			}
			for i := range found {
				f := &found[i]
				rename(f, facts.OrOnly(operator.For(installations, f.Object.Namespace), installations))
			}
			a := check.Answer{Findings: foldNames(found), Judged: len(schedules) + len(list) + len(connects), Unjudged: unjudged}
			a.PassOver(unruled, fmt.Sprintf("%s with a name that some releases reject, and the operator was not seen",
				phrase.Counted(unruled, "object")))
			return a
		},
	}
}

// rename re-creates the object under another name.
func rename(f *check.Finding, in *operator.Installation) {
	good := fmt.Sprintf("that starts with a letter and uses only a-z, 0-9 and '-' (max %d)", operator.LongestName(f.Object.Kind, in))
	f.ThenInManifest(command.Do("re-create the %s under a name %s", f.Object.Kind, good).On("get", f.Object, "-o yaml"),
		"change metadata.name at "+command.Place+" to one "+good, check.ApplyAgain)
}

// connectName judges the name of a SparkConnect by the operator that serves it. A Service of a name of its own may be given, so that only
// one that stays without a state is a fault of the name.
func connectName(c *snapshot.SparkConnect, installations []operator.Installation) (check.Finding, bool) {
	in := operator.For(installations, c.Namespace)
	if in == nil || c.Terminating() || !operator.StartsConnect(in.Judged()) {
		return check.Finding{}, false
	}
	fault := in.ConnectNameFault(c.Name)
	if fault == operator.GoodName || fault == operator.NoService && c.State != "" {
		return check.Finding{}, false
	}
	return naming{&c.Object, in, false}.finding(fault, in.Recognised), true
}

// hurts reports whether a name does harm to an application in its state. What ran has passed all but the webhook, which
// refuses any change for as long as the object is there.
func hurts(fault operator.NameFault, app *snapshot.SparkApplication) bool {
	switch {
	case fault == operator.GoodName:
		return false
	case fault == operator.RefusedName:
		return true
	case app.State == "FAILED":
		return app.ExecutionAttempts == 0 // it was never submitted
	default:
		return app.State != "RUNNING" && app.State != "SUCCEEDING" && app.State != "COMPLETED"
	}
}

// naming is an object, and who makes something of its name; nil if nobody was seen.
type naming struct {
	*snapshot.Object
	in *operator.Installation
	// excerpt says that an operator that was not seen may be of any release.
	excerpt bool
}

// unruled is 1 for a name that the release decides about, and the operator was not seen.
func (n naming) unruled() int {
	if n.in == nil && n.excerpt && !n.Terminating() && len(n.Name) <= maxLabel && len(validation.IsDNS1035Label(n.Name)) > 0 &&
		!n.impossible() {
		return 1
	}
	return 0
}

// impossible reports whether no API server takes the name: SD5014 tells of such manifests.
func (n naming) impossible() bool { return len(validation.IsDNS1123Subdomain(n.Name)) > 0 }

// fault is what releases of the operator say of a name that an API server takes. Only bad names are asked whether it does: a fleet has few.
func (n naming) fault() (operator.NameFault, bool) {
	fault, sure := n.judged()
	if fault != operator.GoodName && n.impossible() {
		return operator.GoodName, true
	}
	return fault, sure
}

// judged judges by the release, or by the newest where there is none. No label can have a name that is too long for one,
// whatever the release.
func (n naming) judged() (operator.NameFault, bool) {
	switch {
	case n.in != nil:
		fault, proven := n.in.NameFault(n.Name)
		return fault, proven && n.in.Recognised && !n.in.Narrowed()
	case len(n.Name) > maxLabel:
		return operator.NoDriver, true
	case n.unruled() > 0:
		return operator.GoodName, false
	case len(validation.IsDNS1035Label(n.Name)) > 0:
		return operator.RefusedName, false
	default:
		return operator.GoodName, true
	}
}

// refusesRuns reports whether the webhook refuses every run of a schedule for its name. Runs whose names are too long are
// SD6007's.
func (n naming) refusesRuns() bool {
	fault, _ := n.fault()
	return fault == operator.RefusedName
}

func (n naming) finding(fault operator.NameFault, proven bool) check.Finding {
	f := check.Finding{
		About: check.OfApp(n), Field: "metadata.name", Identity: check.Identity{What: faultWhat(fault)},
		Evidence: []check.Evidence{{Object: n.Ref, Field: "metadata.name", Value: fmt.Sprintf("%d characters", len(n.Name))}},
	}
	stated := "the operator, from 2.4.0 on,"
	if n.in != nil {
		stated = "operator " + n.in.Stated
		f.Related = append(f.Related, n.in.Controller.Ref)
		f.Saw(n.in.Controller.Ref, "version", n.in.Stated)
	}
	schedule := n.Kind == "ScheduledSparkApplication"
	if !proven || n.in != nil && !n.in.Recognised {
		f.Certainty = check.Likely
	}
	f.Severity = check.Error
	wrong := wrongWith(n.Name)
	switch fault {
	case operator.NoDriver:
		f.Message = fmt.Sprintf("the name has %d characters, and a label of the driver pod allows %d: every submission fails",
			len(n.Name), maxLabel)
	case operator.RefusedName:
		f.Severity = check.Warning
		f.Message = fmt.Sprintf("the name %s: the webhook of %s rejects every update, even of finalizers", wrong, stated)
		if schedule {
			f.Severity = check.Error
			f.Message = fmt.Sprintf("the name %s: the webhook of %s rejects every run", wrong, stated)
		}
		if n.in == nil {
			f.Certainty = check.Likely
		}
	case operator.NoService:
		f.Message = fmt.Sprintf("the name %s: %s cannot create Service %s-server, and the state stays empty", wrong, stated, n.Name)
	case operator.NoSubmission:
		f.Message = fmt.Sprintf("the name %s: %s cannot create the UI Service and fails the submission", wrong, stated)
	default:
		f.Message = fmt.Sprintf("the name %s: %s cannot create the UI Service, and the state stays SUBMITTED", wrong, stated)
	}
	return f
}

// wrongWith says what a DNS-1035 label may not have.
func wrongWith(name string) string {
	switch {
	case strings.Contains(name, "."):
		return "has a dot"
	case name[0] >= '0' && name[0] <= '9':
		return "begins with a digit"
	default:
		return fmt.Sprintf("has %d characters", len(name))
	}
}

func faultWhat(fault operator.NameFault) string {
	return map[operator.NameFault]string{
		operator.NoDriver: "no-driver", operator.RefusedName: "refused", operator.NoSubmission: "no-submission",
		operator.StaysSubmitted: "stays-submitted", operator.NoService: "no-service",
	}[fault]
}

// foldNames joins the objects of a namespace and kind that have one fault: whoever names them does it once.
func foldNames(list []check.Finding) []check.Finding {
	return check.Join(list,
		func(f *check.Finding) string { return f.Object.Namespace + " " + f.Object.Kind + " " + f.What },
		(*check.Finding).Absorb,
		func(f *check.Finding, n int) {
			if n == 1 {
				return
			}
			f.Message = fmt.Sprintf("%s of namespace %s have such a name, such as %s: %s", phrase.Counted(len(f.Objects), f.Object.Kind),
				f.Object.Namespace, f.Object.Name, f.Message)
		})
}
