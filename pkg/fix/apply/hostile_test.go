package apply

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// against returns a client of a server that answers as a test says.
func against(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	conn, err := apiserver.Connect(&rest.Config{Host: server.URL, BearerToken: "t0ken"})
	require.NoError(t, err)
	c, err := NewClient(conn, Options{Manager: "test"})
	require.NoError(t, err)
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, meta.RESTScopeNamespace)
	c.mapper = mapper
	return c
}

var pod = snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "p", UID: "u"}

// stepsOnPod are a patch and a deletion, resolved as those of a plan are.
func stepsOnPod(t *testing.T) []fix.Step {
	t.Helper()
	fresh := fix.NewFresh()
	fresh.Put(&fix.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "status": map[string]any{"phase": "Succeeded"},
		"metadata": map[string]any{"namespace": "a", "name": "p", "uid": "u", "resourceVersion": "1", "finalizers": []any{"example.com/x"}},
	}})
	var out []fix.Step
	for _, i := range []fix.Intent{fix.DeleteObject{Object: pod}, fix.RemoveFinalizer{Object: pod, Name: "example.com/x"}} {
		if i, patches := i.(fix.RemoveFinalizer); patches {
			fresh.Object(i.Object).SetDeletionTimestamp(&metav1.Time{Time: at})
		}
		steps, err := fix.Resolve(i, fresh)
		require.NoError(t, err)
		out = append(out, steps...)
	}
	return out
}

// TestPodsThatNeverEnd holds that a list which never ends is given up.
func TestPodsThatNeverEnd(t *testing.T) {
	var pages atomic.Int32
	c := against(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"apiVersion": "v1", "kind": "PodList",
			"metadata": map[string]any{"continue": strconv.Itoa(int(pages.Add(1)))}, "items": []any{}})
	})
	_, err := c.Fetch(t.Context(), []fix.Read{{Ref: pod, Selector: "app=a"}})
	require.EqualError(t, err, "listing what has app=a in namespace a: the server sent 3 empty pages in a row and still says that the list "+
		"goes on")
	require.EqualValues(t, 3, pages.Load())
}

// TestRefusalsWithoutAMessage holds that every failure says something, and that what it is stays known.
func TestRefusalsWithoutAMessage(t *testing.T) {
	c := against(t, func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusConflict, "Conflict", "") })
	asks := []func() error{
		func() error { _, err := c.ClusterUID(t.Context(), System); return err },
		func() error { _, err := c.Fetch(t.Context(), []fix.Read{{Ref: pod}}); return err },
		func() error { _, err := c.Fetch(t.Context(), []fix.Read{{Ref: pod, Selector: "app=a"}}); return err },
		func() error {
			_, err := c.Lacks(t.Context(), []plan.Permission{{Object: pod, Verb: "patch"}})
			return err
		},
	}
	for _, step := range stepsOnPod(t) {
		asks = append(asks, func() error { _, err := c.send(t.Context(), step, false); return err })
	}
	for _, ask := range asks {
		err := ask()
		require.ErrorContains(t, err, "the API server answered 409 (Conflict) without a message")
		require.Equal(t, moved, answerOf(err))
	}
}

// TestRedirectsOfWrites holds that neither the credentials nor what is written go anywhere else, and that a write which
// net/http would go on with as a read is not taken for one that was carried out.
func TestRedirectsOfWrites(t *testing.T) {
	var strangers atomic.Int32
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	t.Cleanup(stranger.Close)
	const other = "/api/v1/namespaces/a/pods/other"
	for _, tc := range []struct {
		to   string
		code int
		want answer // it is not tried again, unless the server may have done it
	}{
		{stranger.URL, http.StatusTemporaryRedirect, denied}, {stranger.URL, http.StatusPermanentRedirect, denied},
		{other, http.StatusFound, denied}, {other, http.StatusMovedPermanently, denied}, {other, http.StatusSeeOther, unanswered},
	} {
		c := against(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == other {
				reply(w, http.StatusOK, map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "other"}})
				return
			}
			http.Redirect(w, r, tc.to, tc.code)
		})
		_, err := c.Lacks(t.Context(), []plan.Permission{{Object: pod, Verb: "patch"}})
		require.ErrorContains(t, err, "sparkdoctor does not follow", "the review of permissions")
		for _, step := range stepsOnPod(t) {
			_, err := c.send(t.Context(), step, false)
			require.ErrorContains(t, err, "sparkdoctor does not follow")
			require.Equal(t, tc.want, answerOf(err), "%d", tc.code)
		}
	}
	require.Zero(t, strangers.Load())
}
