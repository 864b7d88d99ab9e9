package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func stuckPendingRerun() check.Check {
	return standing(check.Check{
		ID: "SD6003", Slug: "stuck-pending-rerun", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:   "an application waits for its rerun, and the operator does not start it",
		Repairs: []fix.Intent{fix.Touch{Application: facts.KindOf(snapshot.SparkApplications)}},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
			{View: snapshot.Services, Role: snapshot.Consulted}, // most applications record neither
			{View: snapshot.Ingresses, Role: snapshot.Consulted},
		},
		Absence:   true,
		Relations: check.Relations{CausedBy: stuckCauses(check.Cause{Breaks: check.Deletion, Where: check.RelatedMember})},
	}, undatedStates, func(s *snapshot.Snapshot) func(*snapshot.SparkApplication) *standstill {
		parts := &parts{s: s}
		return func(app *snapshot.SparkApplication) *standstill {
			if app.State != "PENDING_RERUN" {
				return nil
			}
			since, seen := inStateSince(app)
			return &standstill{since, func(in *operator.Installation) check.Finding {
				return pendingRerun(app, in, parts, since, seen, s.TakenAt)
			}}
		}
	})
}

// pendingRerun states what the operator waits for. It submits again once what it recorded of the last run is gone
// (validateSparkResourceDeletion, internal/controller/sparkapplication/controller.go@v2.5.2 and pkg/controller/
// sparkapplication/controller.go@v1beta2-1.6.2-3.5.0), looks only when the application or a pod of it changes, and does
// not ask to be called again (#1191, #2283, #2905). Services and ingresses it does not watch at all.
func pendingRerun(app *snapshot.SparkApplication, in *operator.Installation, parts *parts, since time.Time, seen check.Evidence,
	now time.Time) check.Finding {
	f := check.Finding{
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState.state",
		Verdict: check.Verdict{Since: since}, Evidence: []check.Evidence{stateOf(app), seen},
	}
	judgedBy(&f, in)
	var gone, left, named []string
	var stay []snapshot.Ref
	for _, part := range partsOfRun(app) {
		object := parts.find(part)
		switch {
		case object == nil:
			gone = append(gone, fmt.Sprintf("%s %q", part.Kind, part.Name))
			f.Absent = append(f.Absent, check.Absent{View: snapshot.ViewOf(part.GroupKind()), Ref: part})
			f.Evidence = append(f.Evidence, check.Evidence{Object: part, Field: "metadata.name", Value: "not found"})
			continue
		case object.Terminating():
			left = append(left, fmt.Sprintf("%s %q, which has been terminating %s", part.Kind, part.Name,
				facts.ForSince(object.Deleted().Add(-object.GracePeriod()), now)))
			f.Severity = check.Warning
		default:
			left = append(left, fmt.Sprintf("%s %q, which the operator does not delete", part.Kind, part.Name))
		}
		named = append(named, fmt.Sprintf("%s %q", part.Kind, part.Name))
		stay, f.Related = append(stay, object.Ref), append(f.Related, object.Ref)
		f.Evidence = append(f.Evidence, check.Evidence{Object: object.Ref, Field: "metadata.creationTimestamp",
			Value: object.Created.Format(time.RFC3339)})
	}
	f.Message = fmt.Sprintf("PENDING_RERUN %s: ", facts.ForSince(since, now))
	if len(left) > 0 {
		f.What, f.Absent = "left", nil
		for _, r := range stay {
			if f.Severity == check.Warning { // one of them is going
				f.Then(command.Do("see what blocks the deletion of %s %s", r.Kind, r.Name).On("get", r, "-o yaml"))
			} else {
				f.Then(command.Do("delete %s %s of the last run", r.Kind, r.Name).On("delete", r))
			}
		}
		f.Message += "waits for " + strings.Join(left, " and ")
		f.Brief = "PENDING_RERUN: waits for " + strings.Join(named, " and ")
		return f
	}
	f.What, f.Shared = "gone", "rerun "+app.Namespace
	are := "is"
	if len(gone) > 1 {
		are = "are"
	}
	text := fmt.Sprintf("%s of the last run %s gone, but the operator does not recheck", strings.Join(gone, ", "), are)
	f.Message, f.Brief = f.Message+text, "PENDING_RERUN: "+text
	if in != nil {
		f.Fixes = []fix.Intent{fix.Touch{Application: app.Ref, State: app.State, At: now, Consequence: "it submits the job again"}}
		f.ThenRepair(lookAgain + ": it then submits the job again")
	} else {
		f.Then(command.Do("see which operator should submit it again").With("kubectl get deployments -A"))
	}
	return f
}

// judgedBy names the controller that the application has; without one nobody is known to move it.
func judgedBy(f *check.Finding, in *operator.Installation) {
	if in == nil || !in.Recognised {
		f.Certainty = check.Likely
	}
	if in != nil {
		f.Related = append(f.Related, in.Controller.Ref)
	}
}

// partsOfRun are what the operator wants to be gone before it submits again: the driver pod, and the UI Service and
// Ingress if it recorded any.
func partsOfRun(app *snapshot.SparkApplication) []snapshot.Ref {
	out := []snapshot.Ref{facts.DriverRef(app)}
	if app.UIService != "" {
		out = append(out, snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: app.Namespace, Name: app.UIService})
	}
	if app.UIIngress != "" {
		out = append(out, snapshot.Ref{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Namespace: app.Namespace, Name: app.UIIngress})
	}
	return out
}

// parts finds drivers, Services and Ingresses by name.
type parts struct {
	s      *snapshot.Snapshot
	others map[snapshot.Key]*snapshot.Object // nil until one is looked for
}

func (p *parts) find(ref snapshot.Ref) *snapshot.Object {
	if pod := facts.DriverPod(p.s, ref); pod != nil {
		return &pod.Object
	}
	if p.others == nil {
		p.others = map[snapshot.Key]*snapshot.Object{}
		for _, v := range []check.View{snapshot.Services, snapshot.Ingresses} {
			list := p.s.Dependents(v)
			for i := range list {
				p.others[list[i].Key()] = &list[i]
			}
		}
	}
	return p.others[ref.Key()]
}

func isOneOf(state string, states ...string) bool { return slices.Contains(states, state) }
