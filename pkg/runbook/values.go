package runbook

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// baseline is what files of the state before the upgrade begin with: a second attempt keeps them, and another upgrade has others.
func baseline(u *check.Upgrade, r command.Installer) string {
	if !command.ForShell(r.Name) {
		return "before-" + u.Installed().ChartOrApplication()
	}
	return "before-" + r.Name + "-" + u.Installed().ChartOrApplication()
}

// compared tells what is new since then.
func compared(u *check.Upgrade, r command.Installer) string {
	return "kubectl sparkdoctor scan --baseline " + baseline(u, r) + ".json"
}

// savedValues is the file for the values of the installed release: its name is of this upgrade alone.
func savedValues(u *check.Upgrade, r command.Installer) string {
	return "values-" + r.Name + "-" + u.Installed().ChartOrApplication() + ".yaml"
}

// newValues is the file with which the target is installed. Nothing carries over the values of 1.x: those of the target are a file of
// their own, so that the old ones are there for a way back.
func newValues(u *check.Upgrade, r command.Installer) string {
	if _, restarts := u.Restarts(); restarts {
		return "values-" + r.Name + "-" + u.To.String() + ".yaml"
	}
	return savedValues(u, r)
}

// savedRevision is the file with the number of the release's revision: helm rollback without a number goes to the one before the last,
// which is no way back where the upgrade was tried twice (pkg/action/rollback.go of helm.sh/helm/v3@v3.22.0).
func savedRevision(u *check.Upgrade, r command.Installer) string {
	return "revision-" + r.Name + "-" + u.Installed().ChartOrApplication()
}

// saveValues writes files that are not there yet: whoever runs it again keeps what was edited since.
func saveValues(u *check.Upgrade, r command.Installer) Task {
	saved, next := savedValues(u, r), newValues(u, r)
	t := Task{
		When: check.Before, Do: "save the release's values and the number of its revision",
		Because: "without the values, helm upgrade resets every one to the chart's default; the number is for a rollback",
		Commands: nonEmpty(
			command.Line("test -s %s || helm get values %s -n %s -o yaml > %s", saved, r.Name, r.Namespace, saved),
			command.Line("test -s %s || helm status %s -n %s | awk '/^REVISION:/{print $2}' > %s", savedRevision(u, r), r.Name, r.Namespace,
				savedRevision(u, r)),
		),
	}
	if next != saved {
		t.Do = "save the release's values, a copy to rewrite, and the number of its revision"
		t.Because = fmt.Sprintf("without the values, helm upgrade resets every one to the chart's default; %s is for the chart of %s, "+
			"the number for a rollback", next, u.To)
		t.Commands = append(t.Commands, nonEmpty(command.Line("test -s %s || cp %s %s", next, saved, next))...)
	}
	return t
}
