// Package proxy stands between a client and an API server. It writes down every request, and does to chosen ones what
// networks and busy servers do: refuse them, lose them, lose the answer, or let something else happen first.
package proxy

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
)

// Proxy listens on the loopback address. Who a request comes from stays in it, so that the server's rights hold.
type Proxy struct {
	URL string

	ca      []byte // its certificate, PEM
	server  *http.Server
	forward *httputil.ReverseProxy

	mu    sync.Mutex
	log   []*Request
	rules []*rule
}

// Request is one request as it came. Status is 0 until it is answered, and stays 0 if the answer was lost.
type Request struct {
	Number int // from 1
	Method string
	Path   string
	Query  url.Values
	Body   []byte
	Status int
	Fault  bool // something was done to it
}

// Start starts a proxy in front of the server of a configuration, whose credentials it does not use.
func Start(config *rest.Config) (*Proxy, error) {
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("parsing the server's address: %w", err)
	}
	// HTTP/1.1 to both sides: a lost answer is then one closed connection, and a port-forward can be passed on.
	trust, err := rest.TLSConfigFor(rest.AnonymousClientConfig(config))
	if err != nil {
		return nil, fmt.Errorf("reading whom to trust: %w", err)
	}
	// A client sends credentials only over TLS (k8s.io/client-go tools/clientcmd/client_config.go).
	crt, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return nil, fmt.Errorf("making the proxy's certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(crt, key)
	if err != nil {
		return nil, fmt.Errorf("reading the proxy's certificate: %w", err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"},
		MinVersion: tls.VersionTLS12})
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	p := &Proxy{URL: "https://" + listener.Addr().String(), ca: crt}
	p.forward = &httputil.ReverseProxy{
		Transport:     &http.Transport{TLSClientConfig: trust, DisableCompression: true, MaxIdleConnsPerHost: 16},
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // as the client would see it
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

// Close ends the proxy.
func (p *Proxy) Close() error { return p.server.Close() }

// ServeHTTP notes a request and passes it on, or does what a rule says.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client went away
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	one, fault := p.note(r, body)
	answered := &noted{ResponseWriter: w, proxy: p, request: one}
	if fault == nil {
		p.forward.ServeHTTP(answered, r)
		return
	}
	fault(answered, r, p.forward)
}

func (p *Proxy) note(r *http.Request, body []byte) (*Request, Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := &Request{Number: len(p.log) + 1, Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Body: body}
	p.log = append(p.log, one)
	for _, rule := range p.rules {
		if rule.left > 0 && rule.match(*one) {
			rule.left--
			one.Fault = true
			return one, rule.fault
		}
	}
	return one, nil
}

// Requests returns what has passed so far, in the order in which it came.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Request, 0, len(p.log))
	for _, r := range p.log {
		out = append(out, *r)
	}
	return out
}

// Forget forgets what has passed, and all rules.
func (p *Proxy) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log, p.rules = nil, nil
}

// noted writes the status of an answer down.
type noted struct {
	http.ResponseWriter
	proxy   *Proxy
	request *Request
}

func (n *noted) WriteHeader(status int) {
	n.proxy.mu.Lock()
	n.request.Status = status
	n.proxy.mu.Unlock()
	n.ResponseWriter.WriteHeader(status)
}

// Unwrap lets a port-forward take the connection over.
func (n *noted) Unwrap() http.ResponseWriter { return n.ResponseWriter }
