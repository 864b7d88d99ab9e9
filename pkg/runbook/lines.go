package runbook

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// ChartRepository is where the operator's charts are (docs/README.md of kubeflow/spark-operator@v2.5.2).
const ChartRepository = "https://kubeflow.github.io/spark-operator"

// ofThisChart fails unless the chart in the current directory is the one that a release of Helm was made of, whatever its version. The
// first command prints "chart" as NAME-VERSION (cmd/helm/list.go of helm.sh/helm/v3@v3.22.0).
const ofThisChart = `helm list -n %s --filter '^%s$' -o json | grep -q "\"chart\":\"$(helm show chart . | awk '/^name:/{print $2}')-"`

// raise has the target become part of an umbrella chart, before anything changes in the cluster.
func raise(u *check.Upgrade, r command.Installer) (Task, bool) {
	if !u.Umbrella() || r.Tool == command.Kustomize || r.Tool == command.PlainKustomize {
		return Task{}, false
	}
	t := Task{
		When: check.Before, Objects: u.Others, Lines: dependency(u),
		Do: fmt.Sprintf("raise the dependency: set version: %s for %s under dependencies in the Chart.yaml of release %s", u.To,
			upgrade.OperatorChart, r.Name),
		Because: fmt.Sprintf("release %s holds %s of other charts, which an upgrade to the operator's own chart would delete", r.Name,
			phrase.Counted(len(u.Others), "object")),
	}
	if len(u.Others) == 0 {
		t.Because = fmt.Sprintf("release %s is of chart %s, which has values and dependencies of its own", r.Name, u.Release.Chart)
	}
	if r.GitOps() == "" {
		t.Because += "; run this and what follows in the directory of that chart"
		t.Commands = []string{"helm dependency update ."}
	} else {
		t.Do += ", on a branch of the repository that " + r.GitOps() + " syncs from"
	}
	return t, true
}

// dependency is the entry of an umbrella chart (helm.sh/docs/topics/charts, chart dependencies).
func dependency(u *check.Upgrade) []string {
	return []string{"# Chart.yaml", "dependencies:", "- name: " + upgrade.OperatorChart, "  version: " + u.To.String(),
		"  repository: " + ChartRepository}
}

// written is what a tool that applies manifests again and again is told by its own object: fields of an Application of Argo CD
// (argo-cd.readthedocs.io/en/stable/user-guide/application-specification), of a HelmRelease (fluxcd.io/flux/components/helm/helmreleases),
// or of a kustomization. The images of config/default are those of a release candidate (config/default/kustomization.yaml@v2.5.1 and
// @v2.5.2).
func written(u *check.Upgrade, r command.Installer) []string {
	to := u.To.String()
	switch r.Tool {
	case command.ArgoCD:
		return []string{"# Application " + r.Source, "spec:", "  source:", "    targetRevision: " + to, "  syncPolicy:",
			"    syncOptions: [ServerSideApply=true]"}
	case command.FluxHelm:
		return []string{"# HelmRelease " + r.Source, "spec:", "  chart:", "    spec:", "      version: " + to, "  upgrade:",
			"    crds: CreateReplace"}
	default:
		return []string{"# kustomization.yaml", "resources:", "- https://github.com/kubeflow/spark-operator/config/default?ref=v" + to,
			"images:", "- name: ghcr.io/kubeflow/spark-operator/controller", "  newTag: " + to}
	}
}
