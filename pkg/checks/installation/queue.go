package installation

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// queue are the applications that wait for one controller, and how it gets on with them.
type queue struct {
	waiting   []*snapshot.SparkApplication // without a state for longer than an operator needs, oldest first
	submitted int                          // that it submitted lately
	newer     int                          // made after the first that waits, be they submitted or not
}

// queueOf returns what one controller should take and no other does.
func queueOf(k *facts.Assignment, s *snapshot.Snapshot, p check.Params, in *operator.Installation,
	list []*snapshot.SparkApplication) queue {
	var q queue
	if in.Controller == nil || !s.CoversAll(snapshot.Deployments) || s.Excerpt() {
		return q // what was not seen may take them, or be what the controller is busy with
	}
	mine := map[string]bool{}
	takes := func(app *snapshot.SparkApplication) bool {
		yes, judged := mine[app.Namespace]
		if !judged {
			yes = soleController(k, in, app.Namespace)
			mine[app.Namespace] = yes
		}
		return yes && in.Picks(app.Labels)
	}
	waiting, _ := waitingByNamespace(s, p, list)
	for _, apps := range waiting {
		for _, app := range apps {
			if takes(app) {
				q.waiting = append(q.waiting, app)
			}
		}
	}
	if len(q.waiting) == 0 {
		return q
	}
	slices.SortFunc(q.waiting, func(a, b *snapshot.SparkApplication) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		return a.Compare(b.Ref)
	})
	for _, app := range list {
		lately := !app.LastSubmissionAttempt.IsZero() && s.TakenAt.Sub(app.LastSubmissionAttempt) <= p.NewAfter
		newer := !app.Created.Before(q.waiting[0].Created) && !app.Suspend
		if !lately && !newer || !takes(app) {
			continue
		}
		if lately {
			q.submitted++
		}
		if newer {
			q.newer++
		}
	}
	return q
}

// soleController reports whether a controller was told to take a namespace and no other that runs was.
func soleController(k *facts.Assignment, in *operator.Installation, namespace string) bool {
	yes, known := in.Told(namespace, k.Namespaces[namespace])
	return yes && known && !slices.ContainsFunc(k.List, func(other *operator.Installation) bool {
		also, _ := other.Reconciles(namespace, k.Namespaces[namespace])
		return also && other.Controller.Key() != in.Controller.Key()
	})
}

// behind reports whether the controller works, and yet most of what came since the first that waits does: one application
// that cannot be submitted is overtaken by all others.
func (q queue) behind(many int) bool {
	return len(q.waiting) >= many && q.submitted > 0 && 2*len(q.waiting) >= q.newer
}

func (q queue) text(now time.Time) string {
	return q.waits() + ", the oldest " + facts.ForSince(q.waiting[0].Created, now)
}

// stuck is text as a verdict says it: "200 applications in 4 namespaces wait, the oldest for 48 min".
func (q queue) stuck(now time.Time) string {
	namespaces := map[string]bool{}
	for _, app := range q.waiting {
		namespaces[app.Namespace] = true
	}
	where := "in namespace " + q.waiting[0].Namespace
	if len(namespaces) > 1 {
		where = "in " + phrase.Counted(len(namespaces), "namespace")
	}
	age := facts.Elapsed(now.Sub(q.waiting[0].Created))
	if len(q.waiting) == 1 {
		return "1 application " + where + " waits, for " + age
	}
	return phrase.Counted(len(q.waiting), "application") + " " + where + " wait, the oldest for " + age
}

// waits is text without a time.
func (q queue) waits() string { return facts.Waits(len(q.waiting)) + " without a state" }

func (q queue) evidence() []check.Evidence {
	var out []check.Evidence
	for _, app := range q.waiting[:min(len(q.waiting), facts.ShownApps)] {
		out = append(out, check.Evidence{Object: app.Ref, Field: "metadata.creationTimestamp", Value: app.Created.Format(time.RFC3339)})
	}
	return out
}
