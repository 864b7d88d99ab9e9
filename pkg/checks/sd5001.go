package checks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func namespaceNotWatched() Check {
	return Check{
		ID: "SD5001", Slug: "namespace-not-watched", Since: "0.1.0",
		Title:   "applications wait in a namespace that no operator watches",
		Next:    "add the namespace to spark.jobNamespaces in the Helm values of the operator that should run them, or create them elsewhere",
		Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Breaks: []Part{NamespaceWatch},
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			list, unjudged := decoded(s)
			k := newKeepers(s)
			waiting, taken := waitingByNamespace(s, p, list)
			a := Answer{Judged: namespacesOf(list), Unjudged: unjudged}
			switch {
			case len(waiting) == 0:
				return a
			case len(k.list) == 0:
				a.pass(len(waiting), "which namespaces are watched, since no operator was seen")
				return a
			case !s.CoversAll(snapshot.Deployments):
				a.pass(len(waiting), "whether an operator watches a namespace, since not all Deployments were seen")
				return a
			}
			unclear := 0
			for _, name := range slices.Sorted(maps.Keys(waiting)) {
				apps, known := k.left(name, waiting[name])
				switch {
				case !known:
					unclear++
				case len(apps) == 0:
				case taken[name].After(apps[0].Created): // an operator that was not found takes them up
				default:
					a.Findings = append(a.Findings, k.unwatched(name, apps))
				}
			}
			a.pass(unclear, fmt.Sprintf("whether %s watched depends on labels that were not seen, or on a flag that cannot be read", areOf(unclear)))
			return a
		},
	}
}

// namespacesOf counts the namespaces of applications, which are sorted.
func namespacesOf(list []*snapshot.SparkApplication) int {
	n := 0
	for i, app := range list {
		if i == 0 || list[i-1].Namespace != app.Namespace {
			n++
		}
	}
	return n
}

// waitingByNamespace returns, oldest first, the applications that nobody has taken up for longer than an operator needs,
// and when the last of a namespace was. The controller writes a state as soon as it has submitted an application
// (internal/controller/sparkapplication/controller.go@v2.5.2, reconcileNewSparkApplication); spec.suspend keeps it from
// that. A manifest that no server has seen waits for nothing.
func waitingByNamespace(s *snapshot.Snapshot, p Params, list []*snapshot.SparkApplication) (waiting map[string][]*snapshot.SparkApplication, taken map[string]time.Time) {
	waiting, taken = map[string][]*snapshot.SparkApplication{}, map[string]time.Time{}
	for _, app := range list {
		if app.LastSubmissionAttempt.After(taken[app.Namespace]) {
			taken[app.Namespace] = app.LastSubmissionAttempt
		}
		if app.State == "" && !app.Suspend && !app.Terminating() && !app.Created.IsZero() && s.TakenAt.Sub(app.Created) > p.NewAfter {
			waiting[app.Namespace] = append(waiting[app.Namespace], app)
		}
	}
	for _, apps := range waiting {
		slices.SortStableFunc(apps, func(a, b *snapshot.SparkApplication) int { return a.Created.Compare(b.Created) })
	}
	return waiting, taken
}

func (k *keepers) unwatched(name string, apps []*snapshot.SparkApplication) Finding {
	f := Finding{Object: snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}, Severity: Error}
	if ns := k.namespaces[name]; ns != nil {
		f.Object, f.Location, f.Labels = ns.Ref, ns.Location, ns.Labels
	}
	var told []string
	for _, in := range k.list {
		f.Certainty = max(f.Certainty, versionCertainty(in))
		f.Evidence = append(f.Evidence, toldTo(in))
		f.Related = append(f.Related, in.Controller.Ref)
		told = append(told, fmt.Sprintf("operator %s of namespace %s takes %s", in.Stated, in.Namespace, scopeOf(in)))
	}
	for i, app := range apps {
		f.Objects = append(f.Objects, app.Ref)
		if i < shownApps {
			f.Evidence = append(f.Evidence, Evidence{Object: app.Ref, Field: "metadata.creationTimestamp", Value: second(app.Created)})
		}
	}
	if extra := len(told) - maxNamed; extra > 0 {
		told = append(told[:maxNamed], fmt.Sprintf("%d more take others", extra))
	}
	f.Message = fmt.Sprintf("%s without a state, the oldest since %s: %s", waits(len(apps)), second(apps[0].Created), strings.Join(told, ", "))
	return f
}

// scopeOf says for people what a controller takes.
func scopeOf(in *operator.Installation) string {
	text := "namespaces labelled " + in.NamespaceSelector()
	if in.NamespaceSelector() == "" {
		text = "all namespaces"
		if list := in.Namespaces(); list != nil {
			text = "only namespace " + firstOf(list)
		}
	} else if list := in.Listed(); len(list) > 0 {
		text = "namespace " + firstOf(list) + " and " + text
	}
	if filter := in.LabelFilter(); filter != "" {
		text += ", applications labelled " + filter
	}
	return text
}

// firstOf joins the first of a long list and says how many more there are.
func firstOf(list []string) string {
	if extra := len(list) - shownApps; extra > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:shownApps], ", "), extra)
	}
	return strings.Join(list, ", ")
}

// toldTo is the flag that says what a controller takes.
func toldTo(in *operator.Installation) Evidence {
	return Evidence{Object: in.Controller.Ref, Field: "what the controller takes", Value: scopeOf(in)}
}
