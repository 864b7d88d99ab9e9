package ownership_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/ownership"
)

func TestFixtures(t *testing.T) { checktest.Run(t, ownership.Checks()) }
