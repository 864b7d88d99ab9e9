package casefile

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
)

// logCauses are those that logs tell.
func logCauses(*evidence.Evidence) []cause.Cause { return nil }
