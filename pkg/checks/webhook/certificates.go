package webhook

import (
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// startSlack is how long before its certificate a webhook may have started and still be the one that made it.
const startSlack = 10 * time.Minute

// makingTime is how long a webhook takes from its start to its certificate: it is the first thing that it does.
const makingTime = time.Minute

// served returns the chain that a webhook makes of what its Secret holds.
func servedFrom(use operator.CertificateUse, pair *snapshot.Pair) []*x509.Certificate {
	chain := pair.Server.Certificates()
	if len(chain) > 1 && !use.ServesChain() {
		return chain[:1]
	}
	return chain
}

func describeAll(list []*x509.Certificate) string {
	switch len(list) {
	case 0:
		return "empty"
	case 1:
		return facts.DescribeCertificate(list[0])
	default:
		return fmt.Sprintf("%d certificates, the first with %s", len(list), facts.DescribeCertificate(list[0]))
	}
}

// secretOf returns the Secret that an installation names, nil if it was not seen.
func secretOf(in *operator.Installation, secrets []snapshot.WebhookSecret) *snapshot.WebhookSecret {
	key := in.WebhookSecret()
	i := slices.IndexFunc(secrets, func(s snapshot.WebhookSecret) bool { return s.Key() == key })
	if i < 0 {
		return nil
	}
	return &secrets[i]
}

func bundleField(i int) string { return fmt.Sprintf("webhooks[%d].clientConfig.caBundle", i) }

// predates reports whether a pod's webhook started too long before a certificate to have it: the process reads the
// Secret at start and never again. Where the start is not known it does not.
func predates(in *operator.Installation, p *snapshot.OperatorPod, c *x509.Certificate) bool {
	run, known := in.WebhookRun(p)
	return known && c.NotBefore.After(run.Started.Add(startSlack))
}

// certaintyFor is Likely for a build of which nothing is known.
func certaintyFor(in *operator.Installation) check.Certainty {
	if in.Recognised {
		return check.Proven
	}
	return check.Likely
}

// admissionNeeds are the webhook configurations, with the role that they play.
func admissionNeeds(role snapshot.Role) []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.MutatingWebhooks, Role: role, Scope: snapshot.Everywhere},
		{View: snapshot.ValidatingWebhooks, Role: role, Scope: snapshot.Everywhere},
	}
}
