package snapshot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestProxyHosts: of environment variables only the hosts of proxies are kept.
func TestProxyHosts(t *testing.T) {
	for _, row := range []struct{ variable, value, want string }{
		{"HTTPS_PROXY", "http://me:hunter2@proxy.example:3128/x?token=hunter2", "http://proxy.example:3128"},
		{"https_proxy", "proxy.example:3128", ""},
		{"HTTPS_PROXY", "hunter2", ""},
		{"NO_PROXY", "localhost,.svc", "localhost,.svc"},
		{"PASSWORD", "http://proxy.example", ""},
	} {
		require.Equal(t, row.want, snapshot.ProxyHosts(row.variable, row.value), row)
	}
}
