package runbook

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// lookAtRelease is what to do before a release is upgraded to the operator's chart: Helm deletes what that chart does not have, and
// sparkdoctor reads neither Helm's own records nor all kinds.
func lookAtRelease(r command.Installer) Task {
	return Task{
		When: check.Before, Do: "check that the release holds the operator's chart only",
		Because: "if the release's manifest holds templates of other charts, helm upgrade to the operator's chart deletes their objects; " +
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
	t := Task{When: check.Before, Do: "run gate again with the manifests you will install",
		Because: "without rendered manifests, gate assumes the chart's defaults"}
	to := u.To.String()
	switch {
	case r.Tool == command.Kustomize || r.Tool == command.PlainKustomize:
		t.Do = fmt.Sprintf("render your kustomization with ref v%s and run gate again", to)
		t.Because = "only your own manifests say what will be installed; run it in the directory of the kustomization"
		t.Lines, t.Commands = written(u, r), []string{"kubectl kustomize . > target.yaml"}
	case u.Umbrella() && r.GitOps() == "":
		t.Do = fmt.Sprintf("run gate again with the raised chart of release %s", r.Name)
		t.Commands = nonEmpty(command.Line("helm template %s . -n %s -f %s --include-crds > target.yaml", r.Name, r.Namespace, newValues(u, r)))
	case r.GitOps() != "":
		t.Do = fmt.Sprintf("render the chart with the values that %s has to target.yaml (helm template --include-crds) and run gate again",
			r.GitOps())
	default:
		t.Commands = nonEmpty(command.Line(
			"helm template %s spark-operator/spark-operator --version %s -n %s -f %s --include-crds > target.yaml",
			r.Name, to, r.Namespace, newValues(u, r)))
	}
	t.Commands = append(t.Commands, nonEmpty(askAgain(u))...)
	return t
}

// rollout is the upgrade itself.
func rollout(u *check.Upgrade, r command.Installer) Task {
	to := u.To.String()
	t := Task{When: check.During, Because: "controller and webhook restart with the new image; " + pause(u)}
	switch {
	case r.Tool == command.PlainKustomize:
		t.Do = fmt.Sprintf("apply the kustomization with ref v%s and image tag %s", to, to)
		t.Because += "; the command refuses another ref"
		t.Commands = []string{fmt.Sprintf("grep -q 'ref=v%s' kustomization.yaml && kubectl apply --server-side --force-conflicts -k .", to)}
	case r.GitOps() != "" && u.Umbrella():
		t.Do = fmt.Sprintf("merge the raised chart, and let %s sync", r.GitOps())
		t.Because = r.GitOps() + " applies the release and reverts changes made by anyone else; " + pause(u)
	case r.GitOps() != "":
		t.Do = fmt.Sprintf("set %s in the repository that %s syncs from, and let it sync", raised(r, to), r.GitOps())
		t.Because = r.GitOps() + " applies the release and reverts changes made by anyone else; " + pause(u)
		t.Lines = written(u, r)
	case u.Umbrella():
		t.Objects = u.Others
		t.Do = fmt.Sprintf("upgrade release %s with the raised chart", r.Name)
		t.Because += "; the command refuses in the directory of another chart"
		t.Commands = nonEmpty(command.Line(ofThisChart+" && helm upgrade %s . -n %s -f %s", r.Namespace, r.Name, r.Name, r.Namespace,
			newValues(u, r)))
	default:
		t.Do = "upgrade the release"
		t.Because += "; the command refuses if the release holds other charts"
		t.Commands = nonEmpty(command.Line(holdsOperatorOnly+
			" && helm upgrade %s spark-operator/spark-operator --version %s -n %s -f %s",
			r.Name, r.Namespace, r.Name, to, r.Namespace, newValues(u, r)))
	}
	return t
}

// raised is the field of a GitOps tool that names the release, with the object that has it.
func raised(r command.Installer, to string) string {
	switch r.Tool {
	case command.ArgoCD:
		return fmt.Sprintf("chart version %s (targetRevision of application %s)", to, r.Source)
	case command.FluxHelm:
		return fmt.Sprintf("chart version %s (spec.chart.spec.version of HelmRelease %s)", to, r.Source)
	default:
		return fmt.Sprintf("ref v%s and image tag %s (what Kustomization %s applies)", to, to, r.Source)
	}
}

// pause says how long nothing is reconciled. From 1.x a step stops the old controller; from 2.x on a new one waits for the lease of the old
// (--leader-election-lease-duration, and no LeaderElectionReleaseOnCancel, in cmd/operator/controller/start.go@v2.0.0 to @v2.5.2).
func pause(u *check.Upgrade) string {
	if _, restarts := u.Restarts(); restarts {
		return "from the stop of the old controller until the rollout finishes, no application is submitted or updated; running drivers go on"
	}
	return "until the new controller holds the lease (15 s by default), no application is submitted or updated; running drivers go on"
}
