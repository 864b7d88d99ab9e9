package webhook

import (
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookCAMismatch() check.Check {
	return check.Check{
		ID: "SD1003", Slug: "webhook-ca-mismatch", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the caBundle of a webhook is empty or does not trust the certificate of the webhook's Secret",
		Unscoped: true,
		Needs: append(admissionNeeds(snapshot.Subject),
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.WebhookSecrets, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.OperatorPods, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.ServedCertificates, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		),
		Repairs: []fix.Intent{
			fix.ReassertBundle{Configuration: facts.KindOf(snapshot.MutatingWebhooks), Fallback: restarts()},
			fix.ReassertBundle{Configuration: facts.KindOf(snapshot.ValidatingWebhooks), Fallback: restarts()},
			fix.PatchBundle{Configuration: facts.KindOf(snapshot.MutatingWebhooks), Secret: facts.KindOf(snapshot.WebhookSecrets)},
			fix.PatchBundle{Configuration: facts.KindOf(snapshot.ValidatingWebhooks), Secret: facts.KindOf(snapshot.WebhookSecrets)},
		},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.CertificateData, Where: check.SameObject, Raise: check.RaiseCause}},
			Admission: check.LinkCertificate, Breaks: []check.Part{check.AdmissionPath}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations := facts.Installations().Of(p)
			configurations := slices.Concat(p.MutatingWebhooks(), p.ValidatingWebhooks())
			secrets := p.WebhookSecrets()
			pods := p.OperatorPods()
			served := p.ServedCertificates()
			logs := p.OperatorLogs()
			for i := range installations {
				in := &installations[i]
				j := bundleJudge{in: in, use: in.CertificateUse(), secret: secretOf(in, secrets), pods: in.WebhookPods(pods), served: served,
					now: p.TakenAt, settle: p.NewAfter}
				if j.unseen = "was not seen"; !p.Files && p.Covers(snapshot.WebhookSecrets, in.WebhookSecret().Namespace) {
					j.unseen = "does not exist"
				}
				j.refused = facts.Refusals(in, logs, configurations, p.Params)
				j.unwritten = facts.Signs(in.Logged(logs), nil, snapshot.BundleNotWritten)
				for k := range configurations {
					if !facts.Applied(&configurations[k].Object) {
						continue // the chart renders no caBundle: the webhook or cert-manager fills it in the cluster
					}
					if f, wrong := j.mismatch(&configurations[k]); wrong {
						a.Findings = append(a.Findings, f)
					}
				}
				a.Judged += j.judged
				a.Unjudged = append(a.Unjudged, j.unjudged...)
			}
			a.Unjudged = facts.UnjudgedBundles(a.Unjudged)
			return a
		},
	}
}

// bundleJudge compares the caBundles of configurations with the certificate of one installation.
type bundleJudge struct {
	in       *operator.Installation
	use      operator.CertificateUse
	secret   *snapshot.WebhookSecret // nil: not seen
	pods     []*snapshot.OperatorPod
	served   []snapshot.ServedCertificate
	now      time.Time
	settle   time.Duration // how long a webhook that has just started may take to write its CA
	judged   int           // caBundles
	unjudged []string

	refused, unwritten []facts.Logged
	unseen             string // what is known of a Secret that was not seen
}

// mismatch states one finding a configuration, with all its webhooks that are wrong as evidence.
func (j *bundleJudge) mismatch(c *snapshot.WebhookConfiguration) (check.Finding, bool) {
	f := check.Finding{About: check.Of(c), Severity: check.Error, Certainty: check.Likely}
	wrong := map[string][]string{} // by reason: the names of webhooks
	var reasons []string
	for _, i := range facts.CallsOf(j.in, c) {
		w := c.Webhooks[i]
		before := len(j.unjudged)
		reason, certainty := j.wrong(c, w.CABundle)
		if len(j.unjudged) == before {
			j.judged++
		}
		if reason == "" {
			continue
		}
		if f.Field == "" {
			f.Field = bundleField(i)
		}
		if wrong[reason] == nil {
			reasons = append(reasons, reason)
		}
		wrong[reason] = append(wrong[reason], w.Name)
		f.Certainty = min(f.Certainty, certainty)
		f.Saw(c.Ref, bundleField(i), w.Name+": "+describeAll(w.CABundle.Certificates()))
	}
	if len(reasons) == 0 {
		return check.Finding{}, false
	}
	texts := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		texts = append(texts, fmt.Sprintf("caBundle %s (%s)", reason, strings.Join(wrong[reason], ", ")))
	}
	f.Message = strings.Join(texts, "; ") + ": webhook calls fail"
	f.Subject, f.Brief = "webhook "+c.Name+" cannot be called", "its caBundle "+reasons[0]
	f.Fixes = j.healBundle(c, slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Values(wrong))...))))
	j.mend(&f)
	if len(j.refused) > 0 && len(j.served) == 0 {
		f.Certainty = check.Proven // clients did refuse what is served, under this caBundle; what replicas answered tells more
	}
	f.Evidence = append(f.Evidence, facts.Quote(append(j.refused[:len(j.refused):len(j.refused)], j.unwritten...))...)
	f.Related = []snapshot.Ref{j.in.Webhook.Ref}
	if j.secret != nil {
		f.Related = append(f.Related, j.secret.Ref)
		if chain := servedFrom(j.use, j.use.Pair(j.secret)); len(chain) > 0 {
			f.Saw(j.secret.Ref, "data."+keysOf(j.use).server, facts.DescribeCertificate(chain[0]))
		}
	}
	return f, true
}

// mend is what to do where a release does not write its CA again by itself.
func (j *bundleJudge) mend(f *check.Finding) {
	switch {
	case len(f.Fixes) > 0:
		f.ThenRepair("write the webhook's CA into caBundle again")
	case j.use == operator.FromCertManager:
		f.Then(command.Do("check the source of caBundle that cainjector reads, and whether it is ready").On("get", f.Object, "-o yaml"))
	case j.use == operator.OnePerReplica:
		f.Then(oneReplica(j.in)...)
		f.Then(command.Restart("restart the operator: it writes its CA when it starts", j.in.Webhook.Ref))
	default:
		f.Then(command.Again(j.in, "the webhook's Secret and caBundle"))
	}
}

// oneReplica is what helps where each replica makes a certificate of its own.
func oneReplica(in *operator.Installation) []check.Command {
	if in.Webhook.Replicas < 2 {
		return nil
	}
	return []check.Command{command.Set(in, command.Replicas(in, true, "1"))}
}

// wrong returns why a caBundle is, or nothing.
func (j *bundleJudge) wrong(c *snapshot.WebhookConfiguration, bundle snapshot.Bundle) (string, check.Certainty) {
	if bundle.IsUnread() {
		j.say("a caBundle of %s is no base64 here", c.Ref)
		return "", check.Proven
	}
	if len(bundle.DER) == 0 {
		return j.nothingIn(c, bundle)
	}
	if j.use == operator.OnePerReplica && j.replicas() < 2 {
		return "", check.Proven // its Secret proves nothing of what it serves
	}
	if j.secret == nil && j.in.WebhookSecret().Name == "" {
		j.say("the installation in namespace %s names no Secret", j.in.Namespace)
		return "", check.Proven
	}
	if j.secret == nil {
		j.say("Secret %s/%s %s", j.in.WebhookSecret().Namespace, j.in.WebhookSecret().Name, j.unseen)
		return "", check.Proven
	}
	chain := servedFrom(j.use, j.use.Pair(j.secret))
	if len(chain) == 0 || chain[0].VerifyHostname(j.name()) != nil {
		return "", check.Proven // SD1004 says what is wrong with the certificate itself
	}
	// So it does when the time is out: the leaf is judged within its own.
	now := j.now
	if leaf := chain[0]; now.After(leaf.NotAfter) {
		now = leaf.NotAfter
	} else if now.Before(leaf.NotBefore) {
		now = leaf.NotBefore
	}
	err := facts.Distrust(bundle, chain, j.name(), now)
	switch {
	case err == nil:
		return "", check.Proven
	case bundle.Truncated:
		j.say("a caBundle of %s %s", c.Ref, bundle.Problem)
		return "", check.Proven
	case chain[0].NotBefore.After(j.now.Add(-j.settle)):
		j.say("the certificate in %s was made %s ago", j.secret.Ref, phrase.Span(j.now.Sub(chain[0].NotBefore)))
		return "", check.Proven
	}
	reason := fmt.Sprintf("does not trust the server certificate of %s for %s, %s", j.secret.Ref, j.name(), facts.WhyDistrusted(err))
	if j.use == operator.OnePerReplica {
		return reason + ", while each of the replicas serves one of its own", check.Likely
	}
	if j.use.ReadsOnce() && !slices.ContainsFunc(j.pods, func(p *snapshot.OperatorPod) bool { return j.serves(p, chain[0]) }) {
		return reason + ", which no ready replica is known to serve", check.Likely
	}
	return reason, certaintyFor(j.in)
}

// nothingIn judges a caBundle without certificates. A fresh configuration is filled by the webhook when it leads, or
// by cainjector.
func (j *bundleJudge) nothingIn(c *snapshot.WebhookConfiguration, bundle snapshot.Bundle) (string, check.Certainty) {
	switch {
	case c.Created.After(j.now.Add(-j.settle)):
		j.say("%s is %s old and its caBundle is empty", c.Ref, phrase.Span(j.now.Sub(c.Created)))
		return "", check.Proven
	case !bundle.Empty():
		return bundle.Problem, certaintyFor(j.in)
	case c.InjectedFrom != "":
		return "is empty, though cainjector should fill it from " + c.InjectedFrom, certaintyFor(j.in)
	default:
		return "is empty", certaintyFor(j.in)
	}
}

func (j *bundleJudge) name() string { return operator.ServerName(j.in.WebhookService()) }

// replicas is how many replicas answer, as far as is known.
func (j *bundleJudge) replicas() int { return max(len(j.pods), int(j.in.Webhook.Ready)) }

func (j *bundleJudge) say(format string, args ...any) {
	j.unjudged = append(j.unjudged, fmt.Sprintf(format, args...)+", so its caBundle is not judged")
}

// serves reports whether a replica is known to serve the Secret's certificate: it was asked, or it started when that
// was there, or shortly before, as the replica does that makes one.
func (j *bundleJudge) serves(p *snapshot.OperatorPod, c *x509.Certificate) bool {
	for _, s := range j.served {
		if s.Key() == p.Key() && len(s.Chain.DER) > 0 {
			return slices.Equal(s.Chain.DER[0], c.Raw)
		}
	}
	run, known := j.in.WebhookRun(p)
	return known && !c.NotBefore.After(run.Started.Add(makingTime))
}

// healBundle is the intent for a caBundle that is wrong, by how the release fills it.
func (j *bundleJudge) healBundle(c *snapshot.WebhookConfiguration, wrong []string) []fix.Intent {
	switch j.use {
	case operator.ReadAtStart, operator.CheckedAtStart:
		return []fix.Intent{fix.ReassertBundle{Configuration: c.Ref, At: j.now, Fallback: restart(j.in, j.now)}}
	case operator.MountedFiles:
		if j.secret == nil || slices.Contains(j.use.Pair(j.secret).Empty, "ca-cert.pem") {
			return nil
		}
		return []fix.Intent{fix.PatchBundle{Configuration: c.Ref, Webhooks: wrong, Secret: j.secret.Ref, Key: "ca-cert.pem"}}
	default:
		return nil // cert-manager fills it, or every replica has a CA of its own
	}
}
