package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPullError holds that what the registry said comes out, and that nothing is lost where no wrapper is known.
func TestPullError(t *testing.T) {
	const wrapped = `rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/apache/spark-py:v3.4.0": `
	const url = `https://registry.example/v2/apache/spark-py/manifests/sha256:48`
	for said, want := range map[string]string{
		`failed to copy: httpReadSeeker: failed open: unexpected status code ` + url + `: 429 Too Many Requests - Server message: limit`://
		`429 Too Many Requests - Server message: limit`,
		`failed to resolve reference "docker.io/library/spark:3.5.5-typo": docker.io/library/spark:3.5.5-typo: not found`://
		`docker.io/library/spark:3.5.5-typo: not found`,
		`failed to resolve reference "registry.example/a:1": failed to do request: Head "` + url + `": dial tcp: no such host`://
		`failed to do request: Head "` + url + `": dial tcp: no such host`,
	} {
		require.Equal(t, want, pullError(`Failed to pull image "docker.io/apache/spark-py:v3.4.0": `+wrapped+said))
		require.Equal(t, want, pullError(wrapped+said))
	}
	for _, whole := range []string{
		`Container image "spark:1" is not present with pull policy of Never`, `Failed to pull image "a":`,
		`no match for platform in manifest: x`, "",
	} {
		require.Equal(t, whole, pullError(whole))
	}
}
