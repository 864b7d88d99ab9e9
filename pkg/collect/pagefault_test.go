package collect

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestHalfOfThePagesFailOnce holds that what fails once is asked for once more, and nothing else is.
func TestHalfOfThePagesFailOnce(t *testing.T) {
	for name, broken := range map[string]func(*apiServer, http.ResponseWriter, *http.Request){
		"500": func(_ *apiServer, w http.ResponseWriter, _ *http.Request) {
			fail(w, apierrors.NewInternalError(io.EOF))
		},
		"503": func(_ *apiServer, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"504": func(_ *apiServer, w http.ResponseWriter, _ *http.Request) {
			fail(w, apierrors.NewTimeoutError("slow", 0))
		},
		"torn": func(s *apiServer, w http.ResponseWriter, r *http.Request) { cut(s, w, r, true) },
		"hung up": func(_ *apiServer, w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, fleet(60)...)
			var mu sync.Mutex
			seen, failed := map[string]int{}, 0
			server.fault = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != podsPath && r.URL.Path != appsPath {
					return false
				}
				mu.Lock()
				page := r.URL.Path + r.URL.Query().Get("continue")
				seen[page]++
				fails := seen[page] == 1 && len(seen)%2 == 0
				if fails {
					failed++
				}
				mu.Unlock()
				if fails {
					broken(server, w, r)
				}
				return fails
			}
			s := scan(t, server, ClusterOptions{ChunkSize: 10, Needs: need(snapshot.SparkApplications, snapshot.SparkPods)})
			require.Empty(t, only(states(s), snapshot.SparkApplications, snapshot.SparkPods))
			require.Len(t, appNames(s), 60)
			require.Len(t, s.SparkPods(), 60)
			require.Equal(t, 6, failed, "half of 12 pages")
			most := 2
			if name == "hung up" {
				most = 3 // net/http itself repeats what a connection that it had used before did not answer
			}
			for page, times := range seen {
				require.LessOrEqual(t, times, most, page)
			}
		})
	}
}

// TestServerThatOnlyFails holds that failing requests end.
func TestServerThatOnlyFails(t *testing.T) {
	server := newServer(t, fleet(4)...)
	server.fault = onList(appsPath, func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		fail(w, apierrors.NewInternalError(io.EOF))
		return true
	})
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	require.Equal(t, snapshot.Unseeable, s.Coverage(snapshot.SparkApplications).State)
	require.Equal(t, 1+pageRetries, server.asked(appsPath))
}

// TestNextPageIsAskedForEarly holds that the server works on a page while the one before it is read, and on no more.
func TestNextPageIsAskedForEarly(t *testing.T) {
	server := newServer(t, fleet(40)...)
	second := make(chan struct{})
	server.fault = onList(podsPath, func(w http.ResponseWriter, r *http.Request, before int) bool {
		switch before {
		case 0: // all but the last byte, and the rest when the second page was asked for
			whole := httptest.NewRecorder()
			server.serveObjects(whole, r)
			body := whole.Body.Bytes()
			w.Header().Set("Content-Type", whole.Header().Get("Content-Type"))
			_, _ = w.Write(body[:len(body)-1])
			w.(http.Flusher).Flush() //nolint:forcetypeassert // net/http's
			<-second
			_, _ = w.Write(body[len(body)-1:])
			return true
		case 1:
			close(second)
		}
		return false
	})
	s := scan(t, server, ClusterOptions{ChunkSize: 10, Needs: need(snapshot.SparkPods)})
	require.Len(t, s.SparkPods(), 40)
	require.Equal(t, 4, server.asked(podsPath))
}

// TestCompressionIsForDistance holds that a server which is near is not made to compress.
func TestCompressionIsForDistance(t *testing.T) {
	for took, want := range map[time.Duration]string{0: "gzip", farAway - 1: "identity", farAway: "gzip", time.Second: "gzip"} {
		var got string
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("Accept-Encoding") }))
		c, err := newClient(connected(t, &rest.Config{Host: server.URL}), 0, 0)
		require.NoError(t, err)
		c.near.nanoseconds.Store(int64(took))
		body, err := c.stream(t.Context(), new(input.Budget), "/api/v1/pods", "application/json", nil)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		server.Close()
		require.Equal(t, want, got, took)
		require.Positive(t, c.near.nanoseconds.Load(), "what was seen is remembered")
	}
}
