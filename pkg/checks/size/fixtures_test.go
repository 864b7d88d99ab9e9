package size_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/size"
)

func TestFixtures(t *testing.T) { checktest.Run(t, size.Checks()) }
