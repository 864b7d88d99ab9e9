package collect

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestServerThatHangs(t *testing.T) {
	for name, before := range map[string]func(http.ResponseWriter){
		"before the answer": func(http.ResponseWriter) {},
		"within the answer": func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"items":[`)); w.(http.Flusher).Flush() }, //nolint:forcetypeassert // net/http's
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, fleet(4)...)
			server.fault = onList(appsPath, func(w http.ResponseWriter, r *http.Request, _ int) bool {
				before(w)
				<-r.Context().Done()
				return true
			})
			config := server.config()
			config.Timeout = time.Second
			s, _, err := Cluster(t.Context(), connected(t, config), ClusterOptions{Needs: everything(), Now: time.Now})
			require.NoError(t, err)
			require.Equal(t, "timed out", s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
			require.Equal(t, map[snapshot.View]string{snapshot.SparkApplications: "unreadable"}, states(s))
			require.Len(t, s.SparkPods(), 4)
			require.Equal(t, 1, server.asked(appsPath))
		})
	}
}

// TestSlowLine holds that pages become smaller where one takes longer than a request may.
func TestSlowLine(t *testing.T) {
	for name, c := range map[string]struct {
		limit int // up to which the server answers in time
		chunk int64
		want  snapshot.State
	}{
		"half a page":       {100, 0, snapshot.Complete},
		"less than a page":  {10, 0, snapshot.Complete},
		"as the user wants": {10, 80, snapshot.Complete},
		"nothing":           {0, 0, snapshot.Unseeable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, fleet(30)...)
			server.fault = onList(appsPath, func(w http.ResponseWriter, r *http.Request, _ int) bool {
				if limit, _ := strconv.Atoi(r.URL.Query().Get("limit")); limit <= c.limit {
					return false
				}
				_, _ = w.Write([]byte(`{"items":[` + strings.Repeat(" ", 2*slowBytes)))
				w.(http.Flusher).Flush() //nolint:forcetypeassert // net/http's
				<-r.Context().Done()
				return true
			})
			config := server.config()
			config.Timeout = time.Second
			s, _, err := Cluster(t.Context(), connected(t, config), ClusterOptions{Needs: need(snapshot.SparkApplications), ChunkSize: c.chunk,
				Now: time.Now})
			require.NoError(t, err)
			require.Equal(t, c.want.String(), s.Coverage(snapshot.SparkApplications).State.String())
			if c.want == snapshot.Complete {
				require.Len(t, s.SparkApplications(), 30)
			} else {
				require.Equal(t, errSlow.Error(), s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
			}
		})
	}
}

// TestSecondAPage holds that a server which takes a second for every page is waited for: nothing is asked for twice, pages
// do not become smaller, and all of it is seen.
func TestSecondAPage(t *testing.T) {
	t.Parallel()
	server := newServer(t, fleet(30)...)
	slow := func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		select {
		case <-r.Context().Done():
		case <-time.After(time.Second):
		}
		return false
	}
	apps, pods := onList(appsPath, slow), onList("/api/v1/pods", slow)
	server.fault = func(w http.ResponseWriter, r *http.Request) bool { return apps(w, r) || pods(w, r) }
	config := server.config()
	config.Timeout = 30 * time.Second
	s, again, err := Cluster(t.Context(), connected(t, config),
		ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.SparkPods), ChunkSize: 10, Now: time.Now})
	require.NoError(t, err)
	require.Len(t, s.SparkApplications(), 30)
	require.Len(t, s.SparkPods(), 30)
	for _, v := range []snapshot.View{snapshot.SparkApplications, snapshot.SparkPods} {
		require.Equal(t, snapshot.Complete, s.Coverage(v).State)
	}
	require.Equal(t, 3, server.asked(appsPath))
	require.Equal(t, 3, server.asked("/api/v1/pods"))
	for _, c := range again.Costs() {
		if c.Of == string(snapshot.SparkApplications) {
			require.Equal(t, 3, c.Requests)
		}
	}
}

func TestInterrupted(t *testing.T) {
	server := newServer(t, fleet(30)...)
	ctx, cancel := context.WithCancel(t.Context())
	server.fault = onList(appsPath, func(_ http.ResponseWriter, r *http.Request, before int) bool {
		if before == 0 {
			return false
		}
		cancel()
		<-r.Context().Done() // the client hangs up
		return true
	})
	var mu sync.Mutex
	done := map[snapshot.View]bool{}
	_, _, err := scanErr(ctx, server, ClusterOptions{ChunkSize: 10, Progress: func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		done[p.View] = done[p.View] || p.Done
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, done[snapshot.SparkApplications], "what was not read to its end is not done")
	require.Equal(t, 2, server.asked(appsPath))
}
