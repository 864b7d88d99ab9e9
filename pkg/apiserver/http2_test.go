package apiserver

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
)

// encrypted hands out connections of which net/http does not see that they are TLS.
type encrypted struct {
	net.Listener
	config *tls.Config
}

func (l encrypted) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{tls.Server(conn, l.config)}, nil
}

// http2Only answers with the version that is spoken, and speaks HTTP/2 only: it either ends the handshake of what does not
// offer that, or takes no notice of what is offered.
func http2Only(t *testing.T, negotiates bool) (config *rest.Config, requests func() []string) {
	t.Helper()
	source := httptest.NewUnstartedServer(nil)
	source.StartTLS() // for its certificate
	t.Cleanup(source.Close)
	own := &tls.Config{Certificates: source.TLS.Certificates, MinVersion: tls.VersionTLS12}
	if negotiates {
		own.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			chosen := own.Clone()
			chosen.NextProtos = []string{"h2"}
			if !slices.Contains(h.SupportedProtos, "h2") {
				chosen.NextProtos = []string{"nothing that is offered"} // crypto/tls itself is lenient with http/1.1
			}
			return chosen, nil
		}
	}
	var mu sync.Mutex
	var seen []string
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Protocols: &protocols, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, strings.TrimSpace(r.Method+" "+r.Proto+" "+r.Header.Get("Authorization")+" "+string(body)))
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(encrypted{listener, own}) }()
	t.Cleanup(func() { _ = server.Close() })
	return &rest.Config{Host: "https://" + listener.Addr().String(), BearerToken: "t0ken",
			TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, func() []string {
			mu.Lock()
			defer mu.Unlock()
			return seen
		}
}

// TestHTTP2Only holds that a server which speaks nothing else is spoken to in HTTP/2, and that later requests begin with it.
func TestHTTP2Only(t *testing.T) {
	for name, negotiates := range map[string]bool{"negotiated": true, "prior knowledge": false} {
		t.Run(name, func(t *testing.T) {
			config, requests := http2Only(t, negotiates)
			c := client(t, config)
			require.NoError(t, c.Get().AbsPath("/x").Do(t.Context()).Error())
			require.NoError(t, c.Patch("application/json-patch+json").AbsPath("/x").Body([]byte("[]")).Do(t.Context()).Error())
			require.Equal(t, []string{"GET HTTP/2.0 Bearer t0ken", "PATCH HTTP/2.0 Bearer t0ken []"}, requests())
		})
	}
}

// TestFirstRequestIsAWrite holds that a write is sent again only if it cannot have arrived.
func TestFirstRequestIsAWrite(t *testing.T) {
	patch := func(config *rest.Config) error {
		return client(t, config).Patch("application/json-patch+json").AbsPath("/x").Body([]byte("[]")).Do(t.Context()).Error()
	}
	config, requests := http2Only(t, true)
	require.NoError(t, patch(config), "the handshake failed, so that nothing was sent")
	require.Equal(t, []string{"PATCH HTTP/2.0 Bearer t0ken []"}, requests())

	config, requests = http2Only(t, false)
	require.Error(t, patch(config))
	require.Empty(t, requests())
}

// TestHTTP1First holds that a server which speaks both is spoken to in HTTP/1.1, and stays so when a connection breaks.
func TestHTTP1First(t *testing.T) {
	var spoken []string
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		spoken = append(spoken, r.Proto)
		if r.URL.Path == "/broken" {
			panic(http.ErrAbortHandler)
		}
	}))
	server.EnableHTTP2 = true
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	conn, err := Connect(&rest.Config{Host: server.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}})
	require.NoError(t, err)
	get := func(path string) error {
		resp, err := conn.Client().Get(server.URL + path)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}
	for range 3 {
		require.NoError(t, get("/x"))
	}
	require.EqualValues(t, 1, connections.Load(), "which is kept")
	require.Error(t, get("/broken"))
	require.NoError(t, get("/x"))
	require.NotContains(t, spoken, "HTTP/2.0")
}
