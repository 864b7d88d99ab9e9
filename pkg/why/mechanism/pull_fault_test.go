package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPullFaultIsReadFromWords: who answered tells it, the digest of an image does not.
func TestPullFaultIsReadFromWords(t *testing.T) {
	const pull = `failed to pull and unpack image "r.example.net/a:1": `
	const resolve = pull + `failed to resolve reference "r.example.net/a:1": `
	const head = resolve + `failed to do request: Head "https://r.example.net/v2/": `
	const status = resolve + `unexpected status from HEAD request to https://r.example.net/v2/a/manifests/1: `
	for _, row := range []struct {
		want PullFault
		said string
	}{
		{ManifestTooOld, `not implemented: media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since ` +
			`containerd v2.1, please rebuild the image as "application/vnd.docker.distribution.manifest.v2+json"`},
		{NoRoomForImage, pull + `failed to extract layer sha256:1f: write /var/lib/containerd/tmp: no space left on device: unknown`},
		{ImageBroken, pull + `failed to extract layer sha256:1f: archive/tar: invalid tar header: unknown`},
		{ImageBroken, pull + `failed commit on ref "layer-sha256:1f": unexpected commit digest sha256:2f, expected sha256:1f`},
		{CertificateRefused, head + `tls: failed to verify certificate: x509: certificate signed by unknown authority`},
		{RegistrySpeaksHTTP, head + `http: server gave HTTP response to HTTPS client`},
		{RegistryFails, status + `503 Service Unavailable`},
		{PullDenied, status + `403 Forbidden`},
		{PullDenied, resolve + `pull access denied, repository does not exist or may require authorization`},
		{PullLimited, pull + `httpReadSeeker: failed open: unexpected status code https://r/v2/a/blobs/sha256:401403: 429 Too Many Requests`},
		{RegistryUnreachable, head + `dial tcp 10.0.0.1:443: i/o timeout`},
		{RegistryUnreachable, head + `dial tcp: lookup r.example.net: no such host`},
		{RegistryUnreachable, head + `context deadline exceeded`},
		{ImageNotThere, resolve + `r.example.net/a:1: not found`},
		{NoPlatform, pull + `no match for platform in manifest: not found`},
		{PullUntold, pull + `something else with blob sha256:0403a401bc5034f0`},
		{PullUntold, ""},
	} {
		require.Equal(t, row.want, pullFault("ErrImagePull", row.said), row.said)
	}
	require.Equal(t, PullNever, pullFault("ErrImageNeverPull", "x509: "))
}
