package webhook

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookStaleConfig() check.Check {
	return check.Check{
		ID: "SD1009", Slug: "webhook-stale-config", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "a webhook configuration of the operator is left over from an installation that is gone",
		Absence:  true,
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.MutatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.ValidatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.WebhookServices, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		},
		Repairs: []fix.Intent{
			fix.DeleteObject{Object: facts.KindOf(snapshot.MutatingWebhooks), Absent: []snapshot.Ref{facts.KindOf(snapshot.WebhookServices)}},
			fix.DeleteObject{Object: facts.KindOf(snapshot.ValidatingWebhooks), Absent: []snapshot.Ref{facts.KindOf(snapshot.WebhookServices)}},
		},
		Relations: check.Relations{Breaks: []check.Part{check.Registration}},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			path, logs := newWebhookPath(p), p.OperatorLogs()
			list := facts.WebhookConfigurations(p.Snapshot)
			for i := range list {
				c := &list[i]
				for _, one := range path.calls(c) {
					if key := one.Service; one.In == nil && path.services[key] == nil && !path.servicesSeen(key.Namespace) {
						a.Unjudged = append(a.Unjudged, fmt.Sprintf("Service %s/%s was not seen", key.Namespace, key.Name))
						continue
					}
					a.Judged++
				}
				if !facts.Applied(&c.Object) || facts.Young(p.Snapshot, p.Params, c.Created) {
					continue // charts make the webhook's Service and Deployment around the same time
				}
				if f, names := path.stale(c); len(names) > 0 {
					f.Evidence = append(f.Evidence, facts.QuoteCalls(logs, c.Created, names...)...)
					a.Findings = append(a.Findings, f)
				}
			}
			a.Unjudged = facts.UnjudgedBundles(a.Unjudged)
			return a
		},
	}
}

// stale states one finding a configuration, and names the webhooks that are left over. Helm deletes what the chart of 2.x made, but
// the configuration of 1.x is made by the operator at run time and stays if it was not stopped in good order (#2524;
// pkg/webhook/webhook.go@spark-operator-chart-1.4.6).
func (p *webhookPath) stale(c *snapshot.WebhookConfiguration) (check.Finding, []string) {
	f := check.Finding{About: check.Of(c)}
	var left []facts.Call
	var names []string
	why := ""
	for _, one := range p.calls(c) {
		reason := p.leftover(one)
		if reason == "" {
			continue
		}
		left, names = append(left, one), append(names, one.Name)
		f.Saw(c.Ref, one.Field("clientConfig.service"), one.Name+": "+one.Address())
		f.Saw(c.Ref, one.Field("failurePolicy"), one.FailurePolicy)
		if why == "" {
			why = fmt.Sprintf("Service %s/%s, %s", one.Service.Namespace, one.Service.Name, reason)
			f.Field = one.Field("clientConfig.service")
		}
		service := snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: one.Service.Namespace, Name: one.Service.Name}
		if p.services[one.Service] == nil {
			f.Absent = append(f.Absent, check.Absent{View: snapshot.WebhookServices, Ref: service})
		} else {
			f.Related = append(f.Related, service)
			f.Evidence = append(f.Evidence, p.serving(one)...)
			f.Certainty = max(f.Certainty, p.certaintyOf(one))
		}
	}
	if len(left) == 0 {
		return check.Finding{}, nil
	}
	f.Severity = check.Warning
	means := "its calls fail and are ignored"
	if slices.ContainsFunc(left, func(one facts.Call) bool { return one.FailurePolicy != "Ignore" }) {
		f.Severity = check.Error
		means, _ = failedCalls(c, left)
	}
	if len(left) == len(c.Webhooks) {
		f.Fixes = []fix.Intent{leftoverConfiguration(c, f.Absent)}
		f.ThenRepair("delete the configuration: nothing serves its calls")
	} else {
		f.Then(command.Do("remove the entries of webhooks from it that no operator answers").On("edit", c.Ref))
	}
	f.Message = fmt.Sprintf("no operator claims this configuration: %s calls %s; %s", facts.ListText(names), why, means)
	return f, names
}

// leftoverConfiguration is the intent to delete a configuration while it calls what it did, and what it calls is not there.
func leftoverConfiguration(c *snapshot.WebhookConfiguration, absent []check.Absent) fix.Intent {
	d := fix.DeleteObject{Object: c.Ref, Why: "no operator claims it", Turn: fix.Webhook, Services: []string{}}
	for _, w := range c.Webhooks {
		d.Services = append(d.Services, w.Service.Namespace+"/"+w.Service.Name)
	}
	slices.Sort(d.Services)
	d.Services = slices.Compact(d.Services)
	for _, a := range absent {
		if !slices.Contains(d.Absent, a.Ref) {
			d.Absent = append(d.Absent, a.Ref)
		}
	}
	return d
}

// serving is who stands behind the Service now.
func (p *webhookPath) serving(c facts.Call) []check.Evidence {
	for i := range p.installations {
		if in := &p.installations[i]; in.WebhookService() == c.Service {
			return []check.Evidence{{Object: in.Webhook.Ref, Field: "version", Value: in.Stated}}
		}
	}
	return nil
}

// certaintyOf is likely where a build that is no known release stands behind the Service: what it serves is assumed.
func (p *webhookPath) certaintyOf(c facts.Call) check.Certainty {
	for i := range p.installations {
		if in := &p.installations[i]; in.WebhookService() == c.Service && !in.Recognised {
			return check.Likely
		}
	}
	return check.Proven
}
