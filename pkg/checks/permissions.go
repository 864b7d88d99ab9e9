package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
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
		if !looksAfter(in, app) {
			continue
		}
		for _, f := range []operator.Feature{operator.NoFeature, operator.UIIngresses, operator.DriverClaims, operator.Monitoring} {
			if uses(in, app, f) {
				add(f, app.Namespace)
			}
		}
	}
	for _, namespaces := range out {
		slices.Sort(namespaces)
	}
	return out
}

// looksAfter reports whether an installation has something to do about an application.
func looksAfter(in *operator.Installation, app *snapshot.SparkApplication) bool {
	return !app.Terminating() && !app.Ended() && in.Watches(app.Namespace) && in.Picks(app.Labels)
}

func uses(in *operator.Installation, app *snapshot.SparkApplication, f operator.Feature) bool {
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

// lack is a permission that is missing, and where.
type lack struct {
	operator.Permission
	verbs, namespaces []string // an empty namespace is the cluster
	requests          []snapshot.Request
}

// allower answers what an account may do, and whether all that could allow it was seen: spark.Access, or what will be.
type allower interface {
	Allows(who snapshot.Account, q snapshot.Request) (allowed, known bool)
}

// lacks asks for every permission that a process needs.
func lacks(in *operator.Installation, p operator.Process, where jobs, access allower) (list []lack, unknown int) {
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
