package release

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"

// Mutation is one field that the pod webhook carries from an application to its pods. The owner reference of drivers is left
// out: from 2.4.0 on it does not need the webhook (#2670).
type Mutation struct {
	Field       snapshot.Field
	OnContainer bool // it changes the Spark container, so that one must be found
	Source      string
}

// Flaw is what the webhook gets wrong about the pods of a role.
type Flaw struct {
	ID            string // by which the release that mends it names it; that of a defect where there is one
	Field         snapshot.Field
	Role          string
	NeedsDriver   bool   // the executor's field is applied only if the driver's is set, too
	OnlyContainer string // only to a Spark container of this name
	Source        string
}

// DeniedSetting is a setting of sparkConf that the webhook refuses whatever its value.
type DeniedSetting struct{ Key, Reason string }

// CertificateUse says what a release does with the Secret that holds its webhook's certificate.
type CertificateUse int

const (
	// NoCertificate: the installation runs no webhook.
	NoCertificate CertificateUse = iota
	// MountedFiles, chart 1.3.x and older: a Job makes the Secret, every replica re-reads its files every 15 minutes,
	// caBundle is written at start only (hack/gencerts.sh@chart-1.3.0, pkg/webhook/certs.go@chart-1.3.0).
	MountedFiles
	// OnePerReplica, chart 1.4.x: every replica makes a certificate in memory at every start, and writes Secret and
	// caBundle; nobody reads the Secret. What is stored as CA is the leaf (pkg/webhook/certs.go@chart-1.4.6, #2016).
	OnePerReplica
	// ReadAtStart, 2.0.0 to 2.1.1: read once, whatever parses is taken (pkg/certificate/certificate.go@v2.1.1, #2482).
	ReadAtStart
	// CheckedAtStart, since 2.2.0: read once, re-created unless it is good for the name and for another 180 days
	// (pkg/certificate/certificate.go@v2.2.0, #2489).
	CheckedAtStart
	// FromCertManager, since 2.2.0 with --enable-cert-manager: read once, never made; cainjector writes caBundle (#2373).
	FromCertManager
)

// ReadsOnce reports whether a running webhook serves what the Secret held when it started.
func (u CertificateUse) ReadsOnce() bool {
	return u == ReadAtStart || u == CheckedAtStart || u == FromCertManager
}

// Pair returns the part of a Secret that this use reads.
func (u CertificateUse) Pair(s *snapshot.WebhookSecret) *snapshot.Pair {
	if u == FromCertManager {
		return &s.CertManager
	}
	return &s.Own
}

// ServesChain reports whether intermediates in the Secret are served: 2.x reads the first certificate and drops the
// rest (pkg/certificate/certificate.go@v2.5.2, parseCertManagerSecret).
func (u CertificateUse) ServesChain() bool { return u == MountedFiles }
