package collect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// onList calls fn for requests of a listing, with how many there were before.
func onList(path string, fn func(w http.ResponseWriter, r *http.Request, before int) bool) func(http.ResponseWriter, *http.Request) bool {
	var n atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) bool {
		return r.URL.Path == path && fn(w, r, int(n.Add(1))-1)
	}
}

func expire(w http.ResponseWriter, next string) {
	err := apierrors.NewResourceExpired("The provided continue parameter is too old")
	err.ErrStatus.Continue = next
	fail(w, err)
}

func appNames(s *snapshot.Snapshot) map[string]int {
	out := map[string]int{}
	for _, a := range s.SparkApplications() {
		out[a.Name]++
	}
	return out
}

// TestListingExpires holds that a listing which outlives its revision loses nothing and counts nothing twice.
func TestListingExpires(t *testing.T) {
	for name, c := range map[string]struct {
		expired  func(w http.ResponseWriter, r *http.Request, before int) bool
		requests int
		want     snapshot.State
		apps     int
	}{
		"with a token to go on": {func(w http.ResponseWriter, r *http.Request, before int) bool {
			if before != 1 {
				return false
			}
			expire(w, "again-"+r.URL.Query().Get("continue"))
			return true
		}, 4, snapshot.Complete, 30},
		"twice with a token": {func(w http.ResponseWriter, r *http.Request, before int) bool {
			if before != 1 && before != 3 {
				return false
			}
			expire(w, "again-"+r.URL.Query().Get("continue"))
			return true
		}, 5, snapshot.Complete, 30},
		"without a token: never from the start": {func(w http.ResponseWriter, _ *http.Request, before int) bool {
			if before != 2 {
				return false
			}
			expire(w, "")
			return true
		}, 3, snapshot.Partial, 20},
		"always": {func(w http.ResponseWriter, r *http.Request, before int) bool {
			if before == 0 {
				return false
			}
			expire(w, fmt.Sprint(before, "-", r.URL.Query().Get("continue")))
			return true
		}, 2 + maxExpired, snapshot.Partial, 10},
		"on the first page": {func(w http.ResponseWriter, _ *http.Request, _ int) bool { expire(w, "x"); return true }, 1, snapshot.Unseeable, 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, fleet(30)...)
			unpaged := 0
			server.fault = onList(appsPath, func(w http.ResponseWriter, r *http.Request, before int) bool {
				if r.URL.Query().Get("limit") != "10" {
					unpaged++
				}
				return c.expired(w, r, before)
			})
			most := 0
			s := scan(t, server, ClusterOptions{ChunkSize: 10, Needs: need(snapshot.SparkApplications),
				Progress: func(p Progress) { most = max(most, p.Items) }})
			require.Equal(t, c.want.String(), s.Coverage(snapshot.SparkApplications).State.String())
			require.Len(t, s.SparkApplications(), c.apps)
			require.Len(t, appNames(s), c.apps, "nothing twice")
			require.LessOrEqual(t, most, 30)
			require.Equal(t, c.requests, server.asked(appsPath))
			require.Zero(t, unpaged, "never without pages")
			require.Equal(t, strings.Contains(name, "with a token") || name == "always", s.Coverage(snapshot.SparkApplications).Resumed)
			if c.want != snapshot.Complete {
				require.Equal(t, "the listing expired (410 Gone) before its last page", s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
			}
		})
	}
}

func TestSamePageForEver(t *testing.T) {
	server := newServer(t, fleet(4)...)
	server.fault = onList(appsPath, func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		answer(w, "application/json", map[string]any{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplicationList",
			"metadata": map[string]any{"continue": "x"}, "items": []any{application("a", "team-a")}})
		return true
	})
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	require.Equal(t, snapshot.Partial, s.Coverage(snapshot.SparkApplications).State)
	require.Equal(t, "the server answered with the same page again", s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
}

func TestTooManyRequests(t *testing.T) {
	busy := func(w http.ResponseWriter, after int) bool {
		w.Header().Set("Retry-After", strconv.Itoa(after))
		fail(w, apierrors.NewTooManyRequests("busy", after))
		return true
	}
	server := newServer(t, fleet(4)...)
	server.fault = onList(appsPath, func(w http.ResponseWriter, _ *http.Request, before int) bool { return before == 0 && busy(w, 1) })
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	require.Equal(t, snapshot.Complete, s.Coverage(snapshot.SparkApplications).State)
	require.Equal(t, 2, server.asked(appsPath))

	for after, requests := range map[int]int{0: 11, 3600: 1} {
		server = newServer(t, fleet(4)...)
		server.fault = onList(appsPath, func(w http.ResponseWriter, _ *http.Request, _ int) bool { return busy(w, after) })
		s = scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.SparkPods)})
		require.Equal(t, map[snapshot.View]string{snapshot.SparkApplications: "unreadable"},
			only(states(s), snapshot.SparkApplications, snapshot.SparkPods))
		require.Equal(t, "the API server answered 429 Too Many Requests until the retries were used up",
			s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
		require.Equal(t, requests, server.asked(appsPath), "Retry-After: %d", after)
	}
}

func only(all map[snapshot.View]string, views ...snapshot.View) map[snapshot.View]string {
	out := map[snapshot.View]string{}
	for _, v := range views {
		if state, ok := all[v]; ok {
			out[v] = state
		}
	}
	return out
}

// cut answers with the first part of the true answer and hangs up.
func cut(server *apiServer, w http.ResponseWriter, r *http.Request, clean bool) bool {
	whole := httptest.NewRecorder()
	server.serveObjects(whole, r)
	body := whole.Body.Bytes()
	w.Header().Set("Content-Type", whole.Header().Get("Content-Type"))
	if !clean {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	_, _ = w.Write(body[:len(body)*2/3])
	return true
}

func TestAnswersThatAreCutShort(t *testing.T) {
	for path, view := range map[string]snapshot.View{appsPath: snapshot.SparkApplications, podsPath: snapshot.SparkPods,
		"/api/v1/services": snapshot.Services} {
		for name, clean := range map[string]bool{"the connection ends": false, "the body ends": true} {
			t.Run(string(view)+", "+name, func(t *testing.T) {
				server := newServer(t, fleet(30)...)
				server.fault = onList(path, func(w http.ResponseWriter, r *http.Request, before int) bool {
					return before == 1 && cut(server, w, r, clean)
				})
				s := scan(t, server, ClusterOptions{ChunkSize: 10})
				require.Empty(t, states(s), "the page is read again")
				require.Len(t, s.SparkApplications(), 30)
				require.Len(t, s.SparkPods(), 30)

				server = newServer(t, fleet(30)...)
				server.fault = onList(path, func(w http.ResponseWriter, r *http.Request, before int) bool {
					return before > 0 && cut(server, w, r, clean) || path == "/api/v1/services" && cut(server, w, r, clean)
				})
				s = scan(t, server, ClusterOptions{ChunkSize: 10, Needs: need(view)})
				require.Equal(t, "the answer was cut short", s.Coverage(view).Unseen[0].Reason)
				want := snapshot.Partial
				if view == snapshot.Services {
					want = snapshot.Unseeable
				}
				require.Equal(t, want, s.Coverage(view).State)
			})
		}
	}
}

func TestAnswersOfNoAPIServer(t *testing.T) {
	for _, body := range []string{"<html>", "{}", "[]", `{"kind":"Status","status":"Success"}`, "7"} {
		server := newServer(t)
		server.fault = onList(appsPath, func(w http.ResponseWriter, _ *http.Request, _ int) bool { _, _ = w.Write([]byte(body)); return true })
		s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
		require.Equal(t, snapshot.Unseeable, s.Coverage(snapshot.SparkApplications).State, body)
		require.Equal(t, "reading sparkapplications.sparkoperator.k8s.io: the answer is no list",
			s.Coverage(snapshot.SparkApplications).Unseen[0].Reason, body)
	}
}

func TestItemsThatDoNotDecode(t *testing.T) {
	broken := application("broken", "team-a")
	broken.Object["status"] = map[string]any{"executorState": []any{"a"}}
	noName := application("", "team-a")
	noName.Object["metadata"] = []any{}
	workflow := object("argoproj.io/v1alpha1", "Workflow", "w", "argo")
	workflow.Object["spec"] = "x"
	server := newServer(t, append(fleet(4), broken, workflow)...)
	server.fault = onList(appsPath, func(w http.ResponseWriter, r *http.Request, _ int) bool {
		whole := httptest.NewRecorder()
		server.serveObjects(whole, r)
		var list map[string]any
		require.NoError(t, json.Unmarshal(whole.Body.Bytes(), &list))
		items, ok := list["items"].([]any)
		require.True(t, ok)
		list["items"] = append(items, noName.Object, 7)
		answer(w, "application/json", list)
		return true
	})
	s := scan(t, server, ClusterOptions{})
	require.Equal(t, map[snapshot.View]string{snapshot.SparkApplications: "partial", snapshot.Workflows: "partial"}, states(s))
	require.Len(t, s.SparkApplications(), 5, "a malformed application keeps its metadata")
	require.Equal(t, "status.executorState is a list, not an object", s.SparkApplications()[2].Malformed)
	resource := "sparkapplications.sparkoperator.k8s.io"
	require.Equal(t, []snapshot.Unseen{
		{Verb: "decode", Resource: resource, Reason: "is a number, which does not belong there"},
		{Verb: "decode", Resource: resource, Reason: "metadata is a list, which does not belong there"},
		{Verb: "decode", Resource: resource, Namespace: "team-a", Name: "broken", Reason: "status.executorState is a list, not an object"},
	}, s.Coverage(snapshot.SparkApplications).Unseen)
}
