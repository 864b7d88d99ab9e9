package checks

import (
	"fmt"
)

// lookAtRelease is what to do before a release is upgraded to the operator's chart: Helm deletes what that chart does not have, and
// sparkdoctor reads neither Helm's own records nor all kinds.
func lookAtRelease(r installer) Task {
	return Task{
		When: Before, Do: "check that the release holds the operator's chart only",
		Because: "if Helm's manifest names templates of other charts, helm upgrade to the operator's chart deletes what they made; " +
			"raise the dependency on " + operatorChart + " in the umbrella chart instead",
		Commands: nonEmpty(
			commandf("helm list -n %s", r.namespace),
			commandf("helm get manifest %s -n %s | grep '^# Source: ' | grep -v ' "+operatorChart+"/templates/'", r.name, r.namespace),
		),
	}
}

// holdsOperatorOnly is lookAtRelease for a shell: it fails, and prints what else there is, unless all that Helm has rendered for the
// release is of the operator's chart.
const holdsOperatorOnly = "helm get manifest %s -n %s | awk '/^# Source: /{n++; if (!/ " + operatorChart + "\\/templates\\//) {print; other=1}} END{exit other||!n}'"

// again is the gate with what will be installed.
func again(u *Upgrade, r installer) Task {
	t := Task{When: Before, Do: "ask again with what will be installed", Because: "without rendered manifests only the chart's defaults are known"}
	to := u.To.String()
	if len(u.Others) > 0 {
		t.Do = fmt.Sprintf("ask again with what the chart of release %s renders to target.yaml with %s %s: helm template --include-crds", r.name, operatorChart, to)
		t.Commands = nonEmpty(askAgain(u))
		return t
	}
	t.Commands = nonEmpty(
		"helm repo add --force-update spark-operator https://kubeflow.github.io/spark-operator",
		commandf("helm template %s spark-operator/spark-operator --version %s -n %s -f values.yaml --include-crds > target.yaml", r.name, to, r.namespace),
		askAgain(u),
	)
	return t
}

// rollout is the upgrade itself.
func rollout(u *Upgrade, r installer) Task {
	to := u.To.String()
	switch {
	case r.tool != "":
		return Task{
			When: During, Do: fmt.Sprintf("set chart version %s where %s takes it from, and let it sync", to, r.tool),
			Because: r.tool + " applies the release, and takes back what anybody else changes",
		}
	case len(u.Others) > 0:
		return Task{
			When: During, Objects: u.Others,
			Do: fmt.Sprintf("raise the dependency: set version: %s for %s under dependencies in the Chart.yaml of release %s, and upgrade the release with that chart",
				to, operatorChart, r.name),
			Because: fmt.Sprintf("release %s holds %s of other charts, which an upgrade to the operator's own chart would delete", r.name, counted(len(u.Others), "object")),
		}
	default:
		return Task{
			When: During, Do: "upgrade the release", Because: "controller and webhook roll to the new image; the command stops if the release holds other charts",
			Commands: nonEmpty(commandf(holdsOperatorOnly+" && helm upgrade %s spark-operator/spark-operator --version %s -n %s -f values.yaml",
				r.name, r.namespace, r.name, to, r.namespace)),
		}
	}
}
