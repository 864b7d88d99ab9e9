package collect

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
)

// TestClientSpeaksHTTP1 holds that a server which offers HTTP/2 is not asked for it.
func TestClientSpeaksHTTP1(t *testing.T) {
	spoken := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { spoken = r.ProtoMajor }))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	c, err := newClient(&rest.Config{Host: server.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}})
	require.NoError(t, err)
	body, err := c.stream(t.Context(), "/api/v1/pods", "application/json", nil)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	require.Equal(t, 1, spoken)
}
