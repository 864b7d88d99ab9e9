package ownership

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func stuckFinalizer() check.Check {
	return check.Check{
		ID: "SD2005", Slug: "stuck-finalizer", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "a deleted Spark object is stuck terminating on a finalizer",
		Next:  stuckNext,
		Needs: append(sparkObjectNeeds(),
			snapshot.Need{View: snapshot.MutatingWebhooks, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.ValidatingWebhooks, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.WebhookEndpoints, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		),
		Repairs:  releases(),
		Breaks:   []check.Part{check.Deletion},
		CausedBy: []check.Cause{{Breaks: check.Deletion, Where: anotherBlocker}, {Breaks: check.AdmissionPath, Where: anotherBlocker}},
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
		Object: o.Ref, Location: o.Location, Labels: o.Labels, App: appOf(o), Severity: check.Error,
		Field: "metadata.finalizers", What: strings.Join(o.Finalizers(), ","), Fixes: b.release(o), Since: o.Deleted(),
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
	switch {
	case len(blocked) > 0:
		f.Fault = blockedBy
	case progressing:
		f.Fault = atWork
	}
	holders := strings.Join(held, " and ")
	f.Brief = "terminating, held by " + holders
	f.Message = fmt.Sprintf("terminating for %s, held by %s", duration.HumanDuration(s.TakenAt.Sub(o.Deleted())), holders)
	for _, block := range blocked {
		f.Message += "; " + block.text
		f.Related = append(f.Related, block.objects...)
		f.Evidence = append(f.Evidence, block.evidence...)
	}
	if progressing && len(blocked) == 0 {
		f.Severity = check.Warning
	}
	return f
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
