package apiserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// guard sees every request after the credentials were added and before anything is sent, and every answer first.
type guard struct {
	next    http.RoundTripper
	server  *url.URL
	timeout time.Duration // of a request; 0: none
	plain   bool          // nothing is compressed: the configuration says so
}

// RoundTrip sends a request to the API server and nowhere else: net/http follows redirects, and the layers of client-go
// add the credentials to each request that results.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := g.refuse(req); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	req, packed := g.packed(req)
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	if after := resp.Header.Get("Retry-After"); after != "" && !bearable(after, g.timeout) {
		resp.Header.Del("Retry-After")
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		bound(req, resp, packed)
	}
	return resp, nil
}

// WrappedRoundTripper is what client-go looks for to end a request whose time is up.
func (g *guard) WrappedRoundTripper() http.RoundTripper { return g.next }

// Redirect is the error of a request that is not sent on to where the API server redirects it.
type Redirect struct {
	Seen bool // the server may have carried the request out: it answered 303, as to a form (RFC 9110, section 15.4.4)
	text string
}

func (e *Redirect) Error() string { return e.text }

func (g *guard) refuse(req *http.Request) error {
	r := req.Response
	refused := func(format string, args ...any) error {
		return &Redirect{Seen: r != nil && r.StatusCode == http.StatusSeeOther, text: fmt.Sprintf(format, args...)}
	}
	if req.URL.Scheme != g.server.Scheme || address(req.URL) != address(g.server) {
		return refused("the API server redirects to %s://%s; sparkdoctor does not follow, since your credentials would go there",
			req.URL.Scheme, req.URL.Host)
	}
	// After 301, 302 and 303 net/http goes on with a GET: what was to be written would seem to be.
	if r != nil && r.Request != nil && r.Request.Method != req.Method {
		return refused("the API server answers a %s with a redirect (%s) that would turn it into a %s; sparkdoctor does not follow",
			r.Request.Method, r.Status, req.Method)
	}
	return nil
}

// address returns host and port.
func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// longestWait is how long a server may have a request wait, if the request has no timeout.
const longestWait = 5 * time.Minute

// bearable reports whether Retry-After is shorter than the timeout of a request: client-go waits as long as the server
// says, up to ten times (k8s.io/client-go/rest/with_retry.go@v0.37.2).
func bearable(after string, timeout time.Duration) bool {
	if timeout <= 0 {
		timeout = longestWait
	}
	seconds, err := strconv.ParseUint(after, 10, 63)
	return err == nil && seconds <= uint64(timeout/time.Second)
}

// maxAnswer bounds an answer that is kept whole: one object, a page of an application's pods, what the server serves. etcd
// takes no object above 1.5 MiB.
const maxAnswer = 64 << 20

// bounded is a body that ends in an error where it becomes too long for what arrived.
type bounded struct {
	io.Reader
	read int64
	most func() int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read > b.most() {
		return 0, tooLong(b.most())
	}
	n, err := b.Reader.Read(p)
	if b.read += int64(n); b.read > b.most() {
		return n, tooLong(b.most())
	}
	return n, err
}

// tooLong is the error of an answer that is longer than so many bytes.
type tooLong int64

func (most tooLong) Error() string {
	return fmt.Sprintf("the answer is longer than %d MiB, more than sparkdoctor keeps of one", most>>20)
}

type streamedKey struct{}

// Streamed marks requests whose answers are read piece by piece, by a reader that has a bound of its own. What arrives is counted in a
// budget.
func Streamed(ctx context.Context, spent *input.Budget) context.Context {
	return context.WithValue(ctx, streamedKey{}, spent)
}
