package lifecycle_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/lifecycle"
)

func TestFixtures(t *testing.T) { checktest.Run(t, lifecycle.Checks()) }
