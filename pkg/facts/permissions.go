package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// Jobs are the namespaces in which an installation has applications, and in which they use a feature, sorted.
type Jobs map[operator.Feature][]string

// JobsOf returns the namespaces of the applications that an installation looks after.
func JobsOf(in *operator.Installation, list []*snapshot.SparkApplication) Jobs {
	out := Jobs{}
	add := func(f operator.Feature, namespace string) {
		if !slices.Contains(out[f], namespace) {
			out[f] = append(out[f], namespace)
		}
	}
	for _, app := range list {
		if !LooksAfter(in, app) {
			continue
		}
		for _, f := range []operator.Feature{operator.NoFeature, operator.UIIngresses, operator.DriverClaims, operator.Monitoring} {
			if Uses(in, app, f) {
				add(f, app.Namespace)
			}
		}
	}
	for _, namespaces := range out {
		slices.Sort(namespaces)
	}
	return out
}

// LooksAfter reports whether an installation has something to do about an application.
func LooksAfter(in *operator.Installation, app *snapshot.SparkApplication) bool {
	return !app.Terminating() && !app.Ended() && in.Watches(app.Namespace) && in.Picks(app.Labels)
}

// Uses reports whether an application uses a feature, for which its operator needs permissions.
func Uses(in *operator.Installation, app *snapshot.SparkApplication, f operator.Feature) bool {
	switch f {
	case operator.UIIngresses:
		return app.Ingresses || in.UIIngress()
	case operator.DriverClaims:
		return spark.DriverOf(app).ClaimsBySubmit
	case operator.Monitoring:
		return slices.Contains(spark.WebhookFields(app), string(snapshot.Monitoring))
	default:
		return f == operator.NoFeature
	}
}

// Lack is a permission that is missing, and where.
type Lack struct {
	operator.Permission
	Verbs, Namespaces []string // an empty namespace is the cluster
	Requests          []snapshot.Request
}

// Allower answers what an account may do, and whether all that could allow it was seen: spark.Access, or what will be.
type Allower interface {
	Allows(who snapshot.Account, q snapshot.Request) (allowed, known bool)
}

// Lacks asks for every permission that a process needs.
func Lacks(in *operator.Installation, p operator.Process, where Jobs, access Allower) (list []Lack, unknown int) {
	for _, need := range p.Needs {
		l := Lack{Permission: need}
		for _, verb := range need.Verbs {
			for _, namespace := range scopes(in, p, need, where) {
				q := snapshot.Request{Verb: verb, Group: need.Group, Resource: need.Resource, Subresource: need.Subresource, Name: need.Name,
					Namespace: namespace}
				if verb == "create" {
					q.Name = "" // a rule with names does not cover what has none yet
				}
				switch allowed, known := access.Allows(p.Deployment.Account, q); {
				case allowed:
				case !known:
					unknown++
				default:
					l.add(verb, namespace, q)
				}
			}
		}
		if len(l.Verbs) > 0 {
			list = append(list, l)
		}
	}
	return list, unknown
}

func (l *Lack) add(verb, namespace string, q snapshot.Request) {
	l.Requests = append(l.Requests, q)
	if !slices.Contains(l.Verbs, verb) {
		l.Verbs = append(l.Verbs, verb)
	}
	if !slices.Contains(l.Namespaces, namespace) {
		l.Namespaces = append(l.Namespaces, namespace)
	}
}

// scopes are the namespaces in which a permission is needed. An informer over all namespaces needs it cluster-wide
// (sigs.k8s.io/controller-runtime pkg/cache@v0.20.4: one listing without a namespace).
func scopes(in *operator.Installation, p operator.Process, need operator.Permission, where Jobs) []string {
	switch need.Place {
	case operator.InJobNamespaces:
		if p.Namespaces == nil {
			return []string{""}
		}
		return p.Namespaces
	case operator.WhenFirstRead:
		if p.Namespaces == nil && len(where[need.When]) > 0 {
			return []string{""}
		}
		return where[need.When]
	case operator.WhereJobsRun:
		return where[need.When]
	case operator.ClusterWide:
		return []string{""}
	default:
		if namespace := in.NamespaceOf(p.Deployment, need.Place); namespace != "" && (need.Name != "" || need.Resource != "secrets") {
			return []string{namespace}
		}
		return nil
	}
}

// Access is what roles and bindings let accounts do. A check that asks for less than all namespaces names AccessNeeds, too.
func Access() check.Fact[*spark.Access] {
	return check.Fact[*spark.Access]{
		Name: "access", Needs: AccessNeeds(snapshot.Everywhere),
		Make: func(p *check.Pass) *spark.Access { return spark.AccessOf(p.Snapshot) },
	}
}

// AccessNeeds are the views behind spark.Access.
func AccessNeeds(scope snapshot.Scope) []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.RoleBindings, Role: snapshot.Compared, Scope: scope},
		{View: snapshot.ClusterRoleBindings, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		{View: snapshot.Roles, Role: snapshot.Compared, Scope: scope},
		{View: snapshot.ClusterRoles, Role: snapshot.Compared, Scope: snapshot.Everywhere},
	}
}

// ResourceText returns "pods", "sparkapplications/status", `leases "x"`. Events are in two groups, and a role for the one allows nothing in
// the other.
func ResourceText(p operator.Permission) string {
	text := p.Resource
	if p.Resource == "events" && p.Group != "" {
		text += "." + p.Group
	}
	if p.Subresource != "" {
		text += "/" + p.Subresource
	}
	if p.Name != "" {
		text += fmt.Sprintf(" %q", p.Name)
	}
	return text
}

// PlacesText returns "cluster-wide", "in namespace a", "in 5 namespaces such as a".
func PlacesText(namespaces []string) string {
	named := slices.DeleteFunc(slices.Clone(namespaces), func(n string) bool { return n == "" })
	switch {
	case len(named) < len(namespaces) && len(named) == 0:
		return "cluster-wide"
	case len(named) < len(namespaces):
		return "cluster-wide and in " + strings.Join(named[:min(len(named), MaxNamed)], ", ")
	case len(named) == 1:
		return "in namespace " + named[0]
	case len(named) <= MaxNamed:
		return "in namespaces " + strings.Join(named, ", ")
	default:
		return fmt.Sprintf("in %d namespaces such as %s", len(named), named[0])
	}
}
