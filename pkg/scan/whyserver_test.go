package scan_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

const corpusDir = "../why/testdata/corpus"

// recordedCase is a case of the corpus with its objects.
type recordedCase struct {
	corpus.Case
	objects []unstructured.Unstructured
}

func decoded(t *testing.T, c corpus.Case) recordedCase {
	t.Helper()
	objects, err := c.Objects()
	require.NoError(t, err)
	return recordedCase{c, objects}
}

// servedCases returns the cases of which a cluster tells what the files tell.
func servedCases(t *testing.T) []recordedCase {
	t.Helper()
	all, err := corpus.Read(os.DirFS(corpusDir))
	require.NoError(t, err)
	var out []recordedCase
	for _, c := range all {
		if c.Served {
			out = append(out, decoded(t, c))
		}
	}
	require.Greater(t, len(out), 40)
	return out
}

// caseNumbered returns the case with a number.
func caseNumbered(t *testing.T, number string) recordedCase {
	t.Helper()
	c, err := corpus.ReadCase(os.DirFS(corpusDir), number)
	require.NoError(t, err)
	return decoded(t, c)
}

// files writes the files of the case into a directory, for -f.
func (c recordedCase) files(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, c.Write(dir))
	return dir
}

// holds reports whether an object is in the case.
func (c recordedCase) holds(kind, name string) bool {
	return slices.ContainsFunc(c.objects, func(o unstructured.Unstructured) bool { return o.GetKind() == kind && o.GetName() == name })
}

// caseServer is an API server that holds the objects of a case, and the logs beside them.
type caseServer struct {
	c        recordedCase
	mu       sync.Mutex
	requests []string
}

func (c recordedCase) serve(t *testing.T) (scan.Cluster, *caseServer) {
	t.Helper()
	s := &caseServer{c: c}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return scan.Cluster{
		Connect:   func() (*apiserver.Connection, error) { return apiserver.Connect(&rest.Config{Host: server.URL}) },
		Namespace: c.Namespace, QPS: 1000, Burst: 1000,
	}, s
}

func (s *caseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.URL.RequestURI())
	s.mu.Unlock()
	w.Header().Set("Date", s.c.AsOf.UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json")
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if answer, is := servedKinds()[r.URL.Path]; is {
		_ = json.NewEncoder(w).Encode(answer)
		return
	}
	prefix := parts[1] // the version of the core group
	if rest := parts[2:]; parts[0] == "apis" {
		prefix, parts = parts[1]+"/"+parts[2], rest[1:]
	} else {
		parts = rest
	}
	namespace := ""
	if len(parts) > 2 && parts[0] == "namespaces" {
		namespace, parts = parts[1], parts[2:]
	}
	if len(parts) == 3 && parts[2] == "log" {
		s.log(w, r, namespace, parts[1])
		return
	}
	found := []unstructured.Unstructured{}
	for _, o := range s.c.objects {
		if o.GetAPIVersion() == prefix && plural(o.GetKind()) == parts[0] && (namespace == "" || o.GetNamespace() == namespace) &&
			(len(parts) == 1 || o.GetName() == parts[1]) && selected(&o, r) {
			found = append(found, o)
		}
	}
	switch {
	case len(parts) == 1:
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": prefix, "kind": listKind(prefix, parts[0]), "metadata": map[string]any{},
			"items": found})
	case len(found) > 0:
		_ = json.NewEncoder(w).Encode(found[0].Object)
	default:
		w.WriteHeader(http.StatusNotFound)
		_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure",
			Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound})
	}
}

func (s *caseServer) log(w http.ResponseWriter, r *http.Request, namespace, pod string) {
	name := namespace + "_" + pod + "_" + r.URL.Query().Get("container")
	if r.URL.Query().Get("previous") == "true" {
		name += ".previous"
	}
	text, found := s.c.Logs[name+".log"]
	if !found {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = w.Write([]byte(text))
}

func selected(o *unstructured.Unstructured, r *http.Request) bool {
	byLabel, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		return false
	}
	byField, err := fields.ParseSelector(r.URL.Query().Get("fieldSelector"))
	if err != nil {
		return false
	}
	set := fields.Set{"metadata.name": o.GetName()}
	for _, path := range []string{"involvedObject.name", "involvedObject.kind", "spec.nodeName", "status.phase", "type", "reason"} {
		set[path], _, _ = unstructured.NestedString(o.Object, strings.Split(path, ".")...)
	}
	return byLabel.Matches(labels.Set(o.GetLabels())) && byField.Matches(set)
}

func sourcesOfCases() []snapshot.Source {
	return append(snapshot.Sources(), snapshot.ServedInFull()...)
}

func plural(kind string) string {
	for _, src := range sourcesOfCases() {
		if src.Kind == kind {
			return src.Resource
		}
	}
	return "none"
}

// listKind is the kind of the list of a resource.
func listKind(apiVersion, resource string) string {
	list, _ := servedKinds()[map[bool]string{true: "/api/v1", false: "/apis/" + apiVersion}[apiVersion == "v1"]].(*metav1.APIResourceList)
	if list == nil {
		return "List"
	}
	at := slices.IndexFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == resource })
	if at < 0 {
		return "List"
	}
	return list.APIResources[at].Kind + "List"
}

// servedKinds is discovery, by path.
func servedKinds() map[string]any {
	lists, groups := map[string]*metav1.APIResourceList{},
		&metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	out := map[string]any{"/api": &metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}},
		"/apis": groups}
	for _, src := range sourcesOfCases() {
		if src.Version == "" {
			src.Version = "v1beta1"
		}
		path := "/apis/" + src.APIVersion()
		if src.Group == "" {
			path = "/api/v1"
		}
		list := lists[path]
		if list == nil {
			list = &metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: src.APIVersion()}
			lists[path], out[path] = list, list
			if one := (metav1.GroupVersionForDiscovery{GroupVersion: src.APIVersion(), Version: src.Version}); src.Group != "" {
				groups.Groups = append(groups.Groups, metav1.APIGroup{Name: src.Group, PreferredVersion: one,
					Versions: []metav1.GroupVersionForDiscovery{one}})
			}
		}
		known := false
		for _, r := range list.APIResources {
			known = known || r.Name == src.Resource
		}
		if !known {
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: src.Resource, Kind: src.Kind, Namespaced: src.Namespaced,
				Verbs: metav1.Verbs{"get", "list"}})
		}
	}
	return out
}
