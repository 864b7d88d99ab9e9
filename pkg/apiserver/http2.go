package apiserver

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// fallback speaks HTTP/1.1, until the first answer shows that the server in front speaks HTTP/2 only.
type fallback struct {
	http1, http2 http.RoundTripper
	spoken       atomic.Int32 // 0 until there was an answer, then the version
}

// withFallback returns a round tripper that begins with one for HTTP/1.1. A configuration with a transport of its own, or
// without TLS, has no other.
func withFallback(config *rest.Config, http1 http.RoundTripper) (http.RoundTripper, error) {
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, err
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	if config.Transport != nil || server.Scheme != "https" {
		return http1, nil
	}
	http2, err := rest.HTTPWrappersForConfig(config, http2Transport(config, tlsConfig))
	if err != nil {
		return nil, err
	}
	return &fallback{http1: http1, http2: http2}, nil
}

// http2Transport offers HTTP/2 only. A server that chooses nothing of what is offered is spoken to in HTTP/2 all the same:
// net/http does so on a connection of which it does not see that it is TLS ("prior knowledge", RFC 9113, section 3.3).
func http2Transport(config *rest.Config, tlsConfig *tls.Config) *http.Transport {
	if tlsConfig == nil {
		tlsConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	tlsConfig.NextProtos = []string{"h2"}
	dial := config.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext // as client-go does
	}
	var protocols http.Protocols
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return utilnet.SetOldTransportDefaults(&http.Transport{
		Protocols: &protocols, Proxy: config.Proxy, TLSClientConfig: tlsConfig, DialContext: dial,
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			own := tlsConfig.Clone()
			if own.ServerName == "" {
				own.ServerName, _, _ = net.SplitHostPort(address)
			}
			encrypted := tls.Client(conn, own)
			if err := encrypted.HandshakeContext(ctx); err != nil {
				return nil, errors.Join(err, conn.Close())
			}
			return struct{ net.Conn }{encrypted}, nil
		},
	})
}

// RoundTrip tries HTTP/2 where HTTP/1.1 never got an answer. A request that may have been carried out is not sent twice.
func (f *fallback) RoundTrip(req *http.Request) (*http.Response, error) {
	if f.spoken.Load() == 2 {
		return f.http2.RoundTrip(req)
	}
	resp, err := f.http1.RoundTrip(req)
	switch {
	case err == nil:
		f.spoken.CompareAndSwap(0, 1)
		return resp, nil
	case f.spoken.Load() == 1, req.Context().Err() != nil, !refusesHTTP1(err, req.Method == http.MethodGet):
		return nil, err
	}
	again := req.Clone(req.Context())
	if req.Body != nil && req.Body != http.NoBody {
		if req.GetBody == nil {
			return nil, err
		}
		var bodyErr error
		if again.Body, bodyErr = req.GetBody(); bodyErr != nil {
			return nil, err
		}
	}
	resp, secondErr := f.http2.RoundTrip(again)
	if secondErr != nil {
		return nil, err
	}
	f.spoken.Store(2)
	return resp, nil
}

// WrappedRoundTripper is what client-go looks for to end a request whose time is up.
func (f *fallback) WrappedRoundTripper() http.RoundTripper {
	if f.spoken.Load() == 2 {
		return f.http2
	}
	return f.http1
}

// refusesHTTP1 reports whether an error is what a server that speaks HTTP/2 only makes of HTTP/1.1: it ends the handshake
// (RFC 7301, section 3.2), closes the connection, or answers with a frame. Only the first proves that nothing was done.
func refusesHTTP1(err error, harmless bool) bool {
	if strings.Contains(err.Error(), "tls: no application protocol") { // the alert has no exported type
		return true
	}
	if !harmless {
		return false
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		strings.Contains(err.Error(), "malformed HTTP response")
}
