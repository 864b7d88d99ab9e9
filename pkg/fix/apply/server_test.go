package apply

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// server is an API server that holds a few objects and fails on demand, which a real one does not.
type server struct {
	t       *testing.T
	mu      sync.Mutex
	objects map[string]map[string]any // by path
	seen    []string                  // "PATCH /path dryRun"
	faults  []fault                   // for the next writes without dryRun, in order
	admit   func(o map[string]any)    // what webhooks change
	alter   func(o map[string]any)    // what they change on the write alone
	before  func(s *server)           // runs before the next write
	groups  map[string]int            // what discovery answers, by path
}

// fault is how a write fails.
type fault struct {
	code  int  // answer with this
	apply bool // after carrying it out
	drop  bool // close the connection instead of answering
	pass  bool // nothing is wrong
}

func newServer(t *testing.T, objects map[string]string) (*server, *Client) {
	t.Helper()
	s := &server{t: t, objects: map[string]map[string]any{}}
	for path, text := range objects {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &o))
		s.objects[path] = o
	}
	http := httptest.NewServer(s)
	t.Cleanup(http.Close)
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(schema.GroupVersionKind{Group: "sparkoperator.k8s.io", Version: "v1beta2", Kind: "SparkApplication"}, meta.RESTScopeNamespace)
	for _, kind := range []string{"Pod", "ConfigMap"} {
		mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: kind}, meta.RESTScopeNamespace)
	}
	conn, err := apiserver.Connect(&rest.Config{Host: http.URL})
	require.NoError(t, err)
	client, err := NewClient(conn, Options{Manager: "test"})
	require.NoError(t, err)
	client.mapper = mapper
	return s, client
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dry := r.URL.Query().Get("dryRun") == "All"
	line := r.Method + " " + r.URL.Path
	if dry {
		line += " dryRun"
	}
	s.seen = append(s.seen, line)
	path, _ := strings.CutSuffix(r.URL.Path, "/status")
	switch {
	case s.groups[r.URL.Path] == http.StatusOK:
		reply(w, http.StatusOK, map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "other.example/v1",
			"resources": []any{}})
	case s.groups[r.URL.Path] != 0:
		refuse(w, s.groups[r.URL.Path], "ServiceUnavailable", "as asked")
	case r.Method == http.MethodGet && r.URL.Query().Has("labelSelector"):
		reply(w, http.StatusOK, map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{}})
	case r.Method == http.MethodGet && s.objects[path] != nil:
		reply(w, http.StatusOK, s.objects[path])
	case s.objects[path] == nil:
		refuse(w, http.StatusNotFound, "NotFound", "not found")
	default:
		s.write(w, r, path, dry)
	}
}

func (s *server) write(w http.ResponseWriter, r *http.Request, path string, dry bool) {
	f := fault{pass: true}
	if !dry {
		if s.before != nil {
			change := s.before
			s.before = nil
			change(s)
		}
		if len(s.faults) > 0 {
			f, s.faults = s.faults[0], s.faults[1:]
		}
	}
	var after map[string]any
	if f.pass || f.apply {
		var err error
		if after, err = s.carryOut(r, path, dry); err != nil {
			refuse(w, http.StatusUnprocessableEntity, "Invalid", err.Error())
			return
		}
	}
	switch {
	case f.pass:
		reply(w, http.StatusOK, after)
	case f.drop:
		panic(http.ErrAbortHandler)
	default:
		refuse(w, f.code, map[int]string{409: "Conflict", 422: "Invalid", 429: "TooManyRequests", 403: "Forbidden"}[f.code], "as asked")
	}
}

func (s *server) carryOut(r *http.Request, path string, dry bool) (map[string]any, error) {
	if r.Method == http.MethodDelete {
		if !dry {
			delete(s.objects, path)
		}
		return map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Success"}, nil
	}
	body, err := io.ReadAll(r.Body)
	require.NoError(s.t, err)
	p, err := jsonpatch.DecodePatch(body)
	require.NoError(s.t, err)
	before, err := json.Marshal(s.objects[path])
	require.NoError(s.t, err)
	text, err := p.Apply(before)
	if err != nil {
		return nil, err
	}
	var after map[string]any
	require.NoError(s.t, json.Unmarshal(text, &after))
	if s.admit != nil {
		s.admit(after)
	}
	if s.alter != nil && !dry {
		s.alter(after)
	}
	if !dry {
		s.objects[path] = after
		s.touch(path)
	}
	return after, nil
}

// touch gives an object a new resourceVersion.
func (s *server) touch(path string) {
	metadata, ok := s.objects[path]["metadata"].(map[string]any)
	require.True(s.t, ok)
	metadata["resourceVersion"] = fmt.Sprintf("%s+", metadata["resourceVersion"])
}

// writes are the requests that were not reads.
func (s *server) writes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []string{}
	for _, line := range s.seen {
		if !strings.HasPrefix(line, "GET ") {
			out = append(out, line)
		}
	}
	return out
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, code int, reason, message string) {
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "0")
	}
	reply(w, code, map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": reason,
		"message": message})
}

// planned is a plan with one fix for each intent, resolved now.
func planned(t *testing.T, c *Client, intents ...fix.Intent) plan.Plan {
	t.Helper()
	var list []plan.Resolved
	for i, intent := range intents {
		f, err := c.Fetch(t.Context(), fix.TraitsOf(intent).Reads)
		require.NoError(t, err)
		r := plan.ResolvedFrom(plan.Candidate{Finding: plan.Finding{Name: fmt.Sprint(i)}, Intent: intent}, f)
		require.NoError(t, r.Err)
		list = append(list, r)
	}
	return plan.NewPlan(plan.Cluster{UID: "c"}, at, list, nil)
}
