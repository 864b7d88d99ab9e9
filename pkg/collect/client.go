// Package collect reads: an API server, page by page, or plain files, into a snapshot. It is the only package that
// reads from a cluster, and it never writes to one.
package collect

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// client makes requests and knows what time it is at the server.
type client struct {
	rest      *rest.RESTClient
	discovery *discovery.DiscoveryClient
	date      *serverDate
}

func newClient(config *rest.Config) (*client, error) {
	config = rest.CopyConfig(config)
	// A scan makes a few dozen large requests; priority and fairness on the server is the limit that counts.
	config.QPS, config.Burst = 50, 100
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	date := &serverDate{}
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper { return headerReader{rt, date, config.Timeout} })
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	restClient, err := rest.UnversionedRESTClientForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, err
	}
	dc, err := discovery.NewDiscoveryClientForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, err
	}
	return &client{rest: restClient, discovery: dc, date: date}, nil
}

// stream opens the body of a GET. client-go waits and tries again on 429 and 5xx with Retry-After.
func (c *client) stream(ctx context.Context, path, accept string, params map[string]string) (io.ReadCloser, error) {
	req := c.rest.Get().AbsPath(path).SetHeader("Accept", accept)
	for name, value := range params {
		if value != "" {
			req = req.Param(name, value)
		}
	}
	return req.Stream(ctx)
}

// serverDate is the Date header of the first answer: ages are judged by the server's clock, not the laptop's.
type serverDate struct{ unix atomic.Int64 }

func (d *serverDate) now(fallback time.Time) time.Time {
	if t := d.unix.Load(); t != 0 {
		return time.Unix(t, 0).UTC()
	}
	return fallback.UTC()
}

// headerReader reads the Date of answers, and does not let Retry-After make a request longer than its timeout: client-go
// waits as long as the server says, up to ten times.
type headerReader struct {
	next    http.RoundTripper
	date    *serverDate
	timeout time.Duration
}

func (r headerReader) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	if t, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		r.date.unix.CompareAndSwap(0, t.Unix())
	}
	if after, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && r.timeout > 0 && time.Duration(after)*time.Second > r.timeout {
		resp.Header.Del("Retry-After")
	}
	return resp, nil
}
