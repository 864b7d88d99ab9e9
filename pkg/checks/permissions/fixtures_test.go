package permissions_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/permissions"
)

func TestFixtures(t *testing.T) { checktest.Run(t, permissions.Checks()) }
