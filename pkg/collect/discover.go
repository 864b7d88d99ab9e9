package collect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// served is what the API server says it serves. A group version whose discovery failed is unknown, never "not served".
type served struct {
	resources map[snapshot.GroupKind][]resource
	failed    map[schema.GroupVersion]error
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

// discover asks again what failed in passing, as for any page.
func discover(ctx context.Context, c *client) (*served, error) {
	var lists []*metav1.APIResourceList
	var err error
	for attempt := 0; ; attempt++ {
		_, lists, err = c.discovery.ServerGroupsAndResourcesWithContext(ctx)
		if err == nil || !passingDiscovery(err) || attempt == pageRetries || pause(ctx, attempt) != nil {
			break
		}
	}
	s := &served{resources: map[snapshot.GroupKind][]resource{}, failed: map[schema.GroupVersion]error{}}
	if groups, partial := discovery.GroupDiscoveryFailedErrorGroups(err); partial {
		for gv, cause := range groups {
			s.failed[gv] = cause
		}
	} else if err != nil {
		return nil, err
	}
	for _, list := range lists {
		s.add(list)
	}
	return s, nil
}

// passingDiscovery reports whether discovery, or that of some group, failed in passing.
func passingDiscovery(err error) bool {
	groups, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	for _, cause := range groups {
		if passing(cause) {
			return true
		}
	}
	return !partial && passing(err)
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
			group: group, version: version, name: r.Name, namespaced: r.Namespaced, listable: slices.Contains(r.Verbs, "list"),
		})
	}
}

// of returns the resource of a source in its version, or, where the server does not have that, in the newest of the older ones.
func (s *served) of(src snapshot.Source) (resource, error) {
	res, err := s.find(src.GroupKind(), src.Version)
	for _, version := range src.Older {
		if err == nil {
			break
		}
		if older, missing := s.find(src.GroupKind(), version); missing == nil {
			return older, nil
		}
	}
	return res, err
}

// find returns the resource of a kind in a version, or, if none is named, in the one that the server prefers. Without
// one it says whether the kind is known not to be served or could not be discovered.
func (s *served) find(gk snapshot.GroupKind, version string) (resource, error) {
	var versions []string
	for _, r := range s.resources[gk] {
		if version == "" || r.version == version {
			return r, nil
		}
		versions = append(versions, r.version)
	}
	for gv, cause := range s.failed {
		if gv.Group == gk.Group && (version == "" || gv.Version == version) {
			return resource{}, fmt.Errorf("discovery of API group %s failed: %s", gv, reasonOf(cause))
		}
	}
	if len(versions) > 0 {
		return resource{}, fmt.Errorf("the server has it as %s only, not as %s", strings.Join(versions, ", "), version)
	}
	for gv, cause := range s.failed {
		if gv.Group == gk.Group {
			return resource{}, fmt.Errorf("discovery of API group %s failed: %s", gv, reasonOf(cause))
		}
	}
	return resource{}, errNotServed
}
