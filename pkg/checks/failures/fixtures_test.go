package failures_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/failures"
)

func TestFixtures(t *testing.T) { checktest.Run(t, failures.Checks()) }
