package manifests

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShown(t *testing.T) {
	for address, want := range map[string]string{
		"https://h/a.yaml":                             "https://h/a.yaml",
		"https://h/a.yaml?ref=main&page=2":             "https://h/a.yaml?ref=main&page=2",
		"https://h/a.yaml?sv=1&sig=hunter2&se=2":       "https://h/a.yaml?sv=1&sig=[redacted]&se=2",
		"https://h/a.yaml?X-Amz-Signature=hunter2":     "https://h/a.yaml?X-Amz-Signature=[redacted]",
		"https://hunter2@h/a.yaml":                     "https://[redacted]@h/a.yaml",
		"https://me:hunter2@h/a.yaml?private_token=x1": "https://[redacted]@h/a.yaml?private_token=[redacted]",
		"https://h/db-secret.yaml":                     "https://h/db-secret.yaml",
	} {
		parsed, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, want, shown(parsed))
	}
}
