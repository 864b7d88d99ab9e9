package casefile

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/objects"
)

// logCauses are those that logs tell, and what the catalogue knows of the output of spark-submit that the operator quotes.
func logCauses(v *objects.View) []cause.Cause {
	out := logs.Causes(v.Evidence)
	if v.State != "SUBMISSION_FAILED" {
		return out
	}
	for _, c := range logs.FromText(v.Message, v.AppRef()) {
		if c.Signature != "" {
			out = append(out, c)
		}
	}
	return out
}
