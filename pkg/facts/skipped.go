package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// Judge asks for one namespace who takes up its applications, and whether the webhook of any installation sees its pods.
func (w *WebhookCoverage) Judge(name string, apps []*snapshot.SparkApplication) (check.Finding, Visibility) {
	if v := w.covered(name); v != Skips {
		return check.Finding{}, v
	}
	worst := NotReconciled
	for i := range w.Installations {
		in := &w.Installations[i]
		own := w.RegisteredFor(in)
		if len(own) == 0 {
			continue // switched off, or SD1008
		}
		picked := slices.DeleteFunc(slices.Clone(apps), func(app *snapshot.SparkApplication) bool { return !in.Picks(app.Labels) })
		switch yes, known := in.Reconciles(name, w.Namespaces[name]); {
		case len(picked) == 0:
		case !known:
			worst = unclearWhether
		case yes:
			return w.skipped(name, in, own, picked), Skips
		}
	}
	return check.Finding{}, worst
}

func (w *WebhookCoverage) skipped(name string, in *operator.Installation, own []PodWebhook,
	apps []*snapshot.SparkApplication) check.Finding {
	f := check.Finding{
		About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}), Severity: check.Warning,
		Certainty: VersionCertainty(in),
	}
	if ns := w.Namespaces[name]; ns != nil {
		f.About = check.Of(ns)
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
	f.Then(widen(in, name, own[0].config.Ref, f.Evidence[0]))
	f.Evidence = append(f.Evidence, takenBy(in))
	f.Related = append(f.Related, in.Controller.Ref)
	f.Message = fmt.Sprintf("%s %s reconciled by operator %s of namespace %s, but pods here start without env, volumes and tolerations: %s",
		RunsText(refsOf(apps)), phrase.Verb(len(apps), "is", "are"), in.Stated, in.Namespace, reason)
	using := slices.DeleteFunc(slices.Clone(apps), func(app *snapshot.SparkApplication) bool { return len(spark.WebhookFields(app)) == 0 })
	if len(using) > 0 {
		f.Severity = check.Error
	}
	for _, app := range apps {
		if len(spark.WebhookFields(app)) == 0 {
			f.Related = append(f.Related, app.Ref)
		}
	}
	NameUsers(&f, using)
	return f
}

// widen has the webhook see a namespace. gap is what leaves it out, a selector as kubectl takes it. The chart makes both, the selector and
// the process's list, of one value.
func widen(in *operator.Installation, name string, config snapshot.Ref, gap check.Evidence) check.Command {
	with := func(list []string) []string {
		if list == nil || slices.Contains(list, name) { // nil, all of them, stays
			return list
		}
		return append(slices.Clone(list), name)
	}
	selects := strings.HasSuffix(gap.Field, ".namespaceSelector")
	switch {
	case strings.HasSuffix(gap.Field, ".objectSelector"):
		return command.Do("put the labels %s on pods, by spec.driver.labels and spec.executor.labels", gap.Value)
	case selects && !strings.Contains(gap.Value, "kubernetes.io/metadata.name"):
		return command.Do("add the label that the webhook selects to the namespace").With("kubectl label namespace %s %s", name, gap.Value)
	case command.InstallerOf(in).Chart != "":
		return command.Set(in, command.JobNamespaces(in, with(in.Listed())))
	case selects:
		return command.Do("add %s to the namespaceSelector of the webhooks", name).On("edit", config)
	default:
		v := command.JobNamespaces(in, with(in.WebhookNamespaces()))
		v.Of = in.Webhook.Ref
		return command.Set(in, v)
	}
}

// takenBy is what makes the controller take the namespace.
func takenBy(in *operator.Installation) check.Evidence {
	if selector := in.NamespaceSelector(); selector != "" {
		return check.Evidence{Object: in.Controller.Ref, Field: "--namespace-selector", Value: selector}
	}
	return check.Evidence{Object: in.Controller.Ref, Field: "namespaces that the controller watches", Value: NamespacesText(in.Namespaces())}
}
