package apiserver

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// serve answers on this machine and returns the address.
func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

// client is what client-go makes of a connection.
func client(t *testing.T, config *rest.Config) rest.Interface {
	t.Helper()
	conn, err := Connect(config)
	require.NoError(t, err)
	own := conn.Config()
	own.GroupVersion, own.APIPath, own.NegotiatedSerializer = &schema.GroupVersion{Version: "v1"}, "/api", scheme.Codecs.WithoutConversion()
	c, err := rest.RESTClientForConfigAndClient(own, conn.Client())
	require.NoError(t, err)
	return c
}

// TestRedirects holds that credentials go to the API server and to nobody else, and that what was to be written is not read
// instead.
func TestRedirects(t *testing.T) {
	var strangers atomic.Int32
	stranger := serve(t, func(http.ResponseWriter, *http.Request) { strangers.Add(1) })
	elsewhere := "sparkdoctor does not follow, since your credentials would go there"
	for name, c := range map[string]struct {
		verb, to string
		code     int
		want     string // of the error; empty: the answer is that of /end
	}{
		"a read to another port":     {"GET", stranger, 302, "the API server redirects to " + stranger + "; " + elsewhere},
		"a read to another host":     {"GET", "https://elsewhere.invalid/", 301, elsewhere},
		"a read to another scheme":   {"GET", "https:", 308, elsewhere},
		"a write to another port":    {"PATCH", stranger, 307, elsewhere},
		"a deletion":                 {"DELETE", stranger, 308, elsewhere},
		"a review":                   {"POST", stranger, 307, elsewhere},
		"a read on the same server":  {"GET", "/end", 302, ""},
		"a write on the same server": {"PATCH", "/end", 307, ""},
		"a write that became a read": {"PATCH", "/end", 302, "answers a PATCH with a redirect (302 Found) that would turn it into a GET; " +
			"sparkdoctor does not follow"},
		"a deletion as a read of that": {"DELETE", "/end", 303, "answers a DELETE with a redirect (303 See Other) that would turn it into a GET"},
	} {
		t.Run(name, func(t *testing.T) {
			var ends []string
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/end" {
					ends = append(ends, r.Method+" "+r.Header.Get("Authorization"))
					_, _ = w.Write([]byte("end"))
					return
				}
				to := c.to
				if to == "https:" {
					to += "//" + r.Host
				}
				w.Header().Set("Location", to)
				w.WriteHeader(c.code)
			})
			requests := client(t, &rest.Config{Host: server, BearerToken: "t0ken"})
			raw, err := requests.Verb(c.verb).AbsPath("/begin").Body([]byte("{}")).Do(t.Context()).Raw()
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
				require.Empty(t, ends)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "end", string(raw))
			require.Equal(t, []string{c.verb + " Bearer t0ken"}, ends)
		})
	}
	require.Zero(t, strangers.Load())
}

// TestConfigIsGuarded holds that what makes a client of its own out of the configuration goes nowhere else either.
func TestConfigIsGuarded(t *testing.T) {
	var strangers atomic.Int32
	stranger := serve(t, func(http.ResponseWriter, *http.Request) { strangers.Add(1) })
	conn, err := Connect(&rest.Config{Host: serve(t, func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, stranger, http.StatusFound)
	}), BearerToken: "t0ken"})
	require.NoError(t, err)
	own, err := rest.HTTPClientFor(conn.Config())
	require.NoError(t, err)
	_, err = own.Get(conn.Host()) //nolint:bodyclose // there is none
	require.ErrorContains(t, err, "sparkdoctor does not follow")
	require.Zero(t, strangers.Load())
}

// TestRetryAfter holds that a server cannot have a request wait for longer than that may take.
func TestRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		after   string
		timeout time.Duration
		want    int32 // requests
	}{
		"now":                          {"0", time.Minute, 2},
		"ten years":                    {"315360000", time.Minute, 1},
		"ten years, without a timeout": {"315360000", 0, 1},
		"more than a duration holds":   {"9223372036854775807", 0, 1},
		"more than a number holds":     {"99999999999999999999", 0, 1},
		"a date":                       {"Fri, 31 Dec 2055 23:59:59 GMT", time.Minute, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int32
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if requests.Add(1) == 2 {
					return
				}
				w.Header().Set("Retry-After", c.after)
				w.WriteHeader(http.StatusTooManyRequests)
			})
			err := client(t, &rest.Config{Host: server, Timeout: c.timeout}).Get().AbsPath("/x").Do(t.Context()).Error()
			require.Equal(t, c.want == 2, err == nil, "%v", err)
			require.Equal(t, c.want, requests.Load())
		})
	}
}

// endless writes the same until nobody reads it any more.
func endless(w io.Writer, text string) {
	for part := []byte(strings.Repeat(text, 1+(64<<10)/len(text))); ; {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
}

// TestLongAnswers holds that an answer which is kept whole has an end, also one that is small before it is unpacked.
func TestLongAnswers(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"plain": func(w http.ResponseWriter, _ *http.Request) { endless(w, "x") },
		"gzip": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			endless(gzip.NewWriter(w), "x")
		},
		"an error": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			endless(w, "x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client(t, &rest.Config{Host: serve(t, answer)}).Get().AbsPath("/x").Do(t.Context()).Raw()
			most := map[bool]string{true: "8", false: "64"}[name == "gzip"]
			require.ErrorContains(t, err, "the answer is longer than "+most+" MiB, more than sparkdoctor keeps of one")
		})
	}
	t.Run("in pieces", func(t *testing.T) {
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) { endless(w, "x") })
		body, err := client(t, &rest.Config{Host: server}).Get().AbsPath("/x").Stream(Streamed(t.Context(), new(input.Budget)))
		require.NoError(t, err)
		n, err := io.CopyN(io.Discard, body, maxAnswer+1)
		require.NoError(t, err, "%d", n)
		require.NoError(t, body.Close())
	})
}

// TestAnswerOfTheLimit holds that the limit itself fits.
func TestAnswerOfTheLimit(t *testing.T) {
	for extra, want := range map[int]error{0: nil, 1: tooLong(1000)} {
		_, err := io.ReadAll(&bounded{Reader: strings.NewReader(strings.Repeat("x", 1000+extra)), most: func() int64 { return 1000 }})
		require.ErrorIs(t, err, want)
	}
}

func TestAddressIsNeeded(t *testing.T) {
	_, err := Connect(&rest.Config{Host: "http://[::1"})
	require.ErrorContains(t, err, "the address of the API server: ")
}
