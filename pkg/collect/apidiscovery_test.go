package collect

import (
	"net/http"
	"slices"
	"strings"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// servedKind is one resource of the server.
type servedKind struct {
	schema.GroupVersionKind
	resource   string
	namespaced bool
	verbs      []string
}

func (k servedKind) builtIn() bool { return scheme.Scheme.Recognizes(k.GroupVersionKind) }

// allKinds is everything that the views read, and a few that owners are of.
func allKinds() []servedKind {
	var out []servedKind
	add := func(group, version, kind, resource string, namespaced bool, verbs ...string) {
		out = append(out, servedKind{schema.GroupVersionKind{Group: group, Version: version, Kind: kind}, resource, namespaced, verbs})
	}
	for _, src := range append(snapshot.Sources(), snapshot.WholeSources()...) {
		if slices.ContainsFunc(out, func(k servedKind) bool { return k.Group == src.Group && k.Kind == src.Kind }) {
			continue
		}
		add(src.Group, src.Version, src.Kind, src.Resource, src.Namespaced, "get", "list")
	}
	add("", "v1", "Namespace", "namespaces", false, "get", "list")
	add("", "v1", "Binding", "bindings", true, "create")
	add("example.com", "v1", "Train", "trains", true, "get", "list")
	return out
}

func (s *apiServer) isDiscovery(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return len(parts) == 1 || parts[0] == "api" && len(parts) == 2 || parts[0] == "apis" && len(parts) == 3
}

func (s *apiServer) serveDiscovery(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) == 1 && s.legacy:
		s.writeGroups(w, r, parts[0] == "api")
	case len(parts) == 1:
		s.writeAggregated(w, parts[0] == "api")
	case len(parts) == 2:
		s.writeResources(w, r, schema.GroupVersion{Version: parts[1]})
	default:
		s.writeResources(w, r, schema.GroupVersion{Group: parts[1], Version: parts[2]})
	}
}

// groupVersions returns those of the core group, or all others, in order.
func (s *apiServer) groupVersions(core bool) []schema.GroupVersion {
	var out []schema.GroupVersion
	for _, k := range s.kinds {
		if gv := k.GroupVersion(); (gv.Group == "") == core && !slices.Contains(out, gv) {
			out = append(out, gv)
		}
	}
	return out
}

func (s *apiServer) writeAggregated(w http.ResponseWriter, core bool) {
	list := apidiscoveryv2.APIGroupDiscoveryList{}
	for _, gv := range s.groupVersions(core) {
		version := apidiscoveryv2.APIVersionDiscovery{Version: gv.Version, Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent}
		if slices.Contains(s.stale, gv.Group) {
			version.Freshness = apidiscoveryv2.DiscoveryFreshnessStale
		} else {
			for _, k := range s.kinds {
				if k.GroupVersion() != gv {
					continue
				}
				scope := apidiscoveryv2.ScopeCluster
				if k.namespaced {
					scope = apidiscoveryv2.ScopeNamespace
				}
				version.Resources = append(version.Resources, apidiscoveryv2.APIResourceDiscovery{
					Resource: k.resource, Scope: scope, Verbs: k.verbs,
					ResponseKind: &metav1.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind},
				})
			}
		}
		i := slices.IndexFunc(list.Items, func(g apidiscoveryv2.APIGroupDiscovery) bool { return g.Name == gv.Group })
		if i < 0 {
			list.Items = append(list.Items, apidiscoveryv2.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: gv.Group}})
			i = len(list.Items) - 1
		}
		list.Items[i].Versions = append(list.Items[i].Versions, version)
	}
	answer(w, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", list)
}

func (s *apiServer) writeGroups(w http.ResponseWriter, _ *http.Request, core bool) {
	if core {
		answer(w, "application/json", metav1.APIVersions{Versions: []string{"v1"}})
		return
	}
	var list metav1.APIGroupList
	for _, gv := range s.groupVersions(false) {
		v := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
		list.Groups = append(list.Groups, metav1.APIGroup{Name: gv.Group, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v})
	}
	answer(w, "application/json", list)
}

func (s *apiServer) writeResources(w http.ResponseWriter, _ *http.Request, gv schema.GroupVersion) {
	if slices.Contains(s.stale, gv.Group) {
		fail(w, apierrors.NewServiceUnavailable("the server is currently unable to handle the request"))
		return
	}
	list := metav1.APIResourceList{GroupVersion: gv.String()}
	for _, k := range s.kinds {
		if k.GroupVersion() == gv {
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: k.resource, Kind: k.Kind, Namespaced: k.namespaced,
				Verbs: k.verbs})
		}
	}
	answer(w, "application/json", list)
}
