package ownership

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

func stuckFinalizer() check.Check {
	return check.Check{
		ID: "SD2005", Slug: "stuck-finalizer", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "a deleted Spark object is stuck terminating on a finalizer",
		Needs: append(sparkObjectNeeds(),
			snapshot.Need{View: snapshot.MutatingWebhooks, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.ValidatingWebhooks, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.WebhookEndpoints, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.Nodes, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		),
		Repairs: releases(),
		Relations: check.Relations{Breaks: []check.Part{check.Deletion},
			CausedBy: []check.Cause{{Breaks: check.Deletion, Where: anotherBlocker}, {Breaks: check.AdmissionPath, Where: anotherBlocker}}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			b := newBlockers(p)
			var a check.Answer
			for o := range sparkObjects(p.Snapshot) {
				a.Judged++
				// A pod's deletionTimestamp already lies behind its grace period.
				if o.Terminating() && len(o.Finalizers()) > 0 && p.TakenAt.Sub(o.Deleted()) > p.StuckAfter {
					a.Findings = append(a.Findings, stuck(p.Snapshot, b, o))
				}
			}
			return a
		},
	}
}

func stuck(s *snapshot.Snapshot, b *blockers, o *snapshot.Object) check.Finding {
	f := check.Finding{
		About: check.Of(o).PartOf(appOf(o)), Severity: check.Error,
		Field: "metadata.finalizers", Identity: check.Identity{What: strings.Join(o.Finalizers(), ",")}, Fixes: b.release(o),
		Verdict: check.Verdict{Since: o.Deleted()},
		Evidence: []check.Evidence{
			{Object: o.Ref, Field: "metadata.deletionTimestamp", Value: o.Deleted().Format(time.RFC3339)},
			{Object: o.Ref, Field: "metadata.finalizers", Value: strings.Join(o.Finalizers(), ", ")},
		},
	}
	var held []string
	progressing := true
	for _, name := range o.Finalizers() {
		text, alive := b.describe(name)
		held = append(held, text)
		progressing = progressing && alive
	}
	blocked := b.of(o)
	holders := strings.Join(held, " and ")
	f.Brief = "stuck on finalizer " + strings.Join(o.Finalizers(), " and ")
	f.Message = fmt.Sprintf("terminating for %s, held by %s", facts.Age(o.Deleted(), s.TakenAt), holders)
	for _, block := range blocked {
		f.Message += "; " + block.text
		f.Related = append(f.Related, block.objects...)
		f.Evidence = append(f.Evidence, block.evidence...)
	}
	switch {
	case len(blocked) > 0:
		f.Then(unblock(&f)...)
	case progressing:
		f.Severity = check.Warning
		f.Then(command.Do("read the events that its controller wrote").
			With("kubectl -n %s events --for %s", o.Namespace, command.Type(o.Ref)+"/"+o.Name))
	default:
		remove(&f)
	}
	return f
}

// unblock is what to do about the first object that keeps a finalizer from being removed.
func unblock(f *check.Finding) []check.Command {
	node := slices.IndexFunc(f.Related, func(r snapshot.Ref) bool { return r.Kind == "Node" })
	switch {
	case node >= 0:
		return []check.Command{
			command.Do("see why node %s is not ready", f.Related[node].Name).On("describe", f.Related[node]),
			command.Do("if it is gone for good, delete the Node: Kubernetes then removes the driver pod").On("delete", f.Related[node])}
	case len(f.Related) == 0: // its name
		return one(command.Do("switch the validating webhook off, remove the finalizer, and switch it on again: it refuses every update").
			On("get", f.Object, "-o jsonpath={.metadata.finalizers}"))
	case strings.HasSuffix(f.Related[0].Kind, "WebhookConfiguration"):
		return one(command.Do("repair the webhook, which must admit the removal of the finalizer").
			With("kubectl sparkdoctor scan --checks %s", "SD1002"))
	default:
		return one(command.Do("see what blocks the deletion of %s %s first", f.Related[0].Kind, f.Related[0].Name).On("describe", f.Related[0]))
	}
}

func one(c check.Command) []check.Command { return []check.Command{c} }

// remove takes finalizers away, which is done last: when nothing else can be repaired and their controller is gone for good.
func remove(f *check.Finding) {
	look := command.Do("see which controller set the finalizer").On("get", f.Object, "-o yaml --show-managed-fields")
	var list []fix.RemoveFinalizer
	for _, intent := range f.Fixes {
		if one, is := intent.(fix.RemoveFinalizer); is {
			list = append(list, one)
		}
	}
	if len(list) != 1 || list[0].Proof == "" {
		f.Then(look)
	}
	for _, one := range list {
		if one.Proof != "" {
			f.ThenRepair("remove finalizer " + one.Name + ": no running controller will")
		} else if command.ForShell(one.Name) {
			f.ThenRepair("remove finalizer "+one.Name+" once its controller is gone for good", "--finalizer "+one.Name)
		}
	}
}

// describe says who sets a finalizer, whether its controller is there, and whether that controller is alive.
func (b *blockers) describe(name string) (text string, alive bool) {
	known, ok := operator.FinalizerNamed(name)
	switch {
	case !ok:
		return fmt.Sprintf("finalizer %s (set by an unknown controller)", name), false
	case known.Orphan:
		return fmt.Sprintf("finalizer %s (set by %s; no released controller removes it)", name, known.SetBy), false
	case known.InCluster:
		return fmt.Sprintf("finalizer %s (set by %s)", name, known.SetBy), false
	}
	controller := known.Controller(b.deployments)
	switch {
	case controller == nil && !b.deploymentsSeen:
		return fmt.Sprintf("finalizer %s (set by %s, whose Deployment was not seen)", name, known.SetBy), true // it may be at work
	case controller == nil:
		return fmt.Sprintf("finalizer %s (set by %s, whose Deployment was not found)", name, known.SetBy), false
	case controller.Ready == 0:
		return fmt.Sprintf("finalizer %s (set by %s, whose Deployment %s/%s has no ready replica)", name, known.SetBy, controller.Namespace,
			controller.Name), false
	default:
		return fmt.Sprintf("finalizer %s (set by %s, whose Deployment %s/%s is ready)", name, known.SetBy, controller.Namespace, controller.Name),
			true
	}
}

// anotherBlocker reports whether the object that a deletion waits for is held by something else.
func anotherBlocker(stuck, cause *check.Finding) bool {
	return cause.Object != stuck.Object && slices.Contains(stuck.Related, cause.Object)
}
