package lifecycle

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// written finds what is wrong with the specification of a schedule that no operator has looked at. The CRD takes any string for both fields
// (config/crd/bases/sparkoperator.k8s.io_scheduledsparkapplications.yaml@v2.5.2).
func (t timing) written() []check.Finding {
	s := t.schedule
	if s.State != "" || s.Terminating() {
		return nil
	}
	var out []check.Finding
	bare := *s
	bare.TimeZone = "" // this machine may not know it
	if _, err := operator.TimetableOf(&bare); err != nil && s.Cron != "" {
		f := t.finding(failedValidation, "spec.schedule", fmt.Sprintf("spec.schedule %q does not parse (%v): the operator starts no run",
			s.Cron, err))
		f.Then(command.Do("correct spec.schedule: five fields, minute, hour, day of month, month and day of week, or @daily and the like"))
		out = append(out, f)
	}
	if policies := []string{"Allow", "Forbid", "Replace"}; s.Policy != "" && !slices.Contains(policies, s.Policy) {
		f := t.finding(unknownPolicy, "spec.concurrencyPolicy", fmt.Sprintf("spec.concurrencyPolicy %q is none of Allow, Forbid and Replace%s: "+
			"2.x starts a run only while no earlier one exists, and 1.x never waits", s.Policy,
			spelling.Meant(spelling.Nearest(s.Policy, policies, 1))))
		f.Saw(s.Ref, "spec.concurrencyPolicy", s.Policy)
		f.Then(command.Do("set spec.concurrencyPolicy to Allow, Forbid or Replace"))
		out = append(out, f)
	}
	return out
}
