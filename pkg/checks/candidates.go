package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Candidates returns the intents of a finding, each with what stands in its way according to the results of all checks.
func Candidates(s *snapshot.Snapshot, results []check.Result, f *check.Reported) []plan.Candidate {
	out := make([]plan.Candidate, 0, len(f.Fixes))
	for i, intent := range f.Fixes {
		if policy, ok := intent.(fix.SetFailurePolicy); ok {
			policy.Unproven = unproven(s, results, policy.Configuration)
			intent = policy
		}
		c := plan.Candidate{Finding: Planned(f), Intent: intent, Obstacles: obstacles(s, results, intent)}
		if len(c.Obstacles) == 0 && i < len(f.Barred) { // the repair of an obstacle may be planned, too
			c.Barred = f.Barred[i]
		}
		out = append(out, c)
	}
	return out
}

// Planned is a finding as plans and records name it.
func Planned(f *check.Reported) plan.Finding {
	return plan.Finding{Name: f.Fingerprint(), Check: f.Check, Object: f.Object, Severity: f.Severity.String(), Message: f.Message}
}

// AdmissionChecks are those that say whether a write to a Spark object can pass the operator's webhooks.
func AdmissionChecks() []string {
	var ids []string
	for _, c := range All() {
		if c.BreaksWrites() {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// obstacles are the faults of the webhooks that must admit an intent's write and refuse it while they fail: an update of
// the main resource of a Spark object (charts/spark-operator-chart/templates/webhook@v2.5.2). Proven on 2.5.1: with the
// webhook down and Fail it is refused.
func obstacles(s *snapshot.Snapshot, results []check.Result, intent fix.Intent) []plan.Obstacle {
	target := fix.TraitsOf(intent).Target
	_, status := intent.(fix.PruneExecutorState)
	_, deletes := intent.(fix.DeleteObject) // the webhooks take creations and updates only
	if status || deletes || target.Group() != snapshot.SparkGroup {
		return nil
	}
	var out []plan.Obstacle
	installations := operator.Find(s.Deployments())
	for _, list := range [][]snapshot.WebhookConfiguration{s.MutatingWebhooks(), s.ValidatingWebhooks()} {
		for i := range list {
			c := &list[i]
			if !mustAdmit(installations, c, target) {
				continue
			}
			for _, f := range faultsOf(results, installations, c) {
				if !slices.ContainsFunc(out, func(o plan.Obstacle) bool { return o.Name == f.Fingerprint() }) {
					out = append(out, plan.Obstacle{Finding: Planned(f), Choose: choose(f)})
				}
			}
		}
	}
	return out
}

// choose is what has a finding repaired along with others: its check, and the risk that its repair takes.
func choose(f *check.Reported) string {
	if len(f.Fixes) == 0 {
		return ""
	}
	risk := fix.Safe
	for _, intent := range f.Fixes {
		risk = max(risk, fix.TraitsOf(intent).Risk)
	}
	return f.Check + " --max-risk " + risk.String()
}

func mustAdmit(installations []operator.Installation, c *snapshot.WebhookConfiguration, target snapshot.Ref) bool {
	object := &snapshot.Object{Ref: target}
	return slices.ContainsFunc(c.Webhooks, func(w snapshot.Webhook) bool {
		selected, known := w.Selects(target.Namespace, nil)
		mayCall := w.Intercepts("UPDATE", object) && (selected || !known)
		return w.FailurePolicy == "Fail" && operator.OwnsWebhook(installations, w) && mayCall
	})
}

// faultsOf are the errors of the path of a configuration: of itself, or of the Deployment or Secret behind it.
func faultsOf(results []check.Result, installations []operator.Installation, c *snapshot.WebhookConfiguration) []*check.Reported {
	behind := map[snapshot.Key]bool{c.Key(): true}
	for i := range installations {
		if in := &installations[i]; in.Webhook != nil && slices.ContainsFunc(c.Webhooks, func(w snapshot.Webhook) bool {
			return in.Claims(c, w)
		}) {
			behind[in.Webhook.Key()], behind[in.WebhookSecret()] = true, true
		}
	}
	var out []*check.Reported
	for _, r := range results {
		if !r.Check.BreaksWrites() {
			continue
		}
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Severity == check.Error && behind[f.Object.Key()] {
				out = append(out, f)
			}
		}
	}
	return out
}

// unproven returns why the path of a configuration is not proven to be healthy: a fault, a check that could not look, or a
// replica that was not greeted.
func unproven(s *snapshot.Snapshot, results []check.Result, configuration snapshot.Ref) string {
	installations := operator.Find(s.Deployments())
	list := s.MutatingWebhooks()
	i := slices.IndexFunc(list, func(c snapshot.WebhookConfiguration) bool { return c.Key() == configuration.Key() })
	if i < 0 {
		return "the configuration was not seen"
	}
	c := &list[i]
	if s.Files && len(s.ServedCertificates()) == 0 {
		return "files do not tell which certificate its replicas serve, and --probe needs a cluster"
	}
	if faults := faultsOf(results, installations, c); len(faults) > 0 {
		return faults[0].Check + ": " + faults[0].Message
	}
	for _, id := range AdmissionChecks() {
		at := slices.IndexFunc(results, func(r check.Result) bool { return r.Check.ID == id })
		if at < 0 || results[at].Status == check.Skipped || results[at].Partial {
			return id + " could not read everything"
		}
	}
	for i := range installations {
		in := &installations[i]
		if in.Webhook == nil || !slices.ContainsFunc(c.Webhooks, func(w snapshot.Webhook) bool { return in.Claims(c, w) }) {
			continue
		}
		return ungreeted(s, in, c)
	}
	return "no operator was seen that answers it"
}

// ungreeted returns which replica was not seen to serve a certificate that the caBundles trust.
func ungreeted(s *snapshot.Snapshot, in *operator.Installation, c *snapshot.WebhookConfiguration) string {
	pods := in.WebhookPods(s.OperatorPods())
	if len(pods) == 0 {
		return "no ready replica of the webhook was seen"
	}
	served := s.ServedCertificates()
	for _, p := range pods {
		at := slices.IndexFunc(served, func(one snapshot.ServedCertificate) bool { return one.Key() == p.Key() && len(one.Chain.DER) > 0 })
		if at < 0 {
			return "pod " + p.Name + " was not asked which certificate it serves"
		}
		for _, w := range c.Webhooks {
			if !in.Calls(w) {
				continue
			}
			if err := facts.Distrust(w.CABundle, served[at].Chain.Certificates(), operator.ServerName(w.Service), s.TakenAt); err != nil {
				return "pod " + p.Name + " serves a certificate that caBundle does not trust: " + facts.WhyDistrusted(err)
			}
		}
	}
	return ""
}
