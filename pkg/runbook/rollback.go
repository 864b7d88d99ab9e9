package runbook

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// ifItGoesWrong says when to go back, how, and what does not come back.
func ifItGoesWrong(u *check.Upgrade, r command.Installer) []Task {
	out := []Task{
		{
			When: check.Rollback, Do: "roll back if the rollout does not finish in 5 minutes, if the webhook rejects applications, or if the scan " +
				"shows new errors",
			Because: "drivers and executors that run go on meanwhile; the operator starts and records nothing",
		},
		{
			When: check.Rollback, Do: "stop clients (Airflow, CI, scripts) from creating applications until the old operator runs again",
			Because: "a webhook that is down or on its way back rejects what they create, or lets pods start without env, volumes and tolerations",
		},
	}
	if t, is := clearSecret(u, r); is {
		out = append(out, t)
	}
	return append(out, wayBack(u, r), Task{
		When: check.Rollback, Do: fmt.Sprintf("leave the CRDs of %s in place", u.To),
		Because: "no rollback takes CRDs back, and older ones drop fields that stored objects have; deleting a CRD deletes every application",
	}, Task{
		When: check.Rollback, Do: "check what the rollback left behind",
		Because:  "certificates and webhook configurations of both releases may be there",
		Commands: []string{compared(u, r)},
	})
}

// wayBack is the rollback itself. Charts of 1.x make their certificates in hooks that Helm runs in an upgrade and not in a rollback
// (charts/spark-operator-chart/templates/webhook-init-job.yaml@spark-operator-chart-1.3.0).
func wayBack(u *check.Upgrade, r command.Installer) Task {
	t := Task{When: check.Rollback, Do: "roll back the release", Because: "Helm restores Deployments, roles and webhook configurations"}
	switch {
	case r.GitOps() != "":
		t.Do = fmt.Sprintf("revert the commit in the repository that %s syncs from, and let it sync", r.GitOps())
		t.Because = r.GitOps() + " would undo a rollback by hand"
	case r.Tool == command.PlainKustomize:
		t.Do = fmt.Sprintf("set the old ref in the kustomization that installs the operator, and apply it without %s", "config/crd")
		t.Because = "kubectl keeps no history"
	case u.Umbrella():
		t.Because = "the whole release goes back, with the objects of other charts; Helm restores Deployments, roles and webhook configurations"
		t.Commands = nonEmpty(helmBack(u, r)...)
	case u.From.Major == 1 && !u.Chart.IsZero():
		t.Do = fmt.Sprintf("install %s again, with its values", u.Installed())
		t.Because = "charts of 1.x make certificates in hooks, which Helm runs in an upgrade and not in a rollback"
		t.Commands = nonEmpty(command.Line("helm upgrade %s spark-operator/spark-operator --version %s -n %s -f %s", r.Name, u.Chart.String(),
			r.Namespace, savedValues(u, r)))
	default:
		t.Commands = nonEmpty(helmBack(u, r)...)
	}
	return t
}

// helmBack returns to the revision that was there before the upgrade, see savedRevision.
func helmBack(u *check.Upgrade, r command.Installer) []string {
	return []string{
		command.Line("helm history %s -n %s", r.Name, r.Namespace),
		command.Line(`helm rollback %s "$(cat %s)" -n %s --timeout 5m`, r.Name, savedRevision(u, r), r.Namespace),
	}
}

// clearSecret deletes the webhook's Secret on the way back to 1.x: chart 1.4 has it among its own objects, and Helm refuses one that it
// did not make; the hook of older charts keeps one that exists (charts/spark-operator-chart/templates/webhook/secret.yaml@
// spark-operator-chart-1.4.6, hack/gencerts.sh@spark-operator-chart-1.3.0).
func clearSecret(u *check.Upgrade, r command.Installer) (Task, bool) {
	if u.From.Major != 1 || u.Installation == nil || u.Installation.Webhook == nil {
		return Task{}, false
	}
	names := operator.ChartNamesOf(u.To, r.Name, u.Installation.Name)
	return Task{
		When: check.Rollback, Do: "delete the webhook's Secret, which the target made",
		Because:  "Helm refuses to adopt it, and the operator of 1.x would serve a certificate for another name",
		Commands: nonEmpty(command.Line("kubectl delete secret %s -n %s --ignore-not-found", names.WebhookSecret, r.Namespace)),
	}, true
}
