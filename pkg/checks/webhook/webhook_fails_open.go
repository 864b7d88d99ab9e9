package webhook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookFailsOpen() check.Check {
	return check.Check{
		ID: "SD1001", Slug: "webhook-fails-open", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "the operator's webhook is registered with failurePolicy Ignore",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.MutatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.ValidatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		},
		Repairs: []fix.Intent{fix.SetFailurePolicy{Configuration: facts.KindOf(snapshot.MutatingWebhooks)}},
		Relations: check.Relations{Breaks: []check.Part{check.Mutation},
			CausedBy: []check.Cause{{Breaks: check.AdmissionPath, Where: sharesPath, Raise: check.RaiseEffect},
				{Breaks: check.Registration, Where: sharesPath}}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations, logs := facts.Installations().Of(p), p.OperatorLogs()
			list := facts.WebhookConfigurations(p.Snapshot)
			for i := range list {
				if slices.ContainsFunc(list[i].Webhooks, func(w snapshot.Webhook) bool { return operator.OwnsWebhook(installations, w) }) {
					a.Judged++
				}
				f, in, open := failsOpen(installations, &list[i])
				if !open {
					continue
				}
				legacy := strings.HasPrefix(f.Evidence[0].Value, "webhook."+snapshot.SparkGroup+":") // as every 1.x calls it, pkg/webhook/webhook.go
				for k := range installations {
					if in := &installations[k]; in.Webhook != nil && slices.Contains(f.Related, in.Webhook.Ref) {
						f.Evidence = append(f.Evidence, facts.Quote(facts.Refusals(in, logs, list, p.Params))...)
					}
				}
				failClosed(&f, facts.OrOnly(in, installations), legacy)
				a.Findings = append(a.Findings, f)
			}
			return a
		},
	}
}

// failClosed: with Fail every call that fails is a submission that is refused, so whatever fails now is repaired before. Charts of 1.x do
// not pass -webhook-fail-on-error (charts/spark-operator-chart/templates/deployment.yaml@spark-operator-chart-1.4.6).
func failClosed(f *check.Finding, in *operator.Installation, legacy bool) {
	fail := command.Value{Path: "webhook.failurePolicy", To: "Fail"}
	if in != nil {
		legacy = in.Legacy()
	}
	if legacy {
		f.Then(command.Upgrade(in, operator.Version{Major: 2, Minor: 1, Patch: 1}, ": the charts of 1.x cannot set failurePolicy"))
		return
	}
	f.ThenIf(check.Caused, command.Do("then set %s=%s: until then it would stop every submission", fail.Path, fail.To))
	if in == nil {
		f.ThenIf(check.Uncaused, command.Set(in, fail))
		return
	}
	f.ThenIf(check.Uncaused, command.Do("prove that every replica serves a trusted certificate").
		With("kubectl sparkdoctor scan --checks %s --probe", "SD1005"))
	if command.InstallerOf(in).Tool == command.Unknown && len(f.Fixes) > 0 {
		f.ThenRepairIf(check.Uncaused, "set failurePolicy to Fail", "--probe")
	} else {
		f.ThenIf(check.Uncaused, command.Set(in, fail))
	}
}

// failsOpen states one finding a configuration. Only calls that fail fall under the policy: in 2.x an error of the
// mutator itself denies the pod whatever the policy is (internal/webhook/sparkpod_defaulter.go@v2.5.2).
func failsOpen(installations []operator.Installation, c *snapshot.WebhookConfiguration) (f check.Finding, by *operator.Installation,
	open bool) {
	f = check.Finding{About: check.Of(c), Severity: check.Warning}
	var names []string
	home, settable := "", false // namespace of the operator, if it is 2.x: in 1.x the policy is no setting
	for i, w := range c.Webhooks {
		if w.FailurePolicy != "Ignore" || !operator.OwnsWebhook(installations, w) {
			continue
		}
		field := fmt.Sprintf("webhooks[%d].failurePolicy", i)
		if f.Field == "" {
			f.Field = field
		}
		names = append(names, w.Name)
		in := answers(installations, c, w)
		if in != nil && !in.Legacy() {
			home, settable = in.Namespace, true
		}
		if in != nil {
			f.Related = append(f.Related, in.Webhook.Ref)
			by = cmp.Or(by, in)
		}
		f.Saw(c.Ref, field, w.Name+": "+w.FailurePolicy)
	}
	if len(names) == 0 {
		return check.Finding{}, nil, false
	}
	f.Related = slices.Compact(f.Related)
	if c.Mutating() && settable {
		f.Fixes = []fix.Intent{fix.SetFailurePolicy{Configuration: c.Ref, Webhooks: names, Operator: home}}
	}
	f.Message = fmt.Sprintf("failurePolicy is Ignore for %s: when a call fails, pods start without env, volumes and tolerations",
		webhooksInWords(names, len(c.Webhooks)))
	f.Subject, f.Brief = "webhook "+c.Name+" fails open", "when it cannot be called, pods start without env, volumes and tolerations"
	if !c.Mutating() {
		f.Severity, f.Brief = check.Info, "when it cannot be called, invalid objects are accepted"
		f.Message = fmt.Sprintf("failurePolicy is Ignore for %s: when a call fails, invalid objects are accepted",
			webhooksInWords(names, len(c.Webhooks)))
	}
	return f, by, true
}

// answers is the installation that answers a webhook, nil if none was seen.
func answers(installations []operator.Installation, c *snapshot.WebhookConfiguration, w snapshot.Webhook) *operator.Installation {
	for i := range installations {
		if in := &installations[i]; in.Claims(c, w) {
			return in
		}
	}
	return nil
}

// webhooksInWords names one webhook, and counts several: their names are long, and stand in the evidence.
func webhooksInWords(names []string, all int) string {
	switch len(names) {
	case 1:
		return names[0]
	case all:
		return fmt.Sprintf("all %d webhooks", all)
	default:
		return fmt.Sprintf("%d of %d webhooks", len(names), all)
	}
}

// sharesPath reports whether a finding is about the path of a webhook configuration: the configuration itself, or the
// Secret or Deployment behind it. Another configuration may have the same path with other faults.
func sharesPath(open, other *check.Finding) bool {
	if strings.HasSuffix(other.Object.Kind, "WebhookConfiguration") {
		return check.SameObject(open, other)
	}
	own := append([]snapshot.Ref{open.Object}, open.Related...)
	return slices.ContainsFunc(append([]snapshot.Ref{other.Object}, other.Related...), func(r snapshot.Ref) bool {
		return slices.ContainsFunc(own, func(o snapshot.Ref) bool { return o.Key() == r.Key() })
	})
}
