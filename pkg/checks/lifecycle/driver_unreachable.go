package lifecycle

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func driverUnreachable() check.Check {
	return check.Check{
		ID: "SD6013", Slug: "driver-unreachable", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "an application counts as running, but no kubelet reports on its driver",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
			{View: snapshot.Nodes, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			nodes := map[string]*snapshot.Node{}
			for i, all := 0, p.Nodes(); i < len(all); i++ {
				nodes[all[i].Name] = &all[i]
			}
			for _, app := range list {
				if !isOneOf(app.State, "RUNNING", "SUBMITTED", "UNKNOWN") || app.Terminating() || facts.DriverElsewhere(app) {
					continue
				}
				driver := facts.DriverOf(p.Snapshot, app)
				if driver == nil || driver.Trouble == nil || !driver.Alive() || driverHasEnded(driver) {
					continue
				}
				u := unreachable{app: app, driver: driver, node: nodes[driver.Trouble.Node], now: p.TakenAt, grace: p.StuckAfter}
				if f := u.finding(); f != nil {
					a.Findings = append(a.Findings, *f)
				}
			}
			return a
		},
	}
}

// unreachable is a driver that may be on a node that is lost. Its pod stays as the kubelet reported it last until the kubelet
// is back or the Node is deleted, and the operator judges by the pod's phase (GetDriverState,
// pkg/util/sparkapplication.go@v2.5.2; kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go).
type unreachable struct {
	app    *snapshot.SparkApplication
	driver *snapshot.Pod
	node   *snapshot.Node // nil: not seen
	now    time.Time
	grace  time.Duration
}

// since returns how long something has lasted, empty if it has not begun or is young.
func (u *unreachable) since(t time.Time) string {
	if t.IsZero() || u.now.Sub(t) <= u.grace {
		return ""
	}
	return facts.Age(t, u.now)
}

func (u *unreachable) finding() *check.Finding {
	t := u.driver.Trouble
	going := ""
	if len(u.driver.Finalizers()) == 0 { // else SD2005's
		going = u.since(u.driver.Deleted())
	}
	down := ""
	if u.node != nil && isOneOf(u.node.Ready, "False", "Unknown") {
		down = u.since(u.node.ReadySince)
	}
	f := &check.Finding{
		About: check.OfApp(u.app), Severity: check.Error, Field: "status.applicationState.state",
		Identity: check.Identity{Shared: "node " + t.Node}, Related: []snapshot.Ref{u.driver.Ref},
		Evidence: []check.Evidence{stateOf(u.app), {Object: u.driver.Ref, Field: "status.phase", Value: u.driver.Phase},
			{Object: u.driver.Ref, Field: "spec.nodeName", Value: cmp.Or(t.Node, "none")}},
	}
	if t.Node != "" {
		f.Related = append(f.Related, snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: t.Node})
	}
	briefly := fmt.Sprintf("%s, but driver pod %q", u.app.State, u.driver.Name)
	pod := briefly
	if going != "" {
		pod += fmt.Sprintf(" has been terminating for %s", going)
		f.Saw(u.driver.Ref, "metadata.deletionTimestamp", facts.Timestamp(u.driver.Deleted()))
	}
	if t.Disruption != "" {
		f.Saw(u.driver.Ref, "status.conditions[DisruptionTarget]", t.Disruption)
	}
	switch lost := u.since(t.LostSince); {
	case down != "":
		f.Kind, f.Since = "node", u.node.ReadySince
		f.Brief = fmt.Sprintf("%s is on node %q, which is NotReady", briefly, t.Node)
		f.Message = fmt.Sprintf("%s%s on node %q, which has been NotReady for %s (%s)", pod, verbIs(going), t.Node, down,
			phrase.WithMessage(u.node.Reason, phrase.OneLine(u.node.Message, facts.KeptWords)))
		f.Saw(u.node.Ref, "status.conditions[Ready]", fmt.Sprintf("%s since %s: %s", u.node.Ready, facts.Timestamp(u.node.ReadySince),
			phrase.WithMessage(u.node.Reason, u.node.Message)))
		if u.node.Ready == "False" {
			f.Severity = check.Warning // its kubelet still reports, and the driver may work
		}
	case u.node != nil && going != "":
		f.Kind, f.Severity = "terminating", check.Warning
		u.terminates(f, briefly, pod, fmt.Sprintf("on node %q, whose kubelet does not report its end", t.Node))
	case u.node != nil, going == "" && lost == "":
		return nil
	case going != "":
		f.Kind, f.Certainty = "terminating", check.Likely
		where := fmt.Sprintf("on node %q, whose kubelet does not report its end", t.Node)
		if t.Disruption == "DeletionByTaintManager" || t.Reason == "NodeLost" {
			f.Kind = "node"
			where = fmt.Sprintf("because node %q was lost (%s)", t.Node, cmp.Or(t.Disruption, t.Reason))
		}
		u.terminates(f, briefly, pod, where)
	default:
		f.Kind = "node"
		f.Certainty = check.Likely
		f.Since = t.LostSince
		f.Brief = fmt.Sprintf("%s is unready on node %q, which seems lost", briefly, t.Node)
		f.Message = fmt.Sprintf("%s on node %q has been unready for %s although its containers were ready last: the node seems lost", pod, t.Node,
			lost)
		f.Saw(u.driver.Ref, "status.conditions[Ready]", "False since "+facts.Timestamp(t.LostSince)+", with ContainersReady True")
	}
	f.Message += "; it counts as running until that node is back or deleted"
	u.advise(f)
	return f
}

// advise looks at the node: the driver pod of one that is gone for good goes with the Node object.
func (u *unreachable) advise(f *check.Finding) {
	if u.driver.Trouble.Node == "" {
		f.Then(command.Do("see where the driver pod is").On("get", u.driver.Ref, "-o wide"))
		return
	}
	node := snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: u.driver.Trouble.Node}
	if f.Kind == "terminating" {
		f.Then(command.Do("see whether node %s is up", node.Name).On("describe", node),
			command.Do("if the node is gone for good, remove the driver pod").On("delete", u.driver.Ref, "--force --grace-period 0"))
		return
	}
	f.Then(command.Do("see why node %s is not ready", node.Name).On("describe", node),
		command.Do("if it is gone for good, delete the Node: Kubernetes then removes the driver pod").On("delete", node))
}

// terminates states where, or why, the driver's pod does not go.
func (u *unreachable) terminates(f *check.Finding, pod, withAge, where string) {
	f.Since = u.driver.Deleted()
	f.Brief = pod + " is terminating " + where
	f.Message = withAge + " " + where
}

func verbIs(going string) string {
	if going == "" {
		return " is"
	}
	return ""
}
