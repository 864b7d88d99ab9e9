// Package collect reads an API server, page by page, into a snapshot. It is the only package that reads from a cluster, and it never
// writes to one. What reads files instead is collect/manifests.
package collect

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// client makes requests and knows what time it is at the server.
type client struct {
	rest      *rest.RESTClient
	discovery *discovery.DiscoveryClient
	date      *serverDate
	meter     *meter
	near      *nearness
}

// newClient makes the client of one scan. It makes at most qps requests a second, and burst at once before that counts.
func newClient(conn *apiserver.Connection, qps float32, burst int) (*client, error) {
	config, shared := conn.Config(), conn.Client()
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.QPS, config.Burst = qps, burst
	c := &client{date: &serverDate{}, meter: &meter{}, near: &nearness{}}
	httpClient := &http.Client{Transport: headerReader{shared.Transport, c}, Timeout: shared.Timeout}
	var err error
	c.rest, err = rest.UnversionedRESTClientForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, err
	}
	c.discovery, err = discovery.NewDiscoveryClientForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *client) get(path, accept string) *rest.Request {
	req := c.rest.Get().AbsPath(path).SetHeader("Accept", accept)
	if c.near.isNear() {
		req = req.SetHeader("Accept-Encoding", "identity")
	}
	return req
}

// stream opens the body of a GET, which the caller bounds; what arrives is counted in a budget. client-go waits and tries again on 429
// and 5xx with Retry-After.
func (c *client) stream(ctx context.Context, spent *input.Budget, path, accept string, params map[string]string) (io.ReadCloser, error) {
	req := c.get(path, accept)
	for name, value := range params {
		if value != "" {
			req = req.Param(name, value)
		}
	}
	return req.Stream(apiserver.Streamed(ctx, spent))
}

// serverDate is the Date header of the first answer: ages are judged by the server's clock, not the laptop's.
type serverDate struct{ unix atomic.Int64 }

func (d *serverDate) now(fallback time.Time) time.Time {
	if t := d.unix.Load(); t != 0 {
		return time.Unix(t, 0).UTC()
	}
	return fallback.UTC()
}

// headerReader reads the Date of answers, and counts them.
type headerReader struct {
	next http.RoundTripper
	c    *client
}

func (r headerReader) RoundTrip(req *http.Request) (*http.Response, error) {
	done := r.c.meter.begin(req.Context())
	resp, err := r.next.RoundTrip(r.c.near.trace(req))
	done(resp)
	if err != nil {
		return resp, err
	}
	if t, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		r.c.date.unix.CompareAndSwap(0, t.Unix())
	}
	return resp, nil
}

// WrappedRoundTripper is what client-go looks for to end a request whose time is up.
func (r headerReader) WrappedRoundTripper() http.RoundTripper { return r.next }

// nearness knows how long the server takes to answer the quickest request, which is a small one of discovery. Compressing
// and decompressing costs both sides processor time, which is what is scarce where nothing is far away. A tunnel or a
// proxy on this machine does not deceive it.
type nearness struct{ nanoseconds atomic.Int64 }

// farAway is a round trip over which bandwidth, not processors, may be what is scarce.
const farAway = 8 * time.Millisecond

func (n *nearness) isNear() bool {
	quickest := n.nanoseconds.Load()
	return quickest > 0 && quickest < int64(farAway)
}

// trace measures from the end of the request to the first byte of the answer.
func (n *nearness) trace(req *http.Request) *http.Request {
	var wrote atomic.Int64 // set and read by different goroutines
	now := time.Now()
	return req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { wrote.Store(int64(time.Since(now))) },
		GotFirstResponseByte: func() {
			took := max(1, int64(time.Since(now))-wrote.Load())
			for {
				known := n.nanoseconds.Load()
				if known > 0 && known <= took || n.nanoseconds.CompareAndSwap(known, took) {
					return
				}
			}
		},
	}))
}
