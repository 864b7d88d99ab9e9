package runbook

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
)

// lookAtRelease is what to do before a release is upgraded to the operator's chart: Helm deletes what that chart does not have, and
// sparkdoctor reads neither Helm's own records nor all kinds.
func lookAtRelease(r command.Installer) Task {
	return Task{
		When: check.Before, Do: "check that the release holds the operator's chart only",
		Because: "if Helm's manifest names templates of other charts, helm upgrade to the operator's chart deletes what they made; " +
			"raise the dependency on " + upgrade.OperatorChart + " in the umbrella chart instead",
		Commands: nonEmpty(
			command.Line("helm list -n %s", r.Namespace),
			command.Line("helm get manifest %s -n %s | grep '^# Source: ' | grep -v ' "+upgrade.OperatorChart+"/templates/'",
				r.Name, r.Namespace),
		),
	}
}

// holdsOperatorOnly is lookAtRelease for a shell: it fails, and prints what else there is, unless all that Helm has rendered for the
// release is of the operator's chart.
const holdsOperatorOnly = "helm get manifest %s -n %s | awk '/^# Source: /{n++; if (!/ " + upgrade.OperatorChart +
	"\\/templates\\//) {print; other=1}} END{exit other||!n}'"

// again is the gate with what will be installed.
func again(u *check.Upgrade, r command.Installer) Task {
	t := Task{When: check.Before, Do: "ask again with what will be installed",
		Because: "without rendered manifests only the chart's defaults are known"}
	to := u.To.String()
	if len(u.Others) > 0 {
		t.Do = fmt.Sprintf("ask again with what the chart of release %s renders to target.yaml with %s %s: helm template --include-crds", r.Name,
			upgrade.OperatorChart, to)
		t.Commands = nonEmpty(askAgain(u))
		return t
	}
	t.Commands = nonEmpty(
		"helm repo add --force-update spark-operator https://kubeflow.github.io/spark-operator",
		command.Line("helm template %s spark-operator/spark-operator --version %s -n %s -f values.yaml --include-crds > target.yaml",
			r.Name, to, r.Namespace),
		askAgain(u),
	)
	return t
}

// rollout is the upgrade itself.
func rollout(u *check.Upgrade, r command.Installer) Task {
	to := u.To.String()
	switch {
	case r.GitOps() != "":
		return Task{
			When: check.During, Do: fmt.Sprintf("set chart version %s where %s takes it from, and let it sync", to, r.GitOps()),
			Because: r.GitOps() + " applies the release, and takes back what anybody else changes",
		}
	case len(u.Others) > 0:
		return Task{
			When: check.During, Objects: u.Others,
			Do: fmt.Sprintf(
				"raise the dependency: set version: %s for %s under dependencies in the Chart.yaml of release %s, and upgrade the release with "+
					"that chart",
				to, upgrade.OperatorChart, r.Name),
			Because: fmt.Sprintf("release %s holds %s of other charts, which an upgrade to the operator's own chart would delete", r.Name,
				facts.Counted(len(u.Others), "object")),
		}
	default:
		return Task{
			When: check.During, Do: "upgrade the release",
			Because: "controller and webhook roll to the new image; the command stops if the release holds other charts",
			Commands: nonEmpty(command.Line(holdsOperatorOnly+
				" && helm upgrade %s spark-operator/spark-operator --version %s -n %s -f values.yaml",
				r.Name, r.Namespace, r.Name, to, r.Namespace)),
		}
	}
}
