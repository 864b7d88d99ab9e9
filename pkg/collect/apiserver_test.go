package collect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// apiServer answers like an API server: discovery, lists in pages, single objects, as JSON and as protobuf. A test
// puts faults in the way.
type apiServer struct {
	*httptest.Server
	kinds   []servedKind
	legacy  bool                                          // discovery as before 1.26
	stale   []string                                      // groups whose own API server does not answer
	fault   func(http.ResponseWriter, *http.Request) bool // true: the request is answered
	objects []runtime.Object

	mu       sync.Mutex
	requests []string // lists and gets: path and continue token
}

// served when the scan of the tests starts.
var serverTime = time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)

func newServer(t *testing.T, objects ...runtime.Object) *apiServer {
	t.Helper()
	s := &apiServer{kinds: allKinds(), objects: objects}
	slices.SortStableFunc(s.objects, func(a, b runtime.Object) int {
		x, y := accessor(a), accessor(b)
		return cmp.Or(cmp.Compare(x.GetNamespace(), y.GetNamespace()), cmp.Compare(x.GetName(), y.GetName()))
	})
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *apiServer) config() *rest.Config {
	return &rest.Config{Host: s.URL, Timeout: 10 * time.Second}
}

// without stops serving a group.
func (s *apiServer) without(groups ...string) {
	s.kinds = slices.DeleteFunc(s.kinds, func(k servedKind) bool { return slices.Contains(groups, k.Group) })
}

// asked returns how often lists and objects under a path were asked for.
func (s *apiServer) asked(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.requests {
		if p, _, _ := strings.Cut(r, "?"); p == path {
			n++
		}
	}
	return n
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", serverTime.Format(http.TimeFormat))
	discovery := s.isDiscovery(r.URL.Path)
	if !discovery {
		s.mu.Lock()
		s.requests = append(s.requests, r.URL.Path+"?"+r.URL.Query().Get("continue"))
		s.mu.Unlock()
	}
	switch {
	case s.fault != nil && s.fault(w, r):
	case discovery:
		s.serveDiscovery(w, r)
	case !namesResource(r.URL.Path):
		fail(w, apierrors.NewGenericServerResponse(http.StatusNotFound, "get", schema.GroupResource{}, "", "", 0, false))
	default:
		s.serveObjects(w, r)
	}
}

func (s *apiServer) serveObjects(w http.ResponseWriter, r *http.Request) {
	gv, namespace, resource, name := parsePath(r.URL.Path)
	i := slices.IndexFunc(s.kinds, func(k servedKind) bool { return k.GroupVersion() == gv && k.resource == resource })
	if i < 0 || slices.Contains(s.stale, gv.Group) {
		fail(w, apierrors.NewNotFound(schema.GroupResource{Group: gv.Group, Resource: resource}, name))
		return
	}
	kind := s.kinds[i]
	found := s.matching(kind, namespace, r.URL.Query().Get("labelSelector"), r.URL.Query().Get("fieldSelector"))
	asMetadata := strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
	if name != "" {
		for _, o := range found {
			if accessor(o).GetName() == name {
				write(w, r, kind, reduce(o, asMetadata))
				return
			}
		}
		fail(w, apierrors.NewNotFound(schema.GroupResource{Group: gv.Group, Resource: resource}, name))
		return
	}
	token := r.URL.Query().Get("continue")
	from, _ := strconv.Atoi(token[strings.LastIndex(token, "-")+1:])
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	to, next := len(found), ""
	if limit > 0 && from+limit < len(found) {
		to, next = from+limit, strconv.Itoa(from+limit)
	}
	write(w, r, kind, listOf(kind, found[from:to], asMetadata, next))
}

// matching applies namespace and selectors.
func (s *apiServer) matching(kind servedKind, namespace, labelSelector, fieldSelector string) []runtime.Object {
	selector, err := labels.Parse(labelSelector)
	byField, bad := fields.ParseSelector(fieldSelector)
	if bad != nil {
		panic(bad)
	}
	var out []runtime.Object
	for _, o := range s.objects {
		m := accessor(o)
		event, isEvent := o.(*corev1.Event)
		switch {
		case o.GetObjectKind().GroupVersionKind() != kind.GroupVersionKind, err != nil, namespace != "" && m.GetNamespace() != namespace:
		case !selector.Matches(labels.Set(m.GetLabels())), isEvent && !eventMatches(fieldSelector, event):
		case !isEvent && !byField.Matches(fieldsOf(o)):
		default:
			out = append(out, o)
		}
	}
	return out
}

// eventMatches applies a field selector as the API server does (pkg/registry/core/event/strategy.go).
func eventMatches(fieldSelector string, e *corev1.Event) bool {
	selector, err := fields.ParseSelector(fieldSelector)
	return err == nil && selector.Matches(fields.Set{"type": e.Type, "reason": e.Reason,
		"involvedObject.name": e.InvolvedObject.Name, "involvedObject.kind": e.InvolvedObject.Kind})
}

// fieldsOf are the fields that objects are selected by (pkg/registry/core/pod/strategy.go, ToSelectableFields).
func fieldsOf(o runtime.Object) fields.Set {
	set := fields.Set{"metadata.name": accessor(o).GetName()}
	if p, is := o.(*corev1.Pod); is {
		set["spec.nodeName"], set["status.phase"] = p.Spec.NodeName, string(p.Status.Phase)
	}
	return set
}

// namesResource reports whether a path is of objects, and not that of a group or a version which is not served.
func namesResource(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	least := map[string]int{"api": 3, "apis": 4}[parts[0]]
	return least > 0 && len(parts) >= least
}

func parsePath(path string) (gv schema.GroupVersion, namespace, resource, name string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if parts[0] == "api" {
		gv, parts = schema.GroupVersion{Version: parts[1]}, parts[2:]
	} else {
		gv, parts = schema.GroupVersion{Group: parts[1], Version: parts[2]}, parts[3:]
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 1 {
		name = parts[1]
	}
	return gv, namespace, parts[0], name
}

func accessor(o runtime.Object) metav1.Object {
	m, err := meta.Accessor(o)
	if err != nil {
		panic(err)
	}
	return m
}

func reduce(o runtime.Object, asMetadata bool) runtime.Object {
	if !asMetadata {
		return o
	}
	m := meta.AsPartialObjectMetadata(accessor(o))
	m.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
	return m
}

func listOf(kind servedKind, items []runtime.Object, asMetadata bool, next string) runtime.Object {
	m := metav1.ListMeta{ResourceVersion: "7", Continue: next}
	if asMetadata {
		list := &metav1.PartialObjectMetadataList{ListMeta: m}
		list.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadataList"))
		for _, o := range items {
			list.Items = append(list.Items, *meta.AsPartialObjectMetadata(accessor(o)))
		}
		return list
	}
	listKind := kind.GroupVersion().WithKind(kind.Kind + "List")
	list, err := scheme.Scheme.New(listKind)
	if err != nil {
		u := &unstructured.UnstructuredList{}
		for _, o := range items {
			u.Items = append(u.Items, *o.(*unstructured.Unstructured)) //nolint:forcetypeassert // not in the scheme
		}
		list = u
	} else if err := meta.SetList(list, items); err != nil {
		panic(err)
	}
	list.GetObjectKind().SetGroupVersionKind(listKind)
	a, err := meta.ListAccessor(list)
	if err != nil {
		panic(err)
	}
	a.SetContinue(next)
	a.SetResourceVersion(m.ResourceVersion)
	return list
}

// write encodes as the client asked: protobuf for what has it, JSON otherwise.
func write(w http.ResponseWriter, r *http.Request, kind servedKind, o runtime.Object) {
	asMetadata := strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
	if strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.kubernetes.protobuf") && (kind.builtIn() || asMetadata) {
		w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
		if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(o, w); err != nil {
			panic(err)
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(o); err != nil {
		panic(err)
	}
	_, _ = w.Write(b.Bytes())
}

func fail(w http.ResponseWriter, err *apierrors.StatusError) {
	status := err.Status()
	status.APIVersion, status.Kind = "v1", "Status"
	w.Header().Set("Content-Type", "application/json")
	if status.Details != nil && status.Details.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", fmt.Sprint(status.Details.RetryAfterSeconds))
	}
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
}

// forbid answers 403 to lists of these paths.
func forbid(paths ...string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !slices.Contains(paths, r.URL.Path) {
			return false
		}
		fail(w, apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "", nil))
		return true
	}
}

func TestServerSpeaksProtobuf(t *testing.T) {
	s := newServer(t, pod("p", "team-a"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v1/pods", nil)
	require.NoError(t, err)
	req.Header.Set("Accept", "application/vnd.kubernetes.protobuf,application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // a test
	head := make([]byte, 4)
	_, err = resp.Body.Read(head)
	require.NoError(t, err)
	require.Equal(t, protobufMagic, string(head))
}
