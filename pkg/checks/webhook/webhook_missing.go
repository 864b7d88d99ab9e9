package webhook

import (
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func webhookMissing() check.Check {
	return check.Check{
		ID: "SD1008", Slug: "webhook-missing", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "an operator runs a webhook that is not registered",
		Absence:  true,
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.MutatingWebhooks, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		},
		Repairs:   []fix.Intent{restarts()},
		Relations: check.Relations{Admission: check.LinkRegistration, Breaks: []check.Part{check.Mutation}},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			installations, logs := facts.Installations().Of(p), p.OperatorLogs()
			for i := range installations {
				in := &installations[i]
				a.Judged++
				switch runs := in.Webhook != nil && in.Webhook.Replicas > 0; {
				case registered(installations, in, p.MutatingWebhooks()):
				case runs && !facts.Applied(&in.Webhook.Object):
				case runs && !facts.Young(p.Snapshot, p.Params, in.Webhook.Created, in.Webhook.Changed):
					f := unregistered(in, users(in, list), p.TakenAt)
					f.Evidence = append(f.Evidence, facts.Quote(facts.Signs(in.Logged(logs), nil, snapshot.BundleNotWritten, snapshot.StartFailed))...)
					a.Findings = append(a.Findings, f)
				case runs:
					a.PassOver(1, fmt.Sprintf("%s changed less than %s ago", in.Webhook.Ref, phrase.Span(p.SettleAfter)))
				case in.ScaledUp() && withoutWebhook(installations, in):
					if using := users(in, list); len(using) > 0 {
						a.Findings = append(a.Findings, disabled(in, using))
					}
				}
			}
			return a
		},
	}
}

// registered reports whether a configuration registers the installation's webhook: that of its name, or any that calls it.
// The name that kustomize uses may be any project's (config/webhook/manifests.yaml@v2.5.2), so the webhooks in it count.
func registered(installations []operator.Installation, in *operator.Installation, list []snapshot.WebhookConfiguration) bool {
	return slices.ContainsFunc(list, func(c snapshot.WebhookConfiguration) bool {
		return slices.ContainsFunc(c.Webhooks, func(w snapshot.Webhook) bool {
			return operator.OwnsWebhook(installations, w) && in.Claims(&c, w)
		})
	})
}

// withoutWebhook reports whether nothing near an installation runs its webhook: Deployments that were renamed look like
// two installations.
func withoutWebhook(installations []operator.Installation, in *operator.Installation) bool {
	return !slices.ContainsFunc(installations, func(other operator.Installation) bool {
		return other.Namespace == in.Namespace && other.Webhook != nil && other.Webhook.Replicas > 0
	})
}

// users are the applications of an installation that set what only the webhook puts on pods.
func users(in *operator.Installation, list []*snapshot.SparkApplication) []*snapshot.SparkApplication {
	return slices.DeleteFunc(slices.Clone(list), func(app *snapshot.SparkApplication) bool {
		return len(spark.WebhookFields(app)) == 0 || app.Terminating() || !in.Watches(app.Namespace) || !in.Picks(app.Labels)
	})
}

func unregistered(in *operator.Installation, using []*snapshot.SparkApplication, now time.Time) check.Finding {
	d, want := in.Webhook, in.Registration(true)
	f := check.Finding{
		About: check.Of(d), Severity: check.Error, Certainty: facts.VersionCertainty(in), Identity: check.Identity{What: want.Name},
		Field: "spec.template.spec.containers",
		Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.MutatingWebhooks, Ref: snapshot.Ref{
			APIVersion: "admissionregistration.k8s.io/v1", Kind: want.Kind, Name: want.Name,
		}}}},
		Evidence: []check.Evidence{
			{Object: d.Ref, Field: "version", Value: in.Stated},
			{Object: d.Ref, Field: "configuration", Value: want.Name},
			{Object: d.Ref, Field: "status.readyReplicas", Value: fmt.Sprintf("%d of %d", d.Ready, d.Replicas)},
		},
	}
	f.Message = fmt.Sprintf("operator %s runs its webhook, but MutatingWebhookConfiguration %s does not exist: pods start without env, "+
		"volumes and tolerations", in.Stated, want.Name)
	if in.Legacy() {
		f.ThenRepair("restart the operator: it registers its webhook when it starts")
		f.Fixes = []fix.Intent{restart(in, now)} // it registers itself at start (pkg/webhook/webhook.go@chart-1.4.6)
	} else {
		f.Then(command.Again(in, "MutatingWebhookConfiguration "+want.Name))
	}
	facts.NameUsers(&f, using)
	return f
}

// disabled is no fault: somebody chose it. Applications that need the webhook all the same are worth knowing.
func disabled(in *operator.Installation, using []*snapshot.SparkApplication) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Info, Certainty: facts.VersionCertainty(in), Identity: check.Identity{Kind: "disabled"},
		Evidence: []check.Evidence{{Object: d.Ref, Field: "version", Value: in.Stated}},
	}
	if in.Narrowed() {
		f.Certainty = check.Likely
	}
	f.Then(command.EnableWebhook(in))
	f.Message = fmt.Sprintf("operator %s runs without its webhook", in.Stated)
	facts.NameUsers(&f, using)
	return f
}
