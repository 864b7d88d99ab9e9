package scan

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
)

// server is an API server that holds a few objects, takes patches of them, and lets the user do everything.
type server struct {
	t       *testing.T
	mu      sync.Mutex
	objects map[string]string // JSON by path
	patched []string          // paths, in order; not those of a dry run
}

const (
	configurationPath = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/c"
	deploymentPath    = "/apis/apps/v1/namespaces/op/deployments/webhook"
	secretPath        = "/api/v1/namespaces/op/secrets/certs"
)

// newWriter writes to a server with a webhook's configuration, its Deployment and its Secret.
func newWriter(t *testing.T) (*server, Writer) {
	t.Helper()
	s := &server{t: t, objects: map[string]string{
		"/api/v1/namespaces/kube-system": `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system","uid":"cluster"}}`,
		configurationPath: `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"c","uid":"c","resourceVersion":"1",
			"managedFields":[{"manager":"test","fieldsV1":{"f:webhooks":{"k:{\"name\":\"w.sparkoperator.k8s.io\"}":{"f:clientConfig":{"f:caBundle":{}}}}}}]},
			"webhooks":[{"name":"w.sparkoperator.k8s.io","clientConfig":{"caBundle":"b2xk"}}]}`,
		deploymentPath: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"op","name":"webhook","uid":"d","resourceVersion":"1"},
			"spec":{"replicas":1,"template":{"metadata":{}}},"status":{"replicas":1,"updatedReplicas":1,"availableReplicas":1}}`,
		secretPath: `{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"op","name":"certs","uid":"s","resourceVersion":"1"},"data":{"ca-cert.pem":"bmV3"}}`,
	}}
	http := httptest.NewServer(s)
	t.Cleanup(http.Close)
	conn, err := apiserver.Connect(&rest.Config{Host: http.URL})
	require.NoError(t, err)
	client, err := apply.NewClient(conn, apply.Options{Manager: "test"})
	require.NoError(t, err)
	w, err := NewWriter(t.Context(), client)
	require.NoError(t, err)
	require.Equal(t, "cluster", w.Cluster)
	return s, w
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	found, known := s.objects[r.URL.Path]
	switch {
	case known && r.Method == http.MethodPatch:
		_, _ = io.WriteString(w, s.patch(r))
	case known:
		_, _ = io.WriteString(w, found)
	case r.Method == http.MethodPost: // a review
		_, _ = io.WriteString(w, `{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{},"status":{"allowed":true}}`)
	default:
		if answer, ok := discovery()[r.URL.Path]; ok {
			_ = json.NewEncoder(w).Encode(answer)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","code":404,"reason":"NotFound"}`)
	}
}

func (s *server) patch(r *http.Request) string {
	body, err := io.ReadAll(r.Body)
	require.NoError(s.t, err)
	p, err := jsonpatch.DecodePatch(body)
	require.NoError(s.t, err)
	after, err := p.Apply([]byte(s.objects[r.URL.Path]))
	require.NoError(s.t, err, "%s", body)
	if r.URL.Query().Get("dryRun") == "" {
		s.objects[r.URL.Path] = string(after)
		s.patched = append(s.patched, r.URL.Path)
	}
	return string(after)
}

// discovery is what is served, by path.
func discovery() map[string]any {
	served := map[string][]metav1.APIResource{
		"v1":                              {{Name: "secrets", Kind: "Secret", Namespaced: true}, {Name: "namespaces", Kind: "Namespace"}},
		"apps/v1":                         {{Name: "deployments", Kind: "Deployment", Namespaced: true}},
		"admissionregistration.k8s.io/v1": {{Name: "mutatingwebhookconfigurations", Kind: "MutatingWebhookConfiguration"}},
	}
	groups := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	out := map[string]any{"/api": &metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}},
		"/apis": groups}
	for _, name := range slices.Sorted(maps.Keys(served)) {
		path := "/apis/" + name
		if group, version, named := strings.Cut(name, "/"); named {
			one := metav1.GroupVersionForDiscovery{GroupVersion: name, Version: version}
			groups.Groups = append(groups.Groups, metav1.APIGroup{Name: group, Versions: []metav1.GroupVersionForDiscovery{one},
				PreferredVersion: one})
		} else {
			path = "/api/" + name
		}
		out[path] = &metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: name,
			APIResources: served[name]}
	}
	return out
}
