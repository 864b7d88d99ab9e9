package manifests

import (
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// customKinds is what files tell of kinds that CustomResourceDefinitions define.
type customKinds struct {
	defined map[snapshot.GroupKind]definition
	seen    map[snapshot.GroupKind]bool // of which the files hold an object
}

type definition struct{ namespaced, served bool }

// see notes an object, and what it defines.
func (c *customKinds) see(gk snapshot.GroupKind, raw []byte) {
	if isCustom(gk.Group) {
		c.seen[gk] = true
	}
	if gk != (snapshot.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}) {
		return
	}
	var crd struct {
		Spec struct {
			Group string `json:"group"`
			Scope string `json:"scope"`
			Names struct {
				Kind string `json:"kind"`
			} `json:"names"`
			Versions []struct {
				Served bool `json:"served"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if json.Unmarshal(raw, &crd, lenient()) != nil {
		return // the decoder of the view says so
	}
	one := definition{namespaced: crd.Spec.Scope != "Cluster", served: len(crd.Spec.Versions) == 0} // v1beta1 has a single version
	for _, v := range crd.Spec.Versions {
		one.served = one.served || v.Served
	}
	c.defined[snapshot.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = one
}

// ownerKind says what is known of a kind that ownerReferences name. Files that are everything and hold definitions hold
// that of every custom kind that is served.
func (c *customKinds) ownerKind(gk snapshot.GroupKind, complete bool) snapshot.OwnerKind {
	kind := snapshot.OwnerKind{Served: true, Namespaced: !snapshot.ClusterScoped(gk), Coverage: snapshot.Coverage{State: snapshot.NotInput}}
	if complete {
		kind.Coverage.State = snapshot.Complete
	}
	one, defined := c.defined[gk]
	if defined {
		kind.Namespaced = one.namespaced
	}
	withdrawn := defined && !one.served
	undefined := !defined && complete && len(c.defined) > 0 && isCustom(gk.Group) && !c.seen[gk]
	if withdrawn || undefined {
		return snapshot.OwnerKind{Namespaced: kind.Namespaced, Coverage: snapshot.Coverage{State: snapshot.NotServed}}
	}
	return kind
}

// isCustom reports whether kinds of a group are defined by somebody else than Kubernetes, whose groups are words without a
// dot, or end in .k8s.io as in networking.k8s.io; those of its projects end in .x-k8s.io.
func isCustom(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}
