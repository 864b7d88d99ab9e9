package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func leftoverWebhookConfig() check.Check {
	return check.Check{
		ID: "SD7009", Slug: "leftover-webhook-config", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "a webhook configuration that operator 1.x registered itself may stay behind",
		Gate:     check.Gate{Break: operator.Version{Major: 2}},
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.MutatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.ValidatingWebhooks, Role: snapshot.Subject, Scope: snapshot.Everywhere},
		},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			list := facts.WebhookConfigurations(p.Snapshot)
			for i := range list {
				if c := &list[i]; !ByHelm(&c.Object) && madeByLegacy(p.Upgrade.Installation, c) {
					a.Findings = append(a.Findings, outlives(p.Upgrade, c))
				}
			}
			return a
		},
	}
}

// ByHelm reports whether an object is a chart's, so that Helm takes it away again (helm.sh/docs/chart_best_practices/labels).
func ByHelm(o *snapshot.Object) bool { return o.Labels.Get("app.kubernetes.io/managed-by") == "Helm" }

// madeByLegacy reports whether a configuration is what the installation registered at its start; without one, whether any
// operator of 1.x did, by the names and the one path of its webhooks.
func madeByLegacy(in *operator.Installation, c *snapshot.WebhookConfiguration) bool {
	if in != nil && in.Registration(c.Mutating()) != c.Key() {
		return false
	}
	known := operator.ChartWebhooks(operator.Version{Major: 1})[0]
	return slices.ContainsFunc(c.Webhooks, func(w snapshot.Webhook) bool {
		return w.Path == known.Path && strings.HasSuffix(w.Name, "."+snapshot.SparkGroup)
	})
}

// outlives states the finding. With Ignore the operator deletes what it registered when it is stopped in good order; with Fail
// it leaves it, lest pods start unseen (Stop in pkg/webhook/webhook.go@spark-operator-chart-1.4.6). What is left calls a Service
// that is gone, or one of 2.x that serves neither its port nor its path.
func outlives(u *check.Upgrade, c *snapshot.WebhookConfiguration) check.Finding {
	resource, _, _ := strings.Cut(string(snapshot.ViewOf(c.GroupKind())), ".")
	f := check.Finding{
		About: check.Of(c), Severity: check.Info, Certainty: check.Likely, Field: "webhooks",
		Message: fmt.Sprintf(
			"Helm does not own it, so it stays if the operator is killed: %s does not serve its path, and the API server ignores the "+
				"failures", u.To),
		Next: []check.Step{{When: check.After, Do: "delete the configuration of 1.x, if it still exists",
			Command: command.Line("kubectl delete %s %s --ignore-not-found", resource, c.Name)}},
	}
	var refused []string
	for i, w := range c.Webhooks {
		one := facts.Call{Webhook: w, Index: i}
		f.Saw(c.Ref, one.Field("clientConfig.service"), w.Name+": "+one.Address())
		f.Saw(c.Ref, one.Field("failurePolicy"), w.FailurePolicy)
		if w.FailurePolicy == "Fail" {
			refused = append(refused, facts.ResourcesOf(one)...)
		}
	}
	if len(refused) > 0 {
		f.Severity, f.Certainty = check.Error, check.Proven
		f.Message = fmt.Sprintf(
			"the operator leaves it behind, because failurePolicy is Fail; %s does not serve its path: the API server will reject every %s "+
				"it selects", u.To, facts.ListText(refused))
		f.Next[0].Do = "delete the configuration of 1.x at once: until then no pod starts in the namespaces that it selects"
	}
	if u.Installation != nil {
		f.Related = []snapshot.Ref{u.Installation.Controller.Ref}
	} else {
		f.Certainty = check.Likely
	}
	return f
}
