package scan

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// UnreadableError says that the list that would show whether an application exists could not be read.
type UnreadableError struct {
	Query  app.Query // of any application where it has no name
	Unseen []snapshot.Unseen
}

func (e *UnreadableError) Error() string {
	exists, in := e.Query.String()+" exists", ""
	if e.Query.Name == "" {
		exists = "there is an application"
	}
	if e.Query.Namespace != "" {
		in = " in namespace " + e.Query.Namespace
	}
	u := e.Unseen[0]
	if u.Reason == snapshot.Forbidden {
		return fmt.Sprintf("cannot tell whether %s: you may not %s %s%s", exists, u.Verb, u.Resource, in)
	}
	return fmt.Sprintf("cannot tell whether %s: could not %s %s%s: %s", exists, u.Verb, u.Resource, in, u.Reason)
}

func (c Cluster) readFor(ctx context.Context, r *run, q app.Query) (input, error) {
	if q.Namespace == "" {
		q.Namespace = cmp.Or(c.Namespace, "default")
		r.namespaces = []string{q.Namespace}
	}
	conn, err := c.Connect()
	if err != nil {
		return input{}, err
	}
	host := snapshot.Redact(conn.Host())
	needs := r.whyNeeds(true) // of the operator's logs, what c.Logs or the application asks for
	listed := &listed{observer: r.Observer, done: map[snapshot.View]bool{}}
	s, again, err := collect.Application(ctx, conn, collect.ApplicationOptions{
		ClusterOptions: collect.ClusterOptions{
			Needs: needs, ChunkSize: c.ChunkSize, QPS: c.QPS, Burst: c.Burst, Logs: c.Logs, Progress: listed.update, Now: time.Now,
		},
		Kind: q.Kind, Group: q.Group, Namespace: q.Namespace, Name: q.Name,
	})
	if ctx.Err() != nil {
		return input{}, listed.interrupted(needs, ctx.Err())
	}
	if err != nil {
		return input{}, collect.Explain(err, host)
	}
	if _, err := app.Find(s, q); err != nil {
		for _, v := range askable() {
			src, _ := snapshot.SourceOf(v)
			if unseen := s.Coverage(v).Unseen; len(unseen) > 0 && q.Asks(src) {
				return input{}, &UnreadableError{q, unseen}
			}
		}
	}
	return input{
		snapshot: s, whole: s, confirm: &check.Confirmer{Fetch: again.Fetch}, costs: again.Costs,
		whoAmI: func(ctx context.Context) (string, error) { return collect.WhoAmI(ctx, conn) },
		source: report.Source{Name: cmp.Or(c.Context, host), Type: "cluster", Context: c.Context, Server: host},
	}, nil
}

// askable are the views of what can be asked for.
func askable() []snapshot.View {
	return append([]snapshot.View{snapshot.WholeApplications, snapshot.WholeSchedules, snapshot.WholeConnects, snapshot.WholePods},
		snapshot.ApacheViews()...)
}

// whyViews are what checks read to explain one application: what concerns it, and the installation. The parts of all other applications
// of its namespace are not among them.
func whyViews() []snapshot.View {
	return append(narrowed(),
		snapshot.Deployments, snapshot.MutatingWebhooks, snapshot.ValidatingWebhooks, snapshot.WebhookServices,
		snapshot.WebhookEndpoints,
		snapshot.OperatorPods, snapshot.WebhookSecrets, snapshot.Leases, snapshot.OperatorCRDs, snapshot.OperatorLogs, snapshot.Namespaces,
		snapshot.ServiceAccounts, snapshot.RoleBindings, snapshot.ClusterRoleBindings, snapshot.Roles, snapshot.ClusterRoles,
		snapshot.ResourceQuotas, snapshot.Nodes)
}

// narrowed are the views of which no more is read than concerns the application.
func narrowed() []snapshot.View {
	return []snapshot.View{
		snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects, snapshot.SparkPods, snapshot.WarningEvents,
	}
}

func (r *run) whyNeeds(logs bool) []snapshot.Need {
	return slices.DeleteFunc(r.needs(false, logs), func(n snapshot.Need) bool { return !slices.Contains(whyViews(), n.View) })
}

// explains reports whether a check can judge by these views.
func explains(c check.Check) bool {
	return !slices.ContainsFunc(c.AllNeeds(), func(n snapshot.Need) bool {
		return n.Role <= snapshot.Compared && !slices.Contains(whyViews(), n.View)
	})
}

// WhyNeeds are what why reads of a cluster: what the checks that it asks need, and the application in full.
func WhyNeeds(logs bool) []snapshot.Need {
	out := (&run{selected: ofWhy()}).whyNeeds(logs)
	for _, src := range snapshot.ServedInFull() {
		out = append(out, snapshot.Need{View: src.View, Role: snapshot.Optional})
	}
	return append(out, snapshot.Need{View: snapshot.ApplicationLogs, Role: snapshot.Optional})
}

// names are those of the namespace that could have been meant.
func (c Cluster) names(ctx context.Context, q app.Query) []string {
	conn, err := c.Connect()
	if err != nil {
		return nil
	}
	var out []string
	for _, v := range append([]snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects},
		snapshot.ApacheViews()...) {
		src, _ := snapshot.SourceOf(v)
		if !q.Asks(src) {
			continue
		}
		if names, err := collect.Names(ctx, conn, v, cmp.Or(q.Namespace, c.Namespace)); err == nil {
			out = append(out, names...)
		}
	}
	return out
}
