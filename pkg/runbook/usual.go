package runbook

import (
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
		When: check.Before, Do: "keep what is there now, to compare with", Because: "what is new afterwards came with the upgrade",
		Commands: []string{"kubectl sparkdoctor scan --fail-on none -o json=before.json", "kubectl sparkdoctor snapshot -o before.tar.gz"},
	}}
	if r.GitOps() == "" {
		first = append(first, Task{
			When: check.Before, Do: "keep the values of the release", Because: "an upgrade without them goes back to the chart's defaults",
			Commands: nonEmpty(command.Line("helm get values %s -n %s -o yaml > values.yaml", r.Name, r.Namespace)),
		})
	}
	if r.GitOps() == "" && len(u.Others) == 0 {
		first = append(first, lookAtRelease(r))
	}
	if u.Target == nil {
		last = append(last, again(u, r))
	}
	last = append(last, rollout(u, r), Task{
		When: check.During, Do: "wait until controller and webhook have rolled out", Because: "until then the old release answers, or none",
		Commands: rolledOut(u, r),
	}, Task{
		When: check.After, Do: "see that nothing is wrong that was not before", Because: "certificates, roles and the first runs show only now",
		Commands: []string{"kubectl sparkdoctor scan --baseline before.json"},
	})
	return first, last
}

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

// crds is the step before the upgrade itself, unless findings ask for it.
func crds(u *check.Upgrade, findings []Task) []Task {
	step := upgrade.ApplyCRDs(u)
	if slices.ContainsFunc(findings, func(t Task) bool { return t.Do == step.Do }) {
		return nil
	}
	return []Task{{
		When: step.When, Do: step.Do, Because: "Helm creates CRDs and never changes them; an old one drops fields that the new operator reads",
		Commands: []string{step.Command},
	}}
}

// askAgain is this gate with rendered manifests: it says which operator is meant, and from which release where its Deployment
// does not.
func askAgain(u *check.Upgrade) string {
	const gate = "kubectl sparkdoctor gate --to %s --target-manifests target.yaml"
	from, to := u.From.String(), u.To.String()
	if u.Installation == nil {
		return command.Line(gate+" --from %s", to, from)
	}
	controller := u.Installation.Controller
	if !u.Installation.Recognised {
		return command.Line(gate+" --from %s --operator %s/%s", to, from, controller.Namespace, controller.Name)
	}
	return command.Line(gate+" --operator %s/%s", to, controller.Namespace, controller.Name)
}
