package objects

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPullError holds that what the registry said comes out, and that nothing is lost where no wrapper is known.
func TestPullError(t *testing.T) {
	wrapped := `rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/apache/spark-py:v3.4.0": `
	for message, want := range map[string]string{
		`Failed to pull image "docker.io/apache/spark-py:v3.4.0": ` + wrapped + `failed to copy: httpReadSeeker: failed open: unexpected status code ` +
			`https://registry.example/v2/apache/spark-py/manifests/sha256:48: 429 Too Many Requests - Server message: toomanyrequests: limit`: //
		`429 Too Many Requests - Server message: toomanyrequests: limit`,
		wrapped + `failed to resolve reference "docker.io/library/spark:3.5.5-typo": docker.io/library/spark:3.5.5-typo: not found`://
		`docker.io/library/spark:3.5.5-typo: not found`,
		wrapped + `failed to resolve reference "registry.example/a:1": failed to do request: Head "https://registry.example/v2/a/manifests/1": ` +
			`dial tcp: lookup registry.example on 10.96.0.10:53: no such host`: //
		`failed to do request: Head "https://registry.example/v2/a/manifests/1": dial tcp: lookup registry.example on 10.96.0.10:53: no such host`,
		`Container image "spark:1" is not present with pull policy of Never`: `Container image "spark:1" is not present with pull policy of Never`,
		`Failed to pull image "a":`:            `Failed to pull image "a":`,
		`rpc error: code = Canceled desc = `:   `rpc error: code = Canceled desc =`,
		`no match for platform in manifest: x`: `no match for platform in manifest: x`,
		``:                                     ``,
	} {
		require.Equal(t, want, pullError(message))
	}
}
