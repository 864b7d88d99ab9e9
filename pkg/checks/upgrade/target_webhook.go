package upgrade

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func targetWebhook() check.Check {
	return check.Check{
		ID: "SD7019", Slug: "target-webhook", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "the target's manifests remove the webhook, make it fail open, or exclude pods that it sees today",
		Unscoped: true,
		Gate:     check.Gate{OfManifests: true},
		Needs: slices.Concat([]snapshot.Need{
			{View: snapshot.MutatingWebhooks, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkPods, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		}, facts.Consulted(RunsNeeds(snapshot.Everywhere))),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers()), check.As(snapshot.Consulted, facts.Covered())},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := Runs(p.Snapshot)
			unseen := runsUnseen(p.Snapshot)
			a := check.Answer{Judged: 1, Unjudged: append(unjudged, unseen...)} // the webhook to come
			u, mine := p.Upgrade, upgraded(p)
			var apps []*snapshot.SparkApplication
			for _, app := range list {
				if mine(app.Namespace) && !app.Terminating() && !app.Ended() {
					apps = append(apps, app)
				}
			}
			in := u.Incoming()
			if in.Webhook == nil {
				if f, uses := webhookSwitchedOff(u, apps, len(unseen) > 0); uses {
					a.Findings = append(a.Findings, f)
				}
				return a
			}
			now := facts.Covered().Of(p)
			then := now.After(u.Target)
			if f, opens := policyOpens(u, now, then); opens {
				a.Findings = append(a.Findings, f)
			}
			a.Findings = append(a.Findings, losesCoverage(u, now, then, apps)...)
			return a
		},
	}
}

// webhookSwitchedOff is an error only where something is transported by the webhook alone, and is so far. Without applications to ask it
// may be one.
func webhookSwitchedOff(u *check.Upgrade, apps []*snapshot.SparkApplication, unseen bool) (check.Finding, bool) {
	f := check.Finding{
		About: check.Named(ReleaseRef(u)), Severity: check.Error, Identity: check.Identity{Kind: "off"},
		Message:  fmt.Sprintf("the manifests of %s have no webhook", u.To),
		Evidence: []check.Evidence{{Object: ReleaseRef(u), Field: "Deployment of the webhook in the manifests", Value: "none"}},
		Next:     []check.Step{{When: check.Before, Do: "set webhook.enable=true in the values"}},
	}
	using := slices.DeleteFunc(slices.Clone(apps), func(app *snapshot.SparkApplication) bool { return len(spark.WebhookFields(app)) == 0 })
	facts.NameUsers(&f, using)
	was := u.Installation == nil || u.Installation.Webhook != nil
	if unseen {
		f.Severity, f.Certainty = check.Warning, check.Likely
		f.Message += "; applications that need it, which the input does not hold, will start pods without env, volumes and tolerations"
	}
	return f, was && (len(using) > 0 || unseen)
}

// policyOpens compares the policies for pods, where a webhook for them is registered now.
func policyOpens(u *check.Upgrade, now, then *facts.WebhookCoverage) (check.Finding, bool) {
	open := func(one facts.PodWebhook) bool { return one.FailurePolicy == "Ignore" }
	i := slices.IndexFunc(then.Webhooks, open)
	if i < 0 || len(now.Webhooks) == 0 || slices.ContainsFunc(now.Webhooks, open) {
		return check.Finding{}, false
	}
	one := then.Webhooks[i]
	return check.Finding{
		About: check.Named(ReleaseRef(u)), Severity: check.Warning, Identity: check.Identity{Kind: "policy"},
		Message: fmt.Sprintf(
			"the manifests of %s set failurePolicy Ignore for pods (now %s): while the webhook is down, pods will start without env, volumes and "+
				"tolerations", u.To,
			now.Webhooks[0].FailurePolicy),
		Evidence: []check.Evidence{{Object: ReleaseRef(u), Field: fmt.Sprintf("failurePolicy of %s in the manifests", one.Name),
			Value: one.FailurePolicy}},
		Next: []check.Step{{When: check.Before, Do: "set webhook.failurePolicy=Fail in the values"}},
	}, true
}

// losesCoverage finds namespaces that the controller to come takes and its webhook does not, and that are seen now.
func losesCoverage(u *check.Upgrade, now, then *facts.WebhookCoverage, apps []*snapshot.SparkApplication) []check.Finding {
	byNamespace := map[string][]*snapshot.SparkApplication{}
	for _, app := range apps {
		byNamespace[app.Namespace] = append(byNamespace[app.Namespace], app)
	}
	var out []check.Finding
	for _, name := range slices.Sorted(maps.Keys(byNamespace)) {
		if _, before := now.Judge(name, byNamespace[name]); before == facts.Skips {
			continue // SD1007's
		}
		f, after := then.Judge(name, byNamespace[name])
		if after != facts.Skips {
			continue
		}
		f.Kind = "sight"
		f.Message = fmt.Sprintf("with the manifests of %s, ", u.To) + f.Message
		f.Next = []check.Step{{When: check.Before, Do: "make the webhook's selector and --namespaces cover namespace " + name +
			" (spark.jobNamespaces in the values)"}}
		out = append(out, f)
	}
	return out
}
