package probe

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// certificate is one that nobody signed and that ended long ago: the probe takes any.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(7), NotAfter: time.Unix(1, 0)},
		&x509.Certificate{}, &key.PublicKey, key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// over is a prober whose connections end at a server function.
func over(serve func(net.Conn)) prober {
	return prober{patience: 200 * time.Millisecond, dial: func(Target) (net.Conn, error) {
		client, server := net.Pipe()
		go serve(server)
		return client, nil
	}}
}

func TestChainIsTakenAsServed(t *testing.T) {
	cert := certificate(t)
	cert.Certificate = append(cert.Certificate, certificate(t).Certificate...)
	asked := make(chan string, 1)
	after := make(chan error, 1)
	p := over(func(conn net.Conn) {
		server := tls.Server(conn, &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
			asked <- h.ServerName
			return &cert, nil
		}})
		_, err := server.Read(make([]byte, 1))
		after <- err
	})
	a := p.one(t.Context(), Target{ServerName: "webhook.ns.svc"})
	require.NoError(t, a.Err)
	require.Equal(t, cert.Certificate, a.Chain)
	require.Equal(t, "webhook.ns.svc", <-asked)
	require.ErrorIs(t, <-after, io.EOF, "nothing is sent after the handshake, and it ends in order")
}

func TestReplicasThatDoNotAnswer(t *testing.T) {
	silent := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	require.ErrorIs(t, over(silent).one(t.Context(), Target{}).Err, context.DeadlineExceeded)

	plain := func(conn net.Conn) {
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		_, _ = conn.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
	}
	require.ErrorContains(t, over(plain).one(t.Context(), Target{}).Err, "no TLS")

	refused := prober{patience: time.Minute, dial: func(Target) (net.Conn, error) { return nil, errors.New("connection refused") }}
	require.EqualError(t, refused.one(t.Context(), Target{}).Err, "connection refused")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, over(silent).one(ctx, Target{}).Err, context.Canceled)
}

type closing struct {
	net.Conn
	closed chan struct{}
	once   sync.Once
}

func (c *closing) Close() error { c.once.Do(func() { close(c.closed) }); return nil }

// A dial takes no context, so it may end when nobody waits any longer.
func TestLateDialIsClosed(t *testing.T) {
	release, late := make(chan struct{}), &closing{closed: make(chan struct{})}
	p := prober{patience: time.Millisecond, dial: func(Target) (net.Conn, error) { <-release; return late, nil }}
	require.ErrorIs(t, p.one(t.Context(), Target{}).Err, context.DeadlineExceeded)
	close(release)
	<-late.closed
}

// TestNoMoreThanEightAtOnce runs in a bubble, whose clock moves only when every goroutine waits: by then all that may
// dial at once do.
func TestNoMoreThanEightAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		p := prober{patience: time.Minute, dial: func(t Target) (net.Conn, error) {
			for n := now.Add(1); ; {
				if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			<-time.After(time.Second)
			now.Add(-1)
			return nil, errors.New(t.Pod)
		}}
		targets := make([]Target, 50)
		for i := range targets {
			targets[i].Pod = string(rune('a' + i%26))
		}
		answers := p.all(t.Context(), targets)
		require.Equal(t, int32(parallel), most.Load())
		for i, a := range answers {
			require.EqualError(t, a.Err, targets[i].Pod, "answers are in the order of the targets")
		}
	})
}

// A refusal comes as JSON to a WebSocket and as text from SPDY, which is tried next: up to Kubernetes 1.34 the first
// needs "get" and the second "create".
func TestForbiddenIsKnown(t *testing.T) {
	var methods []string
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		methods, paths = append(methods, r.Method), append(paths, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \"webhook-1\" is forbidden: User \"u\" cannot create resource \"pods/portforward\"","reason":"Forbidden","code":403}`)
	}))
	defer server.Close()
	a := Certificates(t.Context(), &rest.Config{Host: server.URL + "/k8s/clusters/c-1"},
		[]Target{{Namespace: "ns", Pod: "webhook-1", Port: 9443}})
	require.True(t, apierrors.IsForbidden(a[0].Err), "%v", a[0].Err)
	require.Equal(t, []string{http.MethodGet, http.MethodPost}, methods)
	require.Equal(t, "/k8s/clusters/c-1/api/v1/namespaces/ns/pods/webhook-1/portforward", paths[0], "behind a proxy with a path, too")
	require.Equal(t, paths[0], paths[1])
}

func TestOtherRefusals(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	a := Certificates(t.Context(), &rest.Config{Host: server.URL}, []Target{{Namespace: "ns", Pod: "p", Port: 9443}})
	require.Error(t, a[0].Err)
	require.False(t, apierrors.IsForbidden(a[0].Err))
	server.Close()
	a = Certificates(t.Context(), &rest.Config{Host: server.URL}, []Target{{Namespace: "ns", Pod: "p", Port: 9443}})
	require.ErrorContains(t, a[0].Err, "connection refused")
}
