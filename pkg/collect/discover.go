package collect

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// served is what the API server says it serves. A group whose discovery failed is unknown, never "not served".
type served struct {
	resources map[snapshot.GroupKind][]resource
	failed    map[string]error // by group
}

type resource struct {
	group, version, name string
	namespaced           bool
	listable             bool
}

func (r resource) path(namespace string) string {
	prefix := "/apis/" + r.group + "/" + r.version
	if r.group == "" {
		prefix = "/api/" + r.version
	}
	if namespace != "" {
		prefix += "/namespaces/" + namespace
	}
	return prefix + "/" + r.name
}

// full is the resource as permissions and error messages name it: "ingresses.networking.k8s.io".
func (r resource) full() string {
	if r.group == "" {
		return r.name
	}
	return r.name + "." + r.group
}

func discover(ctx context.Context, c *client) (*served, error) {
	_, lists, err := c.discovery.ServerGroupsAndResourcesWithContext(ctx)
	s := &served{resources: map[snapshot.GroupKind][]resource{}, failed: map[string]error{}}
	if groups, partial := discovery.GroupDiscoveryFailedErrorGroups(err); partial {
		for gv, cause := range groups {
			s.failed[gv.Group] = cause
		}
	} else if err != nil {
		return nil, err
	}
	for _, list := range lists {
		s.add(list)
	}
	return s, nil
}

func (s *served) add(list *metav1.APIResourceList) {
	group, version, grouped := strings.Cut(list.GroupVersion, "/")
	if !grouped {
		group, version = "", list.GroupVersion
	}
	for _, r := range list.APIResources {
		if strings.Contains(r.Name, "/") {
			continue
		}
		gk := snapshot.GroupKind{Group: group, Kind: r.Kind}
		s.resources[gk] = append(s.resources[gk], resource{
			group: group, version: version, name: r.Name, namespaced: r.Namespaced, listable: containsVerb(r.Verbs, "list"),
		})
	}
}

func containsVerb(verbs metav1.Verbs, verb string) bool {
	for _, v := range verbs {
		if v == verb {
			return true
		}
	}
	return false
}

// find returns the resource of a kind, in the given version if it is served, else in any. Without one it says
// whether the kind is known not to be served or could not be discovered.
func (s *served) find(gk snapshot.GroupKind, version string) (resource, error) {
	list := s.resources[gk]
	for _, r := range list {
		if r.version == version {
			return r, nil
		}
	}
	if len(list) > 0 {
		return list[0], nil
	}
	if cause := s.failed[gk.Group]; cause != nil {
		return resource{}, fmt.Errorf("discovery of API group %s failed: %w", gk.Group, cause)
	}
	return resource{}, errNotServed
}
