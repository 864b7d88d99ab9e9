package webhook

import (
	"crypto/x509"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// fault is one thing that is wrong with a webhook's Secret.
type fault struct {
	key, what, text, seen string
	severity              check.Severity
	since                 time.Time // when it began; zero: nothing tells
	brief                 string    // text without it
}

// keyNames are the keys of the Secret without which a release cannot start or serve; caKey may be none.
type keyNames struct{ ca, caKey, server, private string }

// keysOf returns the names. Files need no key of the CA (hack/gencerts.sh@chart-1.3.0, main.go@chart-1.3.0:
// -webhook-ca-cert, -webhook-server-cert, -webhook-server-cert-key).
func keysOf(use operator.CertificateUse) keyNames {
	switch use {
	case operator.MountedFiles:
		return keyNames{ca: "ca-cert.pem", server: "server-cert.pem", private: "server-key.pem"}
	case operator.FromCertManager:
		return keyNames{ca: "ca.crt", server: "tls.crt", private: "tls.key"}
	default:
		return keyNames{ca: "ca-cert.pem", caKey: "ca-key.pem", server: "server-cert.pem", private: "server-key.pem"}
	}
}

// emptyIn returns the names whose value is empty or missing.
func (k keyNames) emptyIn(pair *snapshot.Pair) []string {
	return slices.DeleteFunc([]string{k.ca, k.caKey, k.server, k.private}, func(key string) bool { return !slices.Contains(pair.Empty, key) })
}

// allEmpty reports whether nothing is there yet.
func (k keyNames) allEmpty(pair *snapshot.Pair) bool {
	empty := k.emptyIn(pair)
	return slices.Contains(empty, k.ca) && slices.Contains(empty, k.server) && slices.Contains(empty, k.private)
}

// consequence says what a Secret that cannot be read leads to (pkg/certificate/certificate.go@v2.5.2).
func consequence(use operator.CertificateUse, empty bool) string {
	switch {
	case use == operator.MountedFiles:
		return "the webhook cannot serve with it"
	case empty && use != operator.FromCertManager:
		return "the next replica to start generates a new CA that the others do not share"
	default:
		return "the next start of the webhook fails"
	}
}

// faultsOfKeys are what keeps the operator from reading the Secret.
func faultsOfKeys(use operator.CertificateUse, pair *snapshot.Pair) []fault {
	var out []fault
	names := keysOf(use)
	add := func(key, what, text string) {
		out = append(out, fault{key: key, what: what, text: key + " " + text + ": " + consequence(use, false), seen: text, severity: check.Error})
	}
	if empty := names.emptyIn(pair); len(empty) > 0 {
		text := fmt.Sprintf("%s empty or missing (%s): %s", phrase.CountedAre(len(empty), "key"), strings.Join(empty, ", "),
			consequence(use, true))
		out = append(out, fault{key: empty[0], what: "empty", text: text, seen: "empty", severity: check.Error})
	}
	for _, one := range []struct {
		key    string
		bundle snapshot.Bundle
	}{{names.ca, pair.CA}, {names.server, pair.Server}} {
		if len(one.bundle.DER) == 0 && one.bundle.Problem != "" {
			add(one.key, "no-certificate/"+one.key, one.bundle.Problem)
		}
	}
	if what, text := faultOfKey(use, pair.Key); what != "" {
		add(names.private, what, text)
	}
	if what, text := faultOfKey(use, pair.CAKey); what != "" && pair.CAKey != snapshot.KeyMismatched && names.caKey != "" {
		add(names.caKey, "ca-"+what, text)
	}
	return out
}

// faultOfKey words what is wrong with a key. crypto/tls takes any key from files, 2.x only PKCS#1 RSA
// (pkg/certificate/certificate.go@v2.5.2, x509.ParsePKCS1PrivateKey).
func faultOfKey(use operator.CertificateUse, state snapshot.KeyState) (what, text string) {
	switch {
	case state == snapshot.KeyGarbage:
		return "no-key", "is no private key in PEM"
	case state == snapshot.KeyMismatched:
		return "foreign-key", "does not belong to the certificate"
	case state == snapshot.KeyOtherType && use.ReadsOnce():
		return "key-type", "is not an RSA key in PKCS#1, the only kind that the operator reads"
	default:
		return "", ""
	}
}

// faultsOfCertificates are names and dates.
func faultsOfCertificates(in *operator.Installation, pair *snapshot.Pair, now time.Time, warn time.Duration) []fault {
	use := in.CertificateUse()
	var out []fault
	chain, roots := pair.Server.Certificates(), pair.CA.Certificates()
	if len(chain) > 0 {
		out = append(out, faultsOfName(use, chain[0], operator.ServerName(in.WebhookService()))...)
		out = append(out, faultsOfTime(keysOf(use).server, chain[0], now, warning(use, chain[0], warn))...)
	}
	if len(roots) > 0 && (len(chain) == 0 || !roots[0].Equal(chain[0])) {
		out = append(out, faultsOfTime(keysOf(use).ca, roots[0], now, warning(use, roots[0], warn))...)
	}
	return out
}

// faultsOfName demands a subject alternative name: Go looks at no common name since 1.17 (go.dev/doc/go1.17).
func faultsOfName(use operator.CertificateUse, c *x509.Certificate, name string) []fault {
	if c.VerifyHostname(name) == nil {
		return nil
	}
	f := fault{key: keysOf(use).server, what: "name", severity: check.Error,
		seen: facts.DescribeCertificate(c) + ", " + facts.CertificateNames(c)}
	f.text = fmt.Sprintf("%s is valid for %s, not for %s: webhook calls fail", f.key, facts.CertificateNames(c), name)
	if len(c.DNSNames) == 0 && c.Subject.CommonName == name {
		f.text = fmt.Sprintf("%s names %s only as its common name, which API servers ignore: webhook calls fail", f.key, name)
	}
	return []fault{f}
}

// warning is how long before its end a certificate is worth a warning. What cert-manager keeps lives shortly and is
// renewed when a third of its lifetime is left (cert-manager.io/docs/usage/certificate): at a sixth it should have been.
func warning(use operator.CertificateUse, c *x509.Certificate, warn time.Duration) time.Duration {
	if use == operator.FromCertManager {
		return min(warn, c.NotAfter.Sub(c.NotBefore)/6)
	}
	return warn
}

// faultsOfTime looks at the dates of a certificate.
func faultsOfTime(key string, c *x509.Certificate, now time.Time, warn time.Duration) []fault {
	left := c.NotAfter.Sub(now)
	f := fault{key: key, what: "time/" + key, severity: check.Error, seen: facts.DescribeCertificate(c)}
	switch {
	case left <= 0:
		f.since, f.brief = c.NotAfter, key+" expired: webhook calls fail"
		f.text = fmt.Sprintf("%s expired %s: webhook calls fail", key, facts.When(c.NotAfter, now))
	case now.Before(c.NotBefore):
		f.text = fmt.Sprintf("%s becomes valid %s", key, facts.When(c.NotBefore, now))
	case left <= warn:
		f.severity = facts.InTime(check.Warning, left)
		f.text = fmt.Sprintf("%s expires %s", key, facts.When(c.NotAfter, now))
	default:
		return nil
	}
	return []fault{f}
}
