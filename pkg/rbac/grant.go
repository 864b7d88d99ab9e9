// Package rbac says what reading and repairing need, as the rules of roles. It follows from what the checks declare: which
// views they read, which kinds of objects their repairs write.
package rbac

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Place is where a grant must hold.
type Place int

const (
	Cluster    Place = iota // objects without a namespace
	Everywhere              // in every namespace
	Jobs                    // in the namespaces of jobs
	Operator                // in the namespaces of the operator
	Nodes                   // in the namespace of what is about nodes
)

// Grant is one verb on one resource.
type Grant struct {
	Place                 Place
	Group, Resource, Verb string // the resource with its subresource: "pods/log"
	Name                  string // of the only object; empty: all
}

// Purpose is what the grants are for.
type Purpose struct {
	Needs   []snapshot.Need
	Again   []snapshot.View        // of which objects are got again, to confirm what a listing did not hold
	Owners  []schema.GroupResource // the kinds that ownerReferences may name besides those that are listed anyway
	Secrets []string               // the names of the webhook's Secrets
	Repairs []fix.Intent           // kinds of them
	Reviews bool                   // to ask what other accounts may do
}

// Grants returns what is needed, sorted, each once.
func Grants(w Purpose) []Grant {
	b := &builder{purpose: w}
	for _, need := range w.Needs {
		b.read(need)
	}
	for _, one := range w.Repairs {
		b.repair(one)
	}
	if w.Reviews {
		b.add(Cluster, "authorization.k8s.io", "subjectaccessreviews", "create")
	}
	slices.SortFunc(b.grants, func(x, y Grant) int {
		return cmp.Or(cmp.Compare(x.Place, y.Place), cmp.Compare(x.Group, y.Group), cmp.Compare(x.Resource, y.Resource),
			cmp.Compare(x.Verb, y.Verb), cmp.Compare(x.Name, y.Name))
	})
	return slices.DeleteFunc(slices.Compact(slices.Clone(b.grants)), func(g Grant) bool {
		all := g
		all.Name = ""
		return g.Name != "" && slices.Contains(b.grants, all)
	})
}

type builder struct {
	purpose Purpose
	grants  []Grant
}

func (b *builder) add(place Place, group, resource, verb string) {
	b.grants = append(b.grants, Grant{Place: place, Group: group, Resource: resource, Verb: verb})
}

// read grants what a view is read with.
func (b *builder) read(need snapshot.Need) {
	src, known := snapshot.SourceOf(need.View)
	switch {
	case need.View == snapshot.Owners:
		for _, gr := range b.purpose.Owners {
			b.add(Everywhere, gr.Group, gr.Resource, "list")
			b.add(Everywhere, gr.Group, gr.Resource, "get")
		}
	case need.View == snapshot.ServedCertificates:
		b.add(Operator, "", "pods/portforward", "create")
		b.add(Operator, "", "pods/portforward", "get") // with a WebSocket, up to Kubernetes 1.34
	case need.View == snapshot.OperatorLogs:
		b.add(Operator, "", "pods/log", "get")
	case need.View == snapshot.WebhookSecrets:
		b.secrets("get")
	case need.View == snapshot.ApplicationLogs:
		b.add(Jobs, "", "pods/log", "get")
	case isWhole(need.View):
		b.whole(src)
	case !known:
	case src.ByName:
		b.add(placeOf(src, need.Scope), src.Group, src.Resource, "get")
	default:
		b.add(placeOf(src, need.Scope), src.Group, src.Resource, "list")
		if slices.Contains(b.purpose.Again, need.View) {
			b.add(placeOf(src, need.Scope), src.Group, src.Resource, "get")
		}
	}
}

func isWhole(v snapshot.View) bool {
	return slices.ContainsFunc(snapshot.WholeSources(), func(s snapshot.Source) bool { return s.View == v })
}

// whole grants what a case file is made of. Without nodes, and the pods on them, nobody says what is free; all else is read in the
// namespace of the application.
func (b *builder) whole(src snapshot.Source) {
	place := placeOf(src, snapshot.InNamespace)
	switch src.View {
	case snapshot.WholeNeighbors:
		b.add(Everywhere, src.Group, src.Resource, "list")
		return
	case snapshot.WholeCSINodes, snapshot.WholeWorkflows, snapshot.WholeLocalQueues, snapshot.WholeClusterQueues, snapshot.WholeVolcanoQueues:
		b.add(place, src.Group, src.Resource, "get")
		return
	case snapshot.WholeCertificates, snapshot.WholeCertRequests: // of the operator's webhook
		b.add(Operator, src.Group, src.Resource, "get")
		return
	case snapshot.WholePods, snapshot.WholeEvents: // of the operator's controller, too, in which spark-submit runs
		b.add(Operator, src.Group, src.Resource, "list")
	}
	if src.View == snapshot.WholeEvents {
		b.add(Nodes, src.Group, src.Resource, "list")
	}
	b.add(place, src.Group, src.Resource, "list")
	switch src.View {
	case snapshot.WholeApplications, snapshot.WholeSchedules, snapshot.WholeConnects, snapshot.WholePods, snapshot.WholeNodes,
		snapshot.WholeClaims, snapshot.WholeAccounts, snapshot.WholeConfigMaps, snapshot.WholeApacheApplications,
		snapshot.WholeApacheClusters:
		b.add(place, src.Group, src.Resource, "get")
	}
}

func placeOf(src snapshot.Source, scope snapshot.Scope) Place {
	switch {
	case !src.Namespaced:
		return Cluster
	case src.AtOperator:
		return Operator
	case scope == snapshot.Everywhere:
		return Everywhere
	default:
		return Jobs
	}
}

func (b *builder) secrets(verb string) {
	for _, name := range b.purpose.Secrets {
		b.grants = append(b.grants, Grant{Operator, "", "secrets", verb, name})
	}
}

// repair grants what an intent reads before it writes, and the write. What it falls back to is granted too.
func (b *builder) repair(i fix.Intent) {
	traits := fix.TraitsOf(i)
	verb, subresource := "patch", fix.WriteOf(i).Subresource
	if fix.WriteOf(i).Delete {
		verb = "delete"
	}
	b.object(traits.Target, subresource, verb)
	for _, r := range traits.Reads {
		if r.Selector != "" {
			b.object(r.Ref, "", "list")
		} else {
			b.object(r.Ref, "", "get")
		}
	}
	b.grants = append(b.grants, Grant{Cluster, "", "namespaces", "get", "kube-system"}) // its UID tells clusters apart in a record
	if traits.Otherwise != nil {
		b.repair(traits.Otherwise)
	}
}

// BeyondJobs reports whether a repair, or what it falls back to, writes anything that is not in the namespaces of jobs.
func BeyondJobs(i fix.Intent) bool {
	traits := fix.TraitsOf(i)
	gk := traits.Target.GroupKind()
	secret := gk == snapshot.GroupKind{Kind: "Secret"} // of the webhook
	return secret || written(gk) != Jobs || traits.Otherwise != nil && BeyondJobs(traits.Otherwise)
}

func (b *builder) object(ref snapshot.Ref, subresource, verb string) {
	gk := ref.GroupKind()
	if gk.Kind == "" {
		return // an owner: any kind
	}
	if gk == (snapshot.GroupKind{Kind: "Secret"}) {
		b.secrets(verb)
		return
	}
	plural, _ := meta.UnsafeGuessKindToResource(schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind))
	resource := plural.Resource
	if subresource != "" {
		resource += "/" + subresource
	}
	b.grants = append(b.grants, Grant{Place: written(gk), Group: gk.Group, Resource: resource, Verb: verb, Name: named(ref)})
}

// written says where objects of a kind are that repairs read and write.
func written(gk snapshot.GroupKind) Place {
	src, _ := snapshot.SourceOf(snapshot.ViewOf(gk))
	switch {
	case gk.Kind == "Namespace" || src.Kind == gk.Kind && !src.Namespaced:
		return Cluster
	case gk.Kind == "Deployment" || gk.Kind == "Lease":
		return Operator
	default:
		return Jobs
	}
}

// named is the name of an object that is the same in every cluster.
func named(ref snapshot.Ref) string {
	if ref.Kind == "Namespace" {
		return ref.Name
	}
	return ""
}
