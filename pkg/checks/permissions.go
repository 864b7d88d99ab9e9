package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// jobs are the namespaces in which an installation has applications, and in which they use a feature, sorted.
type jobs map[operator.Feature][]string

func jobsOf(in *operator.Installation, list []*snapshot.SparkApplication) jobs {
	out := jobs{}
	add := func(f operator.Feature, namespace string) {
		if !slices.Contains(out[f], namespace) {
			out[f] = append(out[f], namespace)
		}
	}
	for _, app := range list {
		if app.Terminating() || app.Ended() || !in.Watches(app.Namespace) || !in.Picks(app.Labels) {
			continue
		}
		add(operator.NoFeature, app.Namespace)
		if app.Driver.Ingresses || in.UIIngress() {
			add(operator.UIIngresses, app.Namespace)
		}
		if app.Driver.ClaimsBySubmit {
			add(operator.DriverClaims, app.Namespace)
		}
		if slices.Contains(app.WebhookFields, string(snapshot.Monitoring)) {
			add(operator.Monitoring, app.Namespace)
		}
	}
	for _, namespaces := range out {
		slices.Sort(namespaces)
	}
	return out
}

// lack is a permission that is missing, and where.
type lack struct {
	operator.Permission
	verbs, namespaces []string // an empty namespace is the cluster
	requests          []snapshot.Request
}

// lacks asks for every permission that a process needs.
func lacks(in *operator.Installation, p operator.Process, where jobs, access *snapshot.Access) (list []lack, unknown int) {
	for _, need := range p.Needs {
		l := lack{Permission: need}
		for _, verb := range need.Verbs {
			for _, namespace := range scopes(in, p, need, where) {
				q := snapshot.Request{Verb: verb, Group: need.Group, Resource: need.Resource, Subresource: need.Subresource, Name: need.Name, Namespace: namespace}
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
		if len(l.verbs) > 0 {
			list = append(list, l)
		}
	}
	return list, unknown
}

func (l *lack) add(verb, namespace string, q snapshot.Request) {
	l.requests = append(l.requests, q)
	if !slices.Contains(l.verbs, verb) {
		l.verbs = append(l.verbs, verb)
	}
	if !slices.Contains(l.namespaces, namespace) {
		l.namespaces = append(l.namespaces, namespace)
	}
}

// scopes are the namespaces in which a permission is needed. An informer over all namespaces needs it cluster-wide
// (sigs.k8s.io/controller-runtime pkg/cache@v0.20.4: one listing without a namespace).
func scopes(in *operator.Installation, p operator.Process, need operator.Permission, where jobs) []string {
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
