package checks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func webhookSkipsNamespace() Check {
	return Check{
		ID: "SD1007", Slug: "webhook-skips-namespace", Since: "0.1.0",
		Title: "an operator reconciles applications of a namespace whose pods its webhook does not see",
		Next:  "let the webhook's selector and --namespaces take the namespace: spark.jobNamespaces in the Helm values",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.MutatingWebhooks, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
			{View: snapshot.SparkPods, Role: snapshot.Optional},
		},
		Admission: LinkSelector, Breaks: []Part{Mutation},
		Run: func(s *snapshot.Snapshot, _ Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			sight := newWebhookSight(s)
			byNamespace := map[string][]*snapshot.SparkApplication{}
			for _, app := range list {
				if !app.Terminating() {
					byNamespace[app.Namespace] = append(byNamespace[app.Namespace], app)
				}
			}
			unclear, whole := 0, s.CoversAll(snapshot.MutatingWebhooks) && s.CoversAll(snapshot.Deployments) // another webhook may see them
			for _, name := range slices.Sorted(maps.Keys(byNamespace)) {
				f, verdict := sight.judge(name, byNamespace[name])
				switch {
				case verdict == notReconciled:
				case verdict == sees:
					a.Judged++
				case verdict == skips && whole:
					a.Judged++
					a.Findings = append(a.Findings, f)
				default:
					unclear++
				}
			}
			if unclear > 0 {
				a.Unjudged = append(a.Unjudged, fmt.Sprintf("whether %s covered depends on labels or webhooks that were not seen or on matchConditions, which are not evaluated", areOf(unclear)))
			}
			return a
		},
	}
}

func areOf(n int) string {
	if n == 1 {
		return "1 namespace is"
	}
	return fmt.Sprintf("%d namespaces are", n)
}

// judge asks for one namespace who takes up its applications, and whether the webhook of any installation sees its pods.
func (w *webhookSight) judge(name string, apps []*snapshot.SparkApplication) (Finding, verdict) {
	if v := w.covered(name); v != skips {
		return Finding{}, v
	}
	worst := notReconciled
	for i := range w.installations {
		in := &w.installations[i]
		own := w.registeredFor(in)
		if len(own) == 0 {
			continue // switched off, or SD1008
		}
		picked := slices.DeleteFunc(slices.Clone(apps), func(app *snapshot.SparkApplication) bool { return !in.Picks(app.Labels) })
		switch yes, known := in.Reconciles(name, w.namespaces[name]); {
		case len(picked) == 0:
		case !known:
			worst = unclearWhether
		case yes:
			return w.finding(name, in, own, picked), skips
		}
	}
	return Finding{}, worst
}

func (w *webhookSight) finding(name string, in *operator.Installation, own []podWebhook, apps []*snapshot.SparkApplication) Finding {
	f := Finding{
		Object: snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}, Severity: Warning, Certainty: versionCertainty(in),
	}
	if ns := w.namespaces[name]; ns != nil {
		f.Object, f.Location, f.Labels = ns.Ref, ns.Location, ns.Labels
	}
	reason := ""
	for _, one := range own {
		text, evidence := w.gap(name, one)
		f.Evidence = append(f.Evidence, evidence)
		f.Related = append(f.Related, one.config.Ref)
		if reason == "" {
			reason = text
		}
	}
	f.Evidence = append(f.Evidence, takenBy(in))
	f.Related = append(f.Related, in.Controller.Ref)
	f.Message = fmt.Sprintf("%s %s reconciled by operator %s of namespace %s, but pods here start unmutated: %s",
		runsText(refsOf(apps)), verb(len(apps), "is", "are"), in.Stated, in.Namespace, reason)
	using := slices.DeleteFunc(slices.Clone(apps), func(app *snapshot.SparkApplication) bool { return len(spark.WebhookFields(app)) == 0 })
	if len(using) > 0 {
		f.Severity = Error
	}
	for _, app := range apps {
		if len(spark.WebhookFields(app)) == 0 {
			f.Related = append(f.Related, app.Ref)
		}
	}
	f.name(using)
	return f
}

// takenBy is what makes the controller take the namespace.
func takenBy(in *operator.Installation) Evidence {
	if selector := in.NamespaceSelector(); selector != "" {
		return Evidence{Object: in.Controller.Ref, Field: "--namespace-selector", Value: selector}
	}
	return Evidence{Object: in.Controller.Ref, Field: "namespaces that the controller watches", Value: namespacesText(in.Namespaces())}
}
