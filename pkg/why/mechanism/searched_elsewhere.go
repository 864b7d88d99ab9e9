package mechanism

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// SearchedElsewhere is a host whose server shows a certificate of a domain that the pod searches (dnsConfig.searches): a name with fewer
// dots than ndots is looked up with each search domain first, and a domain that answers every name leads to another host (ndots is 5 unless
// dnsConfig.options set it: pkg/kubelet/network/dns/dns.go of kubernetes@v1.36.3; man resolv.conf). A server with a wrong certificate looks
// alike, and then its domain is none that the pod searches.
type SearchedElsewhere struct {
	Role         cause.Role
	Host, Domain string
	Dots         int // ndots
}

// Mechanism names it.
func (SearchedElsewhere) Mechanism() cause.ID { return "searched-elsewhere" }

// alternatives matches the names that a certificate is for (SdkTLSSocketFactory of Amazon's SDK, org.apache.http.conn.ssl.
// DefaultHostnameVerifier of apache/httpcomponents-client@4.5.13).
var alternatives = lazyregexp.New(`Certificate for <([\w.-]{1,253})> doesn't match any of the subject alternative names: \[([^\]]{1,1000})\]`)

// ElsewhereBySearch finds the search domain of a certificate that does not fit.
func ElsewhereBySearch(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	if about.Signature != "tls-hostname" {
		return cause.Cause{}, false
	}
	m := alternatives.FindStringSubmatch(failed.Root.Message)
	role, pod := actingPod(v, about, &failed)
	if m == nil || pod == nil || pod.Spec.DNSConfig == nil {
		return cause.Cause{}, false
	}
	d := SearchedElsewhere{Role: role, Host: m[1], Dots: ndots(pod.Spec.DNSConfig)}
	if strings.Count(d.Host, ".") >= d.Dots {
		return cause.Cause{}, false
	}
	for _, domain := range pod.Spec.DNSConfig.Searches {
		for name := range strings.SplitSeq(m[2], ",") {
			if strings.TrimPrefix(strings.TrimSpace(name), "*.") == strings.TrimSuffix(domain, ".") {
				d.Domain = domain
			}
		}
	}
	if d.Domain == "" {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: Ref(pod), Field: "spec.dnsConfig.searches",
			Value: strings.Join(pod.Spec.DNSConfig.Searches, ", ")}}}, true
}

func ndots(c *corev1.PodDNSConfig) int {
	for _, o := range c.Options {
		if o.Name == "ndots" && o.Value != nil {
			if n, err := strconv.Atoi(*o.Value); err == nil {
				return n
			}
		}
	}
	return 5
}
