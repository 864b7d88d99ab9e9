package crds_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/crds"
)

func TestFixtures(t *testing.T) { checktest.Run(t, crds.Checks()) }
