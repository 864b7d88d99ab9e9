package leftovers_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/leftovers"
)

func TestFixtures(t *testing.T) { checktest.Run(t, leftovers.Checks()) }
