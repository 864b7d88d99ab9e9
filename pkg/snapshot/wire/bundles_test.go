package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// TestShortenedBundles holds that the rest of a configuration is decoded where its caBundle was shortened, and that this one is unread, not
// empty.
func TestShortenedBundles(t *testing.T) {
	const configuration = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},` +
		`"webhooks":[{"name":"a","clientConfig":{"caBundle":"BUNDLE"},"namespaceSelector":{"matchLabels":{"on":"yes"}}},` +
		`{"name":"b","clientConfig":{}}]}`
	src, _ := snapshot.SourceOf(snapshot.MutatingWebhooks)
	for bundle, unread := range map[string]bool{"LS0tLS1CRUdJ...": true, "<redacted>": true, "": false, "LS0tLS1CRUdJTg==": false} {
		item := wire.Item{Encoding: snapshot.JSON, Raw: []byte(strings.Replace(configuration, "BUNDLE", bundle, 1))}
		record, err := wire.Decode(src, item)
		require.NoError(t, err, bundle)
		c, is := record.(*snapshot.WebhookConfiguration)
		require.True(t, is)
		require.Len(t, c.Webhooks, 2)
		require.Equal(t, map[string]string{"on": "yes"}, c.Webhooks[0].NamespaceSelector.MatchLabels)
		require.Equal(t, unread, c.Webhooks[0].CABundle.IsUnread(), bundle)
		require.False(t, c.Webhooks[1].CABundle.IsUnread())
	}
	_, err := wire.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: []byte(strings.Replace(configuration, `"name":"a"`, `"name":1`, 1))})
	require.Error(t, err, "any other fault is still an error")
}
