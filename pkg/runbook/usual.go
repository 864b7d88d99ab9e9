package runbook

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// usual are the first and the last steps of every upgrade, in order.
func usual(u *check.Upgrade) (first, last []Task) {
	r := upgrade.ReleaseOf(u)
	first = []Task{{
		When: check.Before, Do: "save a baseline", Because: "so that you can tell afterwards which findings the upgrade caused",
		Commands: []string{"test -s " + baseline(u, r) + ".json || kubectl sparkdoctor scan --fail-on none -o json=" + baseline(u, r) + ".json",
			"test -s " + baseline(u, r) + ".tar.gz || kubectl sparkdoctor snapshot -o " + baseline(u, r) + ".tar.gz"},
	}}
	_, restarts := u.Restarts() // whose notes show the values of the chart
	if restarts || r.Tool != command.PlainKustomize && r.Tool != command.Kustomize {
		first = append(first, Task{
			When: check.Before, Do: "add the repository of the chart", Because: "the commands below read the chart from it",
			Commands: []string{"helm repo add --force-update spark-operator " + ChartRepository},
		})
	}
	if byHelm(r) {
		first = append(first, saveValues(u, r))
	}
	if byHelm(r) && !u.Umbrella() && u.Release == nil {
		first = append(first, lookAtRelease(r))
	}
	if t, is := raise(u, r); is {
		last = append(last, t)
	}
	if u.Target == nil {
		last = append(last, again(u, r))
	}
	last = append(last, tryCRDs(u, r), rollout(u, r), Task{
		When: check.During, Do: "wait for the rollout", Because: "until it finishes, requests may still reach the old webhook, or none",
		Commands: rolledOut(u, r),
	}, Task{
		When: check.After, Do: "check for regressions", Because: "problems with certificates, roles and first runs only show after the upgrade",
		Commands: []string{compared(u, r)},
	})
	return first, append(last, ifItGoesWrong(u, r)...)
}

// byHelm reports whether people run helm upgrade: also where nothing says what installed the operator.
func byHelm(r command.Installer) bool { return r.Tool == command.Helm || r.Tool == command.Unknown }

// rolledOut waits for the Deployments of the target by name: others may have their labels.
func rolledOut(u *check.Upgrade, r command.Installer) []string {
	namespace, names := r.Namespace, []string{"spark-operator-controller", "spark-operator-webhook"}
	switch coming := u.Coming(); {
	case coming != nil:
		namespace, names = coming.Namespace, nil
		for _, d := range coming.Deployments() {
			names = append(names, d.Name)
		}
	case u.Installation != nil:
		in := u.Installation
		namespace = in.Namespace
		chart := operator.ChartNamesOf(u.To, r.Name, in.Name)
		names = []string{chart.ControllerAccount, chart.WebhookAccount} // the chart calls Deployments and accounts the same
		if in.Webhook == nil && !in.Legacy() {
			names = names[:1]
		}
	}
	var out []string
	for _, name := range names {
		out = append(out, command.Line("kubectl rollout status deployment %s -n %s --timeout 5m", name, namespace))
	}
	return nonEmpty(out...)
}

// crds is the step before the upgrade itself, unless findings ask for it, or the tool that applies the manifests applies the CRDs.
func crds(u *check.Upgrade, findings []Task) []Task {
	if slices.ContainsFunc(findings, func(t Task) bool { return t.CRDs }) {
		return nil
	}
	step := upgrade.ApplyCRDs(u)
	because := "Helm installs CRDs but never upgrades them; an old CRD silently drops fields that the new operator reads"
	if !byHelm(upgrade.ReleaseOf(u)) {
		because = "an old CRD silently drops fields that the new operator reads"
	}
	return []Task{{When: step.When, Do: step.Do, Because: because, Commands: nonEmpty(step.Command), CRDs: true}}
}

// tryCRDs asks the API server what it will say to the CRDs, while nothing has changed yet.
func tryCRDs(u *check.Upgrade, r command.Installer) Task {
	t := Task{When: check.Before, Do: fmt.Sprintf("check that the API server accepts the CRDs of %s", u.To),
		Because: "it refuses, for example, a CRD without a version that status.storedVersions names"}
	t.Commands = []string{upgrade.CRDCommand(u, r, " --dry-run=server")}
	return t
}

// askAgain is this gate with rendered manifests: it says which operator is meant, and from which release where its Deployment
// does not.
func askAgain(u *check.Upgrade) string {
	const gate = "kubectl sparkdoctor gate --to %s --target-manifests target.yaml"
	from, to := u.Installed().ChartOrApplication(), u.To.String()
	if u.Installation == nil {
		return command.Line(gate+" --from %s", to, from)
	}
	controller := u.Installation.Controller
	if !u.Installation.Recognised {
		return command.Line(gate+" --from %s --operator %s/%s", to, from, controller.Namespace, controller.Name)
	}
	return command.Line(gate+" --operator %s/%s", to, controller.Namespace, controller.Name)
}
