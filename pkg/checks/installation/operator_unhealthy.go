package installation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func operatorUnhealthy() check.Check {
	return check.Check{
		ID: "SD5008", Slug: "operator-unhealthy", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "an operator does not run, keeps restarting, or cannot keep up",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.OperatorPods, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		},
		Relations: check.Relations{Breaks: []check.Part{check.Controller},
			CausedBy: []check.Cause{{Breaks: check.ControllerStart, Where: aboutController}}},
		Requires: []check.Requirement{facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			k, pods := facts.Controllers().Of(p), p.OperatorPods()
			installations, unseen := facts.Installations().Of(p), 0
			for i := range installations {
				in := &installations[i]
				q := queueOf(k, p.Snapshot, p.Params, in, list)
				for _, d := range in.Deployments() {
					h := health{s: p.Snapshot, p: p.Params, in: in, d: d, pods: operator.PodsOf(d, pods), queue: q}
					if facts.Applied(&d.Object) {
						a.Judged++
					}
					switch f, found := h.judge(); {
					case !found:
					case f.Kind == notReady && p.Excerpt() && len(h.pods) < int(d.Replicas):
						unseen++
					default:
						a.Findings = append(a.Findings, f)
					}
				}
			}
			a.PassOver(unseen, fmt.Sprintf("%s without a ready replica: a pod that was not seen may be ready before its Deployment says so",
				phrase.Counted(unseen, "Deployment")))
			return a
		},
	}
}

const (
	notReady   check.Kind = "not ready" // no replica is
	restarting check.Kind = "restarting"
)

// health is what is known of a Deployment of the operator.
type health struct {
	s     *snapshot.Snapshot
	p     check.Params
	in    *operator.Installation
	d     *snapshot.Deployment
	pods  []*snapshot.OperatorPod
	queue queue
}

// judge returns the worst that is wrong with the Deployment.
func (h *health) judge() (check.Finding, bool) {
	d, controls := h.d, h.d == h.in.Controller
	if !facts.Applied(&d.Object) {
		return check.Finding{}, false
	}
	f := check.Finding{
		About: check.Of(d), Field: "status.readyReplicas",
		Evidence: []check.Evidence{{Object: d.Ref, Field: "status.readyReplicas", Value: fmt.Sprintf("%d of %d", d.Ready, d.Replicas)}},
	}
	worst, sick := h.worst()
	settling := facts.Young(h.s, h.p, d.Created, d.Changed)
	known := controls || sick // a webhook of which nothing else is known is SD1002's
	switch {
	case d.Replicas == 0 && controls && len(h.queue.waiting) > 0:
		f.Severity = check.Warning
		f.Kind = "scaled to zero"
		f.Field = "spec.replicas"
		f.Message, f.Since = "scaled to zero while "+h.queue.text(h.s.TakenAt), h.queue.waiting[0].Created
	case d.Replicas == 0:
		return f, false
	case d.Ready == 0 && !settling && !h.anyReady() && known:
		f.Severity, f.Kind = check.Error, notReady
		f.Breaks = []check.Part{check.WebhookReplicas} // if it is the Deployment of the webhook
		f.Since = h.downSince(worst)
		f.Message = fmt.Sprintf("operator %s has no ready replica (0 of %d)", h.in.Stated, d.Replicas)
		if !f.Since.IsZero() && f.Since.Equal(d.Changed) {
			f.Message = fmt.Sprintf("operator %s has had no ready replica (0 of %d) %s", h.in.Stated, d.Replicas,
				facts.ForSince(d.Changed, h.s.TakenAt))
		}
		if len(h.pods) == 0 && !h.s.Covers(snapshot.OperatorPods, d.Namespace) {
			f.Certainty = check.Likely // the pods tell of it before the Deployment does
		}
		if sick {
			f.Message += ": " + worst.text(h.s.TakenAt) + h.unbound(worst, &f)
		}
		if controls && len(h.queue.waiting) > 0 {
			f.Message += "; " + h.queue.text(h.s.TakenAt)
			f.Follows = h.queue.stuck(h.s.TakenAt)
		}
	case sick && worst.restarting(h.s.TakenAt, h.p.Restarts):
		f.Severity, f.Kind = check.Warning, restarting
		f.Message = "keeps restarting: " + worst.text(h.s.TakenAt) + h.unbound(worst, &f)
	case controls && d.Ready > 0 && h.queue.behind(h.p.Backlog):
		f.Severity = check.Warning
		f.Certainty = check.Likely
		f.Kind = "behind"
		f.Message = fmt.Sprintf("operator %s cannot keep up: %s, and %d were submitted in the last %s", h.in.Stated, h.queue.text(h.s.TakenAt),
			h.queue.submitted, phrase.Span(h.p.NewAfter))
		f.Since = h.queue.waiting[0].Created
	default:
		return f, false
	}
	f.Subject, f.Brief = h.inBrief(&f, worst, sick)
	if sick {
		f.Related = append(f.Related, worst.pod.Ref)
		f.Evidence = append(f.Evidence, worst.evidence()...)
	}
	if controls {
		f.Evidence = append(f.Evidence, h.queue.evidence()...)
	}
	f.Then(h.mend(&f, worst, sick)...)
	return f, true
}

// unbound says that the process may not listen on a port that its flags name: its log tells, or the port and the user of the image,
// where it depends on the node's container runtime.
func (h *health) unbound(i podHealth, f *check.Finding) string {
	if !i.failsAtStart() {
		return ""
	}
	use, low := h.in.LowPort(h.d)
	said := facts.Signs(h.in.Logged(h.s.OperatorLogs()), func(l facts.Logged) bool {
		return l.Name == i.pod.Name && strings.Contains(l.Text, "bind: permission denied")
	}, snapshot.StartFailed)
	if low {
		f.Saw(h.d.Ref, use.Field, use.Value)
	}
	f.Evidence = append(f.Evidence, facts.Quote(said)...)
	switch {
	case len(said) > 0 && low:
		return fmt.Sprintf("; it is not root and may not listen on a port below 1024 (%s=%s)", use.Field, use.Value)
	case len(said) > 0:
		return "; it may not listen on its port"
	case low:
		return fmt.Sprintf("; likely because it is not root: only some container runtimes let it listen on a port below 1024 (%s=%s)",
			use.Field, use.Value)
	default:
		return ""
	}
}

// anyReady reports whether a pod says that it is ready, which is newer than what the Deployment says.
func (h *health) anyReady() bool {
	return slices.ContainsFunc(h.pods, func(p *snapshot.OperatorPod) bool { return p.Ready })
}

// aboutController reports whether a finding is about a Deployment of the operator, or names it.
func aboutController(ill, cause *check.Finding) bool {
	return check.SameObject(ill, cause) || cause.Names(ill.Object)
}
