package installation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func namespaceNotWatched() check.Check {
	return check.Check{
		ID: "SD5001", Slug: "namespace-not-watched", Since: "0.1.0", Consequence: check.StopsAll,
		Title:   "applications wait in a namespace that no operator watches",
		Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.NamespaceWatch}},
		Requires:  []check.Requirement{facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			k := facts.Controllers().Of(p)
			waiting, taken := waitingByNamespace(p.Snapshot, p.Params, list)
			a := check.Answer{Judged: namespacesOf(list), Unjudged: unjudged}
			switch {
			case len(waiting) == 0:
				return a
			case len(k.List) == 0:
				a.PassOver(len(waiting), "which namespaces are watched, since no operator was seen")
				return a
			case !p.CoversAll(snapshot.Deployments):
				a.PassOver(len(waiting), "whether an operator watches a namespace, since not all Deployments were seen")
				return a
			}
			unclear := 0
			for _, name := range slices.Sorted(maps.Keys(waiting)) {
				apps, known := k.Unclaimed(name, waiting[name])
				switch {
				case !known:
					unclear++
				case len(apps) == 0:
				case taken[name].After(apps[0].Created): // an operator that was not found takes them up
				default:
					f := unwatched(k, p.TakenAt, name, apps)
					f.Then(watch(facts.Installations().Of(p), name, apps[0]))
					a.Findings = append(a.Findings, f)
				}
			}
			a.PassOver(unclear, fmt.Sprintf("whether %s watched depends on labels that were not seen, or on a flag that cannot be read",
				phrase.CountedAre(unclear, "namespace")))
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
func waitingByNamespace(s *snapshot.Snapshot, p check.Params,
	list []*snapshot.SparkApplication) (waiting map[string][]*snapshot.SparkApplication, taken map[string]time.Time) {
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

// watch has a namespace watched: by its name or, since 2.5.0, by its labels.
func watch(installations []operator.Installation, namespace string, app *snapshot.SparkApplication) check.Command {
	if len(installations) != 1 {
		return command.Do("add %s to spark.jobNamespaces in the values of the operator that should run them", namespace)
	}
	in := &installations[0]
	if selector := in.NamespaceSelector(); selector != "" && len(in.Listed()) == 0 {
		return command.Do("label the namespace as --namespace-selector asks").With("kubectl label namespace %s %s", namespace, selector)
	}
	if in.LabelFilter() != "" && in.WatchesAll() {
		return command.Do("label the applications so that the operator's filter matches: %s", in.LabelFilter()).
			With("kubectl -n %s label sparkapplication %s %s", app.Namespace, app.Name, in.LabelFilter())
	}
	if in.Legacy() && command.InstallerOf(in).Chart == "" {
		return command.Do("leave out -namespace, which accepts one namespace: without it, the operator watches all").
			On("edit", in.Controller.Ref)
	}
	list := slices.Clone(in.Listed())
	if !slices.Contains(list, namespace) {
		list = append(list, namespace)
	}
	return command.Set(in, command.JobNamespaces(in, list))
}

func unwatched(k *facts.Assignment, now time.Time, name string, apps []*snapshot.SparkApplication) check.Finding {
	f := check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}), Severity: check.Error}
	if ns := k.Namespaces[name]; ns != nil {
		f.About = check.Of(ns)
	}
	var told []string
	for _, in := range k.List {
		f.Certainty = max(f.Certainty, facts.VersionCertainty(in))
		f.Evidence = append(f.Evidence, facts.ToldTo(in))
		f.Related = append(f.Related, in.Controller.Ref)
		told = append(told, fmt.Sprintf("operator %s of namespace %s watches %s", in.Stated, in.Namespace, in.Scope()))
	}
	for i, app := range apps {
		f.Objects = append(f.Objects, app.Ref)
		if i < facts.ShownApps {
			f.Saw(app.Ref, "metadata.creationTimestamp", facts.Timestamp(app.Created))
		}
	}
	if extra := len(told) - facts.MaxNamed; extra > 0 {
		told = append(told[:facts.MaxNamed], fmt.Sprintf("%d more watch others", extra))
	}
	waits := facts.Waits(len(apps)) + " without a state"
	f.Since, f.Brief = apps[0].Created, "no operator watches it, and "+waits
	f.Message = fmt.Sprintf("%s, the oldest %s: %s", waits, facts.ForSince(apps[0].Created, now), strings.Join(told, ", "))
	return f
}
