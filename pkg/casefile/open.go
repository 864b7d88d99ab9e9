package casefile

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/evidence"
)

// Open is replaced by the one of branch objects.
func Open(e *evidence.Evidence) CaseFile {
	return CaseFile{AsOf: e.Now, Subject: e.Subject, Causes: []cause.Cause{{Class: cause.Unknown, Message: "not known"}}}
}
