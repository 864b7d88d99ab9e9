package command

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Again is how the chart's objects are made again that are gone: the same values applied once more.
func Again(in *operator.Installation, what string) Command {
	if in == nil {
		return Do("re-apply the operator's manifests, which contain %s", what)
	}
	r := InstallerOf(in)
	switch {
	case r.Tool == Helm && r.Chart != "":
		c := Do("upgrade Helm release %s with the values that it has, which brings back %s", r.Name, what)
		c.Line = r.upgrade(" --timeout 5m")
		return c
	case r.Tool == Helm:
		return Do("upgrade Helm release %s with the values that it has, which brings back %s", r.Name, what).
			With("helm get values %s -n %s", r.Name, r.Namespace)
	case r.Tool == ArgoCD:
		return Do("sync Argo CD application %s, which brings back %s", r.Source, what)
	case r.Tool == FluxHelm:
		return Do("force a reconciliation of HelmRelease %s, which brings back %s", r.Source, what)
	case r.Tool == Kustomize:
		return Do("reconcile Kustomization %s, which brings back %s", r.Source, what)
	default:
		return Do("re-apply the operator's manifests, which contain %s", what)
	}
}

// CRDs applies the CRDs of an installation's own release: Helm creates CRDs and never changes them
// (helm.sh/docs/chart_best_practices/custom_resource_definitions).
func CRDs(in *operator.Installation, text string) Command {
	c := Command{Text: text}
	if in == nil {
		return c
	}
	chart := InstallerOf(in).Chart
	if chart == "" && in.Recognised && !in.Legacy() {
		chart = in.Version.String() // from 2.0.0 on they have one number
	}
	return c.With("helm show crds spark-operator/spark-operator --version %s | kubectl apply --server-side --force-conflicts -f -", chart)
}

// Restart restarts the replicas of a Deployment of the operator.
func Restart(text string, d snapshot.Ref) Command {
	return Command{Text: text}.With("kubectl -n %s rollout restart deployment %s", d.Namespace, d.Name)
}

// Upgrade asks what an upgrade to the newest release breaks, which comes before it. A release that is fatal is passed over.
func Upgrade(in *operator.Installation, to operator.Version, why string) Command {
	if fatal, is := operator.FatalAs(to); is {
		if next, err := operator.ReleaseNamed(fatal.Next); err == nil {
			to = next.Application
		}
	}
	c := Do("upgrade the operator to %s or newer%s", to, why)
	if in == nil || in.Controller == nil {
		return c
	}
	target := operator.Newest()
	if to.Compare(target) > 0 {
		target = to
	}
	return c.With("kubectl sparkdoctor gate --to %s --operator %s/%s", target.String(), in.Controller.Namespace, in.Controller.Name)
}

// Rule is what a role allows in a namespace, or everywhere if there is none; of one object if that has a name.
type Rule struct {
	Namespace, Resource, Name string
	Verbs                     []string
}

// Applied makes a line of kubectl create one that can be run again: create refuses what exists.
func Applied(line string) string {
	if line == "" {
		return ""
	}
	return line + " --dry-run=client -o yaml | kubectl apply -f -"
}

// Grant lets an account do what a rule allows, by a role of its own.
func Grant(text, role string, account snapshot.Account, r Rule) []Command {
	who, allowed := account.Namespace+":"+account.Name, strings.Join(r.Verbs, ",")
	made, bound := Command{Text: text}, Do("bind the role to service account %s", account.Name)
	if r.Namespace == "" {
		made = made.With("kubectl create clusterrole %s --verb=%s --resource=%s", role, allowed, r.Resource)
		bound = bound.With("kubectl create clusterrolebinding %s --clusterrole=%s --serviceaccount=%s", role, role, who)
	} else {
		made = made.With("kubectl -n %s create role %s --verb=%s --resource=%s", r.Namespace, role, allowed, r.Resource)
		bound = bound.With("kubectl -n %s create rolebinding %s --role=%s --serviceaccount=%s", r.Namespace, role, role, who)
	}
	if r.Name != "" {
		if !ForShell(r.Name) {
			made.Line = ""
		}
		if made.Line != "" {
			made.Line += " --resource-name=" + r.Name
		}
	}
	made.Line, bound.Line = Applied(made.Line), Applied(bound.Line)
	return []Command{made, bound}
}
