package size_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/size"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestFixtures(t *testing.T) { checktest.Run(t, size.Checks()) }

func run(t *testing.T, s *snapshot.Snapshot, id string) check.Result {
	t.Helper()
	return checktest.Ask(t, s, checktest.Lookup(t, size.Checks(), id))
}
