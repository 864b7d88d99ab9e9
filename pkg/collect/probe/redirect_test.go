package probe

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
)

// TestPortForwardIsNotRedirected holds that neither WebSocket nor SPDY takes the credentials to another server.
func TestPortForwardIsNotRedirected(t *testing.T) {
	var strangers, asked atomic.Int32
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	t.Cleanup(stranger.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, stranger.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	conn, err := apiserver.Connect(&rest.Config{Host: server.URL, BearerToken: "t0ken"})
	require.NoError(t, err)
	a := Certificates(t.Context(), conn.Config(), []Target{{Namespace: "ns", Pod: "p", Port: 9443}})
	require.Error(t, a[0].Err)
	require.EqualValues(t, 2, asked.Load(), "WebSocket, and then SPDY")
	require.Zero(t, strangers.Load())
}
