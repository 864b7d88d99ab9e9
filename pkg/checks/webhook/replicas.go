package webhook

import (
	"crypto/x509"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// olderLeaf tells a replica with an older certificate of the same CA from one that is not trusted.
const olderLeaf = "older-leaf"

// trusting is a caBundle by which the API server judges an installation, and who holds it.
type trusting struct {
	bundle snapshot.Bundle
	object snapshot.Ref
	field  string
}

// bundlesFor returns the different caBundles with which an installation is called. An empty one trusts nothing
// whatever is served, which is SD1003's.
func bundlesFor(in *operator.Installation, configurations []snapshot.WebhookConfiguration) []trusting {
	var out []trusting
	for i := range configurations {
		c := &configurations[i]
		for _, k := range facts.CallsOf(in, c) {
			bundle := c.Webhooks[k].CABundle
			same := func(t trusting) bool { return slices.EqualFunc(t.bundle.DER, bundle.DER, slices.Equal[[]byte]) }
			if len(bundle.DER) > 0 && !slices.ContainsFunc(out, same) {
				out = append(out, trusting{bundle, c.Ref, bundleField(k)})
			}
		}
	}
	return out
}

// replica is a pod that was asked, and answered.
type replica struct {
	pod    snapshot.Ref
	chain  []*x509.Certificate
	refuse string // why a caBundle does not trust it; empty if all do
}

// ask takes in what pods answered, and returns those that were not asked or said nothing.
func (j *replicaJudge) ask(served []snapshot.ServedCertificate) []*snapshot.OperatorPod {
	var silent []*snapshot.OperatorPod
	for _, p := range j.pods {
		var chain []*x509.Certificate
		if i := slices.IndexFunc(served, func(c snapshot.ServedCertificate) bool { return c.Key() == p.Key() }); i >= 0 {
			chain = served[i].Chain.Certificates()
		}
		if len(chain) == 0 {
			silent = append(silent, p)
			continue
		}
		if r, judged := j.judge(p.Ref, chain); judged {
			j.replicas = append(j.replicas, r)
		}
	}
	return silent
}

func (j *replicaJudge) judge(pod snapshot.Ref, chain []*x509.Certificate) (replica, bool) {
	r := replica{pod: pod, chain: chain}
	if len(j.trust) == 0 {
		j.unjudged = append(j.unjudged,
			fmt.Sprintf("no webhook configuration with a caBundle that calls %s was seen, so what its replicas serve is not judged",
				j.in.Webhook.Ref))
		return r, false
	}
	for _, t := range j.trust {
		err := facts.Distrust(t.bundle, chain, operator.ServerName(j.in.WebhookService()), j.now)
		switch {
		case err != nil && t.bundle.Truncated:
			j.unjudged = append(j.unjudged, fmt.Sprintf("a caBundle of %s %s, so what replicas serve is not judged by it",
				t.object, t.bundle.Problem))
			return r, false
		case err != nil && r.refuse == "":
			r.refuse = fmt.Sprintf("not trusted by %s %s: %s", t.object, t.field, facts.WhyDistrusted(err))
		}
	}
	return r, true
}

// served states what was proven by asking.
func (j *replicaJudge) served() []check.Finding {
	var refused, older []string
	all := j.finding(check.Error, check.Proven, "")
	for _, r := range j.replicas {
		verdict := "trusted"
		switch {
		case r.refuse != "":
			verdict = r.refuse
			refused = append(refused, r.pod.Name)
			all.Related = append(all.Related, r.pod)
		case j.outdated(r):
			verdict = "trusted, but not the certificate of " + j.secret.Ref.String()
			older = append(older, r.pod.Name)
		}
		all.Saw(r.pod, "certificate served for "+
			operator.ServerName(j.in.WebhookService()), facts.DescribeCertificate(r.chain[0])+": "+verdict)
	}
	for _, t := range j.trust {
		all.Saw(t.object, t.field, describeAll(t.bundle.Certificates()))
	}
	switch {
	case len(refused) > 0:
		all.Message = fmt.Sprintf("%d of %d webhook replicas serve a certificate that caBundle does not trust (%s): calls that reach them fail",
			len(refused), len(j.replicas), shortList(refused))
		return []check.Finding{all}
	case len(older) > 0:
		return []check.Finding{j.olderLeaf(all, older)}
	default:
		return nil
	}
}

// outdated reports whether a replica serves another certificate than the one it would read now.
func (j *replicaJudge) outdated(r replica) bool {
	if !j.use.ReadsOnce() || j.pair == nil {
		return false
	}
	chain := servedFrom(j.use, j.pair)
	return len(chain) > 0 && !chain[0].Equal(r.chain[0])
}

// olderLeaf is a new certificate under a CA that did not change: the old one is good until it ends.
func (j *replicaJudge) olderLeaf(f check.Finding, names []string) check.Finding {
	var end *x509.Certificate
	for _, r := range j.replicas {
		if slices.Contains(names, r.pod.Name) {
			f.Related = append(f.Related, r.pod)
			if end == nil || r.chain[0].NotAfter.Before(end.NotAfter) {
				end = r.chain[0]
			}
		}
	}
	f.Severity, f.What = facts.InTime(check.Warning, end.NotAfter.Sub(j.now)), olderLeaf
	f.Message = fmt.Sprintf(
		"%d of %d webhook replicas serve an older certificate than that in %s (%s), still trusted: restart them before it expires %s",
		len(names), len(j.replicas), j.secret.Ref, shortList(names), facts.When(end.NotAfter, j.now))
	return f
}

// shortList names some and counts the rest.
func shortList(names []string) string {
	if rest := len(names) - facts.MaxNamed; rest > 0 {
		return strings.Join(names[:facts.MaxNamed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(names, ", ")
}
