package installation_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/installation"
)

func TestFixtures(t *testing.T) { checktest.Run(t, installation.Checks()) }
