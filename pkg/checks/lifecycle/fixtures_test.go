package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/lifecycle"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestFixtures(t *testing.T) { checktest.Run(t, lifecycle.Checks()) }

func run(t *testing.T, s *snapshot.Snapshot, id string) check.Result {
	t.Helper()
	return checktest.Ask(t, s, checktest.Lookup(t, lifecycle.Checks(), id))
}

// asked reads documents as all that there is, and asks one check.
func asked(t *testing.T, id string, documents ...string) check.Result {
	t.Helper()
	return run(t, checktest.Parse(t, strings.Join(documents, "\n---\n"), checktest.Now()), id)
}
