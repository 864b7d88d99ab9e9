package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// External is an ExternalSecret, which makes a Secret of what another store holds (apis/externalsecrets/v1/externalsecret_types.go of
// external-secrets/external-secrets@v0.17.0).
type External struct {
	snapshot.Ref

	Secret string    // that it makes
	Store  string    // by its kind and name: "SecretStore vault"
	Ready  Condition // zero: it has none yet
}

func externalFrom(objects []unstructured.Unstructured, namespace string) []External {
	var out []External
	for i := range objects {
		o := &objects[i]
		if o.GetKind() != "ExternalSecret" || o.GetNamespace() != namespace || !strings.HasPrefix(o.GetAPIVersion(), "external-secrets.io/") {
			continue
		}
		f := whole.Fields(o.Object)
		one := External{Ref: refOf(o), Secret: cmp.Or(f.Text("spec", "target", "name"), o.GetName())}
		if store := f.Text("spec", "secretStoreRef", "name"); store != "" {
			one.Store = cmp.Or(f.Text("spec", "secretStoreRef", "kind"), "SecretStore") + " " + store
		}
		for _, condition := range f.Objects("status", "conditions") {
			if c := conditionOf(condition); c.Type == "Ready" {
				one.Ready = c
			}
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b External) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Pool is a NodePool of Karpenter: how much it may have, and has (pkg/apis/v1/nodepool.go of kubernetes-sigs/karpenter@v1.6.0).
type Pool struct {
	snapshot.Ref

	Limits, Used corev1.ResourceList
}

func poolsFrom(objects []unstructured.Unstructured) []Pool {
	var out []Pool
	for i := range objects {
		o := &objects[i]
		if o.GetKind() != "NodePool" || !strings.HasPrefix(o.GetAPIVersion(), "karpenter.sh/") {
			continue
		}
		f := whole.Fields(o.Object)
		out = append(out, Pool{Ref: refOf(o), Limits: amounts(f.Object("spec", "limits")), Used: amounts(f.Object("status", "resources"))})
	}
	slices.SortFunc(out, func(a, b Pool) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Deployed is an Application of Argo CD, and what it applied last.
type Deployed struct {
	snapshot.Ref

	At        time.Time // when the last deployment was done; zero: none was seen
	Began     time.Time
	Automated bool
	Changed   []Parameter // of Helm, since the one before
}

// Parameter is one of Helm whose value is a number or a flag.
type Parameter struct{ Name, From, To string }

// deployed finds what Argo CD applied of which the application is a part, by the annotation that it tracks it by.
func (s *sorter) deployed(objects []unstructured.Unstructured) {
	a := s.e.Application
	if a == nil {
		return
	}
	of, _, tracked := strings.Cut(a.Annotations["argocd.argoproj.io/tracking-id"], ":")
	if !tracked {
		return
	}
	// An Application outside of Argo CD's own namespace is tracked as NAMESPACE_NAME.
	namespace, name, apart := strings.Cut(of, "_")
	if !apart {
		namespace, name = "", of
	}
	s.e.Deployed.Kind, s.e.Deployed.Name = "Application", name
	for i := range objects {
		o := &objects[i]
		if o.GetKind() != "Application" || !strings.HasPrefix(o.GetAPIVersion(), "argoproj.io/") || o.GetName() != name ||
			namespace != "" && o.GetNamespace() != namespace {
			continue
		}
		history := whole.Fields(o.Object).Objects("status", "history")
		s.e.Deployed.Ref = refOf(o)
		if n := len(history); n > 0 {
			last := history[n-1]
			s.e.Deployed.At, s.e.Deployed.Began = last.When("deployedAt"), last.When("deployStartedAt")
			s.e.Deployed.Automated = last.Flag("initiatedBy", "automated")
			if n > 1 {
				s.e.Deployed.Changed = changedParameters(history[n-2], last)
			}
		}
	}
}

func changedParameters(before, after whole.Fields) []Parameter {
	was := map[string]string{}
	for _, p := range before.Objects("parameters") {
		was[p.Text("name")] = p.Text("value")
	}
	var out []Parameter
	for _, p := range after.Objects("parameters") {
		if from, had := was[p.Text("name")]; had && from != p.Text("value") {
			out = append(out, Parameter{Name: p.Text("name"), From: from, To: p.Text("value")})
		}
	}
	return out
}
