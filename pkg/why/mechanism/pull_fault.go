package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// PullFault is why an image cannot be pulled.
type PullFault string

// The faults.
const (
	PullUntold          PullFault = "" // the words are not known
	PullNever           PullFault = "pull policy"
	ImageNameInvalid    PullFault = "name"
	PullDenied          PullFault = "denied"
	PullLimited         PullFault = "rate limit"
	NoPlatform          PullFault = "platform"
	ImageNotThere       PullFault = "not there"
	ManifestTooOld      PullFault = "schema 1"    // the runtime takes its manifest no more
	NoRoomForImage      PullFault = "disk full"   // of the node
	CertificateRefused  PullFault = "certificate" // of the registry, by the node
	RegistrySpeaksHTTP  PullFault = "http"
	ImageBroken         PullFault = "broken"       // what came is not what the manifest says
	RegistryFails       PullFault = "server error" // the registry answers that it cannot
	RegistryUnreachable PullFault = "unreachable"
)

// faultSaid is a fault, and words that tell it.
type faultSaid struct {
	fault PullFault
	words *lazyregexp.Regexp
}

// pullFaults are in order: what a node says of itself, or of a connection that it made, comes before what a registry answers, and that
// before a connection that fails. The words are those of client/pull.go (schema 1), core/unpack/unpacker.go
// and plugins/content/local/writer.go (broken) and core/remotes/docker (status codes) of containerd/containerd@v2.1.0; of
// crypto/x509/verify.go, net/http/transport.go and net/net.go of golang/go@go1.24. What registries say is theirs.
var pullFaults = []faultSaid{ //nolint:gochecknoglobals // a table
	{ManifestTooOld, lazyregexp.New(`manifest\.v1\+(?:prettyjws|json)\b|docker image format v1|schema ?1 manifest`)},
	{NoRoomForImage, lazyregexp.New(`no space left on device|disk quota exceeded`)},
	{CertificateRefused, lazyregexp.New(`x509: |tls: failed to verify certificate`)},
	{RegistrySpeaksHTTP, lazyregexp.New(`server gave http response to https client`)},
	{ImageBroken, lazyregexp.New(`failed to extract layer|unexpected commit (?:digest|size)|commit failed: unexpected|wrong diff id|` +
		`manifest \S+ does not match|layer verification failed|failed size validation`)},
	{PullLimited, lazyregexp.New(`toomanyrequests|too many requests|\b429\b`)},
	{PullDenied, lazyregexp.New(`unauthorized|authorization|denied|\b40[13]\b|credential`)},
	{NoPlatform, lazyregexp.New(`no match for platform|no matching manifest`)},
	{ImageNotThere, lazyregexp.New(`not found|manifest unknown`)},
	{RegistryFails, lazyregexp.New(`\b50[0234] (?:internal|bad gateway|service|gateway)|unexpected status[^\n]*: 50[0234]\b`)},
	{RegistryUnreachable, lazyregexp.New(`dial tcp|no such host|i/o timeout|connection (?:refused|reset)|deadline exceeded|no route to host|` +
		`tls handshake timeout|timeout exceeded|unreachable|\beof\b|proxyconnect`)},
}

func pullFault(reason, said string) PullFault {
	switch reason {
	case "ErrImageNeverPull":
		return PullNever
	case "InvalidImageName":
		return ImageNameInvalid
	}
	lower := strings.ToLower(said)
	for _, one := range pullFaults {
		if one.words.MatchString(lower) {
			return one.fault
		}
	}
	return PullUntold
}
