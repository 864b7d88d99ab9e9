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
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func webhookReplicasDiverge() check.Check {
	return check.Check{
		ID: "SD1005", Slug: "webhook-replicas-diverge", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "replicas of the webhook serve certificates that its caBundle does not trust",
		Unscoped: true,
		Needs: append([]snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.OperatorPods, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.WebhookSecrets, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.ServedCertificates, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			facts.LogNeed(),
		}, admissionNeeds(snapshot.Consulted)...),
		Repairs:   []fix.Intent{restarts()},
		Relations: check.Relations{Admission: check.LinkCertificate, Breaks: []check.Part{check.AdmissionPath}},
		Requires:  []check.Requirement{facts.Installations()},
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
				if in.Webhook == nil {
					continue
				}
				j := replicaJudge{in: in, use: in.CertificateUse(), pods: in.WebhookPods(pods), now: p.TakenAt}
				j.trust, j.refused = bundlesFor(in, configurations), facts.Refusals(in, logs, configurations, p.Params)
				j.read = in.Logged(logs)
				if secret := secretOf(in, secrets); secret != nil {
					j.secret, j.pair = secret, j.use.Pair(secret)
				}
				silent := j.ask(served)
				found := j.served()
				if len(j.replicas) == 0 || len(silent) > 0 {
					suspects := j.suspect(silent, p.Covers(snapshot.OperatorPods, in.Webhook.Namespace))
					if !slices.ContainsFunc(suspects, func(f check.Finding) bool { return f.Certainty == check.Proven }) {
						suspects = append(j.refusedAlone(silent), suspects...) // dates alone may point at another
					}
					found = append(found, suspects...)
				}
				for k := range found {
					j.unite(&found[k])
				}
				a.Findings = append(a.Findings, found...)
				if len(j.unjudged) == 0 {
					a.Judged++
				}
				a.Unjudged = append(a.Unjudged, j.unjudged...)
			}
			a.Findings = once(a.Findings)
			a.Unjudged = facts.UnjudgedBundles(a.Unjudged)
			return a
		},
	}
}

// replicaJudge compares what the replicas of one installation serve, or must be thought to serve.
type replicaJudge struct {
	in       *operator.Installation
	use      operator.CertificateUse
	secret   *snapshot.WebhookSecret // nil: not seen
	pair     *snapshot.Pair
	pods     []*snapshot.OperatorPod
	trust    []trusting
	replicas []replica // that were asked
	now      time.Time
	unjudged []string

	refused []facts.Logged          // handshakes that clients ended because of the certificate
	read    []*snapshot.OperatorLog // logs of the installation
}

func (j *replicaJudge) finding(severity check.Severity, certainty check.Certainty, message string) check.Finding {
	d := j.in.Webhook
	return check.Finding{
		About: check.Of(d), Severity: severity, Certainty: certainty,
		Field: "spec.template", Message: message, Fixes: j.heal(),
	}
}

// unite has all replicas serve one certificate.
func (j *replicaJudge) unite(f *check.Finding) {
	if j.use == operator.OnePerReplica {
		f.Then(oneReplica(j.in)...)
		return
	}
	if f.Certainty == check.Likely {
		f.Then(command.Do("prove it: compare the certificate that each replica serves").
			With("kubectl sparkdoctor scan --checks %s --probe", "SD1005"))
	}
	if len(f.Fixes) == 0 {
		f.Then(command.Restart("restart all replicas of the webhook together", f.Object))
	} else {
		f.ThenRepair("restart all replicas of the webhook together")
	}
}

// heal is a restart of all replicas, where they then read one certificate.
func (j *replicaJudge) heal() []fix.Intent {
	if j.in.Legacy() || !j.use.ReadsOnce() {
		return nil
	}
	return []fix.Intent{restart(j.in, j.now)}
}

// suspect judges the replicas that were not asked by when they started and by how their release makes certificates.
func (j *replicaJudge) suspect(silent []*snapshot.OperatorPod, podsSeen bool) []check.Finding {
	if j.use == operator.OnePerReplica {
		return j.onePerReplica(podsSeen)
	}
	switch key := j.in.WebhookSecret(); {
	case !j.use.ReadsOnce():
		return nil // replicas that re-read files agree
	case j.pair == nil && key.Name == "":
		j.unjudged = append(j.unjudged, fmt.Sprintf("the installation in namespace %s names no Secret, "+
			"so what replicas serve is not judged by it", j.in.Namespace))
		return nil
	case j.pair == nil:
		j.unjudged = append(j.unjudged, fmt.Sprintf("Secret %s/%s was not seen, so what replicas serve is not judged by it",
			key.Namespace, key.Name))
		return nil
	case len(j.pods) == 0 && j.in.Webhook.Ready > 0 && !podsSeen:
		j.unjudged = append(j.unjudged, fmt.Sprintf("no ready pod of %s was seen, so when its replicas started is not known", j.in.Webhook.Ref))
		return nil
	}
	chain := servedFrom(j.use, j.pair)
	if len(chain) == 0 {
		return nil
	}
	leaf := chain[0]
	f := j.finding(check.Error, check.Likely, "")
	unchanged := len(j.pair.CA.DER) > 0 && !slices.Equal(j.pair.CA.DER[0], leaf.Raw)
	var names []string
	for _, p := range silent {
		if !predates(j.in, p, leaf) {
			continue
		}
		run, _ := j.in.WebhookRun(p)
		names = append(names, p.Name)
		f.Related = append(f.Related, p.Ref)
		f.Saw(p.Ref, "status.containerStatuses[name="+run.Name+
			"].state.running.startedAt", facts.Timestamp(run.Started))
		if unchanged {
			unchanged = !j.pair.CA.Certificates()[0].NotBefore.After(run.Started)
		}
	}
	if len(names) == 0 {
		return nil
	}
	f.Saw(j.secret.Ref, "data."+keysOf(j.use).server, facts.DescribeCertificate(leaf))
	j.prove(&f, names)
	f.Related = append(f.Related, j.secret.Ref)
	f.Message = fmt.Sprintf(
		"%d of %d ready webhook replicas started before the certificate in %[4]s was generated %[5]s, and serve an older one (%[3]s)",
		len(names), len(j.pods), shortList(names), j.secret.Ref, facts.When(leaf.NotBefore, j.now))
	f.Since = leaf.NotBefore
	f.Brief = fmt.Sprintf("%d of %d ready replicas serve an older certificate than that in %s", len(names), len(j.pods), j.secret.Ref)
	if unchanged {
		f.Severity, f.What = facts.InTime(check.Warning, leaf.NotAfter.Sub(j.now)), olderLeaf
		f.Message += fmt.Sprintf(" under the same CA: restart them before it expires %s", facts.When(leaf.NotAfter, j.now))
	}
	return []check.Finding{f}
}

// onePerReplica needs no certificate to be seen: in chart 1.4.x no two replicas have the same, and caBundle holds that
// of the replica which started last (pkg/webhook/certs.go, pkg/webhook/webhook.go@chart-1.4.6; #2082, #2031).
func (j *replicaJudge) onePerReplica(podsSeen bool) []check.Finding {
	ready := int(j.in.Webhook.Ready)
	if podsSeen {
		ready = len(j.pods)
	}
	if ready < 2 {
		return nil
	}
	f := j.finding(check.Error, check.Likely,
		fmt.Sprintf(
			"each of the %d ready replicas of operator %s generates its own certificate, and caBundle trusts only that of the last one to start",
			ready, j.in.Stated))
	f.Field = "spec.replicas"
	f.Evidence = []check.Evidence{{Object: f.Object, Field: "status.readyReplicas", Value: fmt.Sprint(ready)},
		{Object: f.Object, Field: "version", Value: j.in.Stated}}
	var names []string
	for _, p := range j.pods {
		f.Related = append(f.Related, p.Ref)
		names = append(names, p.Name)
	}
	j.prove(&f, names)
	return []check.Finding{f}
}

// once keeps the first of findings that say the same of one Deployment: what was proven comes before what is likely.
func once(list []check.Finding) []check.Finding {
	var out []check.Finding
	for _, f := range list {
		if !slices.ContainsFunc(out, func(o check.Finding) bool { return o.Object == f.Object && o.What == f.What }) {
			out = append(out, f)
		}
	}
	return out
}
