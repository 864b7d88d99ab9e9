package collect

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// manyNames is how many objects are read by name before one listing is cheaper, for the server too.
const manyNames = 40

// accounts are the service accounts whose permissions matter: those of installations, and those of drivers.
type accounts struct {
	operators, drivers map[snapshot.Account]bool
	namespaces         map[string]bool // of drivers
}

func (g *gatherer) accounts() accounts {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := accounts{map[snapshot.Account]bool{}, map[snapshot.Account]bool{}, map[string]bool{}}
	for _, in := range operator.Find(g.b.Deployments()) {
		for _, d := range []*snapshot.Deployment{in.Controller, in.Webhook} {
			if d != nil {
				out.operators[d.Account] = true
			}
		}
	}
	for app := range g.b.Applications() {
		if app.Malformed == "" {
			out.drivers[spark.DriverOf(app).On(app.Namespace)] = true
			out.namespaces[app.Namespace] = true
		}
	}
	for c := range g.b.Connects() {
		if c.Malformed == "" {
			out.drivers[spark.ServerOf(c).On(c.Namespace)] = true
			out.namespaces[c.Namespace] = true
		}
	}
	return out
}

// bound reports whether a binding gives one of the accounts anything: operators anywhere, drivers in their namespace.
func (a accounts) bound(b *snapshot.RoleBinding) bool {
	if b.Namespace != "" && !a.concerns(b) {
		return false
	}
	return slices.ContainsFunc(b.Subjects, func(s snapshot.Grantee) bool {
		if s.Everyone || a.operators[s.Account] {
			return true
		}
		return a.drivers[s.Account] && (b.Namespace == "" || b.Namespace == s.Account.Namespace)
	})
}

// concerns keeps out what a namespace grants to all accounts where none of ours is.
func (a accounts) concerns(b *snapshot.RoleBinding) bool {
	return a.namespaces[b.Namespace] || slices.ContainsFunc(b.Subjects, func(s snapshot.Grantee) bool { return a.operators[s.Account] })
}

// boundRoles are the roles of one of the two kinds that bindings of such accounts name.
func (g *gatherer) boundRoles(kind string) []snapshot.Key {
	who, keys := g.accounts(), map[snapshot.Key]bool{}
	for _, v := range []snapshot.View{snapshot.RoleBindings, snapshot.ClusterRoleBindings} {
		list := g.bindings(v)
		for i := range list {
			if b := &list[i]; b.RoleKind == kind && who.bound(b) {
				keys[b.Role()] = true
			}
		}
	}
	return sortedKeys(keys)
}

func (g *gatherer) bindings(v snapshot.View) []snapshot.RoleBinding {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.b.Bindings(v)
}

// driverAccounts are the service accounts that applications name.
func (g *gatherer) driverAccounts() []snapshot.Key {
	keys := map[snapshot.Key]bool{}
	for a := range g.accounts().drivers {
		keys[snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "ServiceAccount"}, Namespace: a.Namespace, Name: a.Name}] = true
	}
	return sortedKeys(keys)
}

// crds are the definitions of the operator's kinds.
func crds() []snapshot.Key {
	var keys []snapshot.Key
	for _, name := range snapshot.CRDNames() {
		crd := snapshot.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
		keys = append(keys, snapshot.Key{GroupKind: crd, Name: name})
	}
	return keys
}

// byName reads objects one by one, or, if there are many and the user may, by listing them all and keeping these.
func (g *gatherer) byName(ctx context.Context, v snapshot.View, keys []snapshot.Key) {
	if len(keys) <= manyNames {
		g.gets(ctx, v, keys)
		return
	}
	src, _ := snapshot.SourceOf(v)
	res, err := g.served.find(src.GroupKind(), "")
	if err != nil {
		g.gets(ctx, v, keys)
		return
	}
	l, want := g.lister(src, res), map[snapshot.Key]bool{}
	for _, k := range keys {
		want[k] = true
	}
	l.keep = func(r snapshot.Record) bool { return want[snapshot.KeyOf(r)] }
	cover, err := g.listOne(ctx, l)
	if apierrors.IsForbidden(err) {
		g.gets(ctx, v, keys)
		return
	}
	g.cover(v, cover)
}
