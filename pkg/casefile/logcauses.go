package casefile

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/logs"
)

// logCauses are those that logs tell.
func logCauses(e *evidence.Evidence) []cause.Cause { return logs.Causes(e) }
