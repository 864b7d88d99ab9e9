package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// apiServer answers discovery, lists and gets from manifests, as JSON, and keeps what patches make of them.
type apiServer struct {
	*httptest.Server
	now           time.Time
	sources       []snapshot.Source
	objects       []*unstructured.Unstructured
	logs          map[string]string // by pod
	deny          func(*http.Request) bool
	goneWhenNamed string                                        // end of the path of an object that is listed and not found
	user          string                                        // who asks, as the server knows it
	answer        func(http.ResponseWriter, *http.Request) bool // true: it was answered

	mu      sync.Mutex
	patches []string
}

func newAPIServer(t *testing.T, now time.Time, manifests ...string) *apiServer {
	t.Helper()
	s := &apiServer{now: now, sources: snapshot.Sources(), logs: map[string]string{}}
	for _, text := range manifests {
		s.add(t, text)
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// add reads documents of YAML, and lists in them.
func (s *apiServer) add(t *testing.T, text string) {
	t.Helper()
	for _, doc := range strings.Split("\n"+text, "\n---\n") {
		var o map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(doc), &o), doc)
		if items, isList := o["items"].([]any); isList {
			for _, item := range items {
				one, _ := item.(map[string]any)
				s.objects = append(s.objects, &unstructured.Unstructured{Object: one})
			}
		} else if o["kind"] != nil {
			s.objects = append(s.objects, &unstructured.Unstructured{Object: o})
		}
	}
}

// addFiles reads all manifests of a directory.
func (s *apiServer) addFiles(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file) // #nosec G304 -- a test
		require.NoError(t, err)
		s.add(t, string(text))
	}
}

// kubeconfig returns a file that leads to the server; userInfo stands before the host.
func (s *apiServer) kubeconfig(t *testing.T, userInfo string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(path, []byte(s.config(userInfo)), 0o600))
	return path
}

func (s *apiServer) config(userInfo string) string {
	server := strings.Replace(s.URL, "://", "://"+userInfo, 1)
	return fmt.Sprintf("{apiVersion: v1, kind: Config, clusters: [{name: c, cluster: {server: %q}}], contexts: [{name: test, context: "+
		"{cluster: c, user: u}}], users: [{name: u, user: {}}], current-context: test}", server)
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", s.now.Format(http.TimeFormat))
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case s.answer != nil && s.answer(w, r):
	case strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews"):
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","status":{"allowed":true}}`))
	case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview", "status": {"userInfo": `+
			`{"username": %q}}}`, s.user)
	case s.goneWhenNamed != "" && strings.HasSuffix(r.URL.Path, s.goneWhenNamed):
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
	case s.deny != nil && s.deny(r):
		fail(w, http.StatusForbidden, metav1.StatusReasonForbidden, "not allowed")
	case len(parts) == 1:
		s.discovery(w, parts[0] == "api")
	case parts[len(parts)-1] == "log":
		_, _ = w.Write([]byte(s.logs[parts[len(parts)-2]]))
	default:
		s.serve(w, r, parts)
	}
}

func (s *apiServer) discovery(w http.ResponseWriter, core bool) {
	byVersion := map[schema.GroupVersion][]apidiscoveryv2.APIResourceDiscovery{}
	var order []schema.GroupVersion
	for _, src := range s.sources {
		gv := schema.GroupVersion{Group: src.Group, Version: src.Version}
		if (src.Group == "") != core || slices.ContainsFunc(byVersion[gv],
			func(r apidiscoveryv2.APIResourceDiscovery) bool { return r.Resource == src.Resource }) {
			continue
		}
		scope := apidiscoveryv2.ScopeCluster
		if src.Namespaced {
			scope = apidiscoveryv2.ScopeNamespace
		}
		if byVersion[gv] == nil {
			order = append(order, gv)
		}
		byVersion[gv] = append(byVersion[gv], apidiscoveryv2.APIResourceDiscovery{
			Resource: src.Resource, ResponseKind: &metav1.GroupVersionKind{Group: src.Group, Version: src.Version, Kind: src.Kind},
			Scope: scope, SingularResource: strings.ToLower(src.Kind), Verbs: []string{"get", "list", "patch"},
		})
	}
	var list apidiscoveryv2.APIGroupDiscoveryList
	for _, gv := range order {
		list.Items = append(list.Items, apidiscoveryv2.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: gv.Group},
			Versions: []apidiscoveryv2.APIVersionDiscovery{{Version: gv.Version, Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent,
				Resources: byVersion[gv]}}})
	}
	list.Kind, list.APIVersion = "APIGroupDiscoveryList", "apidiscovery.k8s.io/v2"
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	_ = json.NewEncoder(w).Encode(list)
}

func (s *apiServer) serve(w http.ResponseWriter, r *http.Request, parts []string) {
	version := parts[1]
	rest := parts[2:]
	if parts[0] == "apis" {
		version, rest = parts[1]+"/"+parts[2], parts[3:]
	}
	namespace, name := "", ""
	if len(rest) == 0 { // the resources of a version, which only a client without aggregated discovery asks for
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
		return
	}
	if rest[0] == "namespaces" && len(rest) > 2 {
		namespace, rest = rest[1], rest[2:]
	}
	if len(rest) > 1 {
		name = rest[1]
	}
	i := slices.IndexFunc(s.sources, func(src snapshot.Source) bool { return src.APIVersion() == version && src.Resource == rest[0] })
	if i < 0 {
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
		return
	}
	found := s.matching(s.sources[i], namespace, r)
	w.Header().Set("Content-Type", "application/json")
	if name == "" {
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": version, "kind": s.sources[i].Kind + "List",
			"metadata": map[string]any{"resourceVersion": "7"}, "items": found})
		return
	}
	at := slices.IndexFunc(found, func(o map[string]any) bool { return (&unstructured.Unstructured{Object: o}).GetName() == name })
	if at < 0 {
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
		return
	}
	if r.Method == http.MethodPatch {
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		s.mu.Lock()
		s.patches = append(s.patches, body.String())
		s.mu.Unlock()
		answer, err := patched(found[at], body.Bytes())
		if err != nil {
			fail(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, err.Error())
			return
		}
		if r.URL.Query().Get("dryRun") == "" {
			s.keep(found[at], answer)
		}
		_, _ = w.Write(answer)
		return
	}
	_ = json.NewEncoder(w).Encode(found[at])
}

// keep puts what a patch made of an object in its place: a fix looks whether it helped, and waits for controllers where it did not.
func (s *apiServer) keep(object map[string]any, answer []byte) {
	var made map[string]any
	if json.Unmarshal(answer, &made) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.objects {
		if was := (&unstructured.Unstructured{Object: object}); o.GetUID() == was.GetUID() && o.GetName() == was.GetName() {
			o.Object = made
		}
	}
}

// patched is an object as a JSON patch makes it.
func patched(object map[string]any, body []byte) ([]byte, error) {
	p, err := jsonpatch.DecodePatch(body)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return p.Apply(before)
}

func (s *apiServer) matching(src snapshot.Source, namespace string, r *http.Request) []map[string]any {
	selector, _ := labels.Parse(r.URL.Query().Get("labelSelector"))
	field, _ := fields.ParseSelector(r.URL.Query().Get("fieldSelector"))
	found := []map[string]any{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.objects {
		reason, _, _ := unstructured.NestedString(o.Object, "reason")
		eventType, _, _ := unstructured.NestedString(o.Object, "type")
		if o.GetAPIVersion() == src.APIVersion() && o.GetKind() == src.Kind && (namespace == "" || o.GetNamespace() == namespace) &&
			selector.Matches(labels.Set(o.GetLabels())) && field.Matches(fields.Set{"reason": reason, "type": eventType}) {
			found = append(found, o.Object)
		}
	}
	slices.SortFunc(found, func(a, b map[string]any) int {
		x, y := &unstructured.Unstructured{Object: a}, &unstructured.Unstructured{Object: b}
		return cmp.Or(cmp.Compare(x.GetNamespace(), y.GetNamespace()), cmp.Compare(x.GetName(), y.GetName()))
	})
	return found
}

func fail(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	// #nosec G115 -- a status
	_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure",
		Code: int32(code), Reason: reason, Message: message})
}
