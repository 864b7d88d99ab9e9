package runbook

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

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

// saveValues writes files that are not there yet: whoever runs it again keeps what was edited since.
func saveValues(u *check.Upgrade, r command.Installer) Task {
	saved, next := savedValues(u, r), newValues(u, r)
	t := Task{
		When: check.Before, Do: "save the release's values", Because: "without them, helm upgrade resets every value to the chart's default",
		Commands: nonEmpty(command.Line("test -s %s || helm get values %s -n %s -o yaml > %s", saved, r.Name, r.Namespace, saved)),
	}
	if next != saved {
		t.Do = "save the release's values, and a copy to rewrite"
		t.Because = fmt.Sprintf("without them, helm upgrade resets every value to the chart's default; %s is for the chart of %s", next, u.To)
		t.Commands = append(t.Commands, nonEmpty(command.Line("test -s %s || cp %s %s", next, saved, next))...)
	}
	return t
}
