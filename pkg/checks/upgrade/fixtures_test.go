package upgrade_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
)

func TestFixtures(t *testing.T) { checktest.Run(t, upgrade.Checks()) }
