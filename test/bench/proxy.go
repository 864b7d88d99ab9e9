package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
)

// proxy passes requests on to the API server as the administrator, and writes down what passes. It listens on the
// loopback address only, and nothing is timed through it.
type proxy struct {
	url    string
	server *http.Server

	mu   sync.Mutex
	log  []*plan.Seen
	open sync.WaitGroup // requests under way
}

func startProxy(config *rest.Config) (*proxy, error) {
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("parsing the API server's address: %w", err)
	}
	config = rest.CopyConfig(config)
	config.DisableCompression = true // neither asks for it nor undoes what the client asked for
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("making the proxy's client: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the proxy: %w", err)
	}
	p := &proxy{url: "http://" + listener.Addr().String()}
	forward := &httputil.ReverseProxy{
		Transport:      transport,
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: p.count,
		FlushInterval:  -1,
	}
	p.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one := p.begin(r)
		defer p.open.Done()
		if r.Body != nil {
			r.Body = counted{r.Body, &one.Sent}
		}
		forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), seenKey{}, one)))
		one.End = time.Now()
	})}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

func (p *proxy) begin(r *http.Request) *plan.Seen {
	one := &plan.Seen{Start: time.Now(), Request: plan.Request{
		URI: r.URL.RequestURI(), Accept: r.Header.Get("Accept"), AcceptEncoding: r.Header.Get("Accept-Encoding"),
	}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open.Add(1)
	p.log = append(p.log, one)
	return one
}

type seenKey struct{}

func (p *proxy) count(resp *http.Response) error {
	one, ok := resp.Request.Context().Value(seenKey{}).(*plan.Seen)
	if !ok {
		return fmt.Errorf("request %s is not known", resp.Request.URL)
	}
	one.Status = resp.StatusCode
	resp.Body = counted{resp.Body, &one.Bytes}
	return nil
}

type counted struct {
	io.ReadCloser
	n *int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	*c.n += int64(n)
	return n, err
}

// take returns what has passed since the last call, when all of it is through.
func (p *proxy) take() []*plan.Seen {
	p.open.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	log := p.log
	p.log = nil
	return log
}

func (p *proxy) close() error { return p.server.Close() }
