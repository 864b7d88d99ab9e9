package installation

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func upgradeUnfinished() check.Check {
	return check.Check{
		ID: "SD5012", Slug: "upgrade-unfinished", Since: "0.1.0", Consequence: check.WillStop,
		Title: "an upgrade of the operator failed or stopped half-way",
		Gate:  check.Gate{Worse: "the next upgrade would start from a state that no release has"},

		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.HookJobs, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations := facts.Installations().Of(p)
			jobs := p.HookJobs()
			undetailed := 0
			for i := range installations {
				u := unfinished{s: p.Snapshot, p: p.Params, in: &installations[i]}
				if u.in.Controller == nil || !facts.Applied(&u.in.Controller.Object) {
					continue
				}
				a.Judged++
				if f, found := u.twoReleases(); found {
					a.Findings = append(a.Findings, f)
				}
				if !u.in.Controller.Detailed {
					undetailed++
				}
				if f, found := u.release(); found {
					a.Findings = append(a.Findings, f)
				}
				for _, d := range u.in.Deployments() {
					if f, found := u.stalled(d); found {
						a.Findings = append(a.Findings, f)
					}
				}
				for k := range jobs {
					if jobs[k].Key() != u.in.HookJob() {
						continue
					}
					if f, found := u.hook(&jobs[k]); found {
						a.Findings = append(a.Findings, f)
					}
				}
			}
			a.PassOver(undetailed, "whether a rollout is stalled, which the archive of an older build does not tell")
			return a
		},
	}
}

const (
	twoReleases check.Kind = "two releases"
	stalled     check.Kind = "rollout stalled"
	hookFailed  check.Kind = "hook failed"

	releaseRefused check.Kind = "release refused"
	releaseFailed  check.Kind = "release failed"
)

// unfinished is an installation that may be between two releases.
type unfinished struct {
	s  *snapshot.Snapshot
	p  check.Params
	in *operator.Installation
}

// twoReleases is about Deployments, each of which states a release. A build that states none may be any.
func (u unfinished) twoReleases() (check.Finding, bool) {
	controller, webhook := u.in.Controller, u.in.Webhook
	other, known := u.in.WebhookRelease()
	if !known || u.in.Version.IsZero() || other == u.in.Version || webhook.Replicas == 0 || controller.Replicas == 0 ||
		facts.Young(u.s, u.p, controller.Changed, webhook.Changed) {
		return check.Finding{}, false
	}
	f := check.Finding{
		About: check.Of(controller), Severity: check.Warning, Identity: check.Identity{Kind: twoReleases},
		Field: "spec.template.spec.containers", Related: []snapshot.Ref{webhook.Ref},
		Message: fmt.Sprintf("the controller is of release %s and the webhook of %s: what one of them defaults or rejects, the other does "+
			"not expect", u.in.Version, other),
		Evidence: []check.Evidence{
			{Object: controller.Ref, Field: "version", Value: u.in.Version.String()},
			{Object: webhook.Ref, Field: "version", Value: other.String()},
		},
	}
	u.repeat(&f, command.Do("compare both Deployments with what you meant to install").On("get", f.Object, "-o", "wide"))
	return f, true
}

// stalled is about a rollout that Kubernetes has given up waiting for, with pods that it should have replaced: a new pod without room
// beside others of its kind is no half-done upgrade. Without any ready replica it is SD5008's.
func (u unfinished) stalled(d *snapshot.Deployment) (check.Finding, bool) {
	if d.Stalled.IsZero() || d.Old == 0 || d.Ready == 0 || d.Replicas == 0 {
		return check.Finding{}, false
	}
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Identity: check.Identity{Kind: stalled},
		Verdict: check.Verdict{Since: d.Stalled, Brief: "the rollout of operator " + u.in.Stated + " is stalled"},
		Field:   "status.conditions",
		Message: fmt.Sprintf("the rollout of operator %s is past its deadline %s: %s from before it left", u.in.Stated,
			facts.ForSince(d.Stalled, u.s.TakenAt), phrase.Counted(int(d.Old), "pod")),
		Evidence: []check.Evidence{
			{Object: d.Ref, Field: "status.conditions[Progressing].reason", Value: "ProgressDeadlineExceeded"},
			{Object: d.Ref, Field: "status.replicas - status.updatedReplicas", Value: fmt.Sprint(d.Old)},
		},
	}
	u.repeat(&f, command.Do("see why its new pods do not get ready").On("describe", d.Ref))
	return f, true
}

// hook is about the Job that comes before everything else of an upgrade. One of the release that is installed may be left over from
// an upgrade that was repeated without it.
func (u unfinished) hook(j *snapshot.Job) (check.Finding, bool) {
	to, known := operator.ReleaseOfChart(&j.Object)
	waits := j.Failed.IsZero() && j.Pods == 0 && !j.Suspended && !j.Created.IsZero() && !facts.Young(u.s, u.p, j.Created)
	stopped := !j.Failed.IsZero() || waits
	if !known || to == u.in.Version || !stopped {
		return check.Finding{}, false
	}
	f := check.Finding{
		About: check.Of(j), Severity: check.Warning, Identity: check.Identity{Kind: hookFailed},
		Verdict: check.Verdict{Since: j.Failed, Brief: fmt.Sprintf("the upgrade of the operator to %s stopped at its hook", to)},
		Field:   "status", Related: []snapshot.Ref{u.in.Controller.Ref},
		Evidence: []check.Evidence{
			{Object: j.Ref, Field: "version", Value: to.String()}, {Object: u.in.Controller.Ref, Field: "version", Value: u.in.Stated},
		},
	}
	u.repeat(&f, command.Do("see why the hook's Job failed or started no pod").On("describe", j.Ref))
	did := "failed " + facts.When(j.Failed, u.s.TakenAt)
	if waits {
		f.Since = j.Created
		did = "has not started a pod " + facts.ForSince(j.Created, u.s.TakenAt)
		f.Saw(j.Ref, "status.active", "0")
	} else {
		f.Saw(j.Ref, "status.conditions[Failed].reason", j.Reason)
	}
	f.Message = fmt.Sprintf("the upgrade to %s stopped before it changed anything: its hook, which applies the CRDs, %s; the operator is "+
		"still %s", to, did, u.in.Stated)
	return f, true
}

// repeat adds what to do after a look: run the upgrade again, with what installed the operator.
func (u unfinished) repeat(f *check.Finding, look check.Command) {
	f.Then(look)
	if r := command.InstallerOf(u.in); r.Tool == command.Helm {
		f.Then(command.Do("see which revision failed or is pending; run helm upgrade again, or roll back").
			With("helm history %s -n %s", r.Name, r.Namespace))
	} else if r.GitOps() != "" {
		f.Then(command.Do("see what %s says of its last sync, and sync again", r.GitOps()))
	}
}
