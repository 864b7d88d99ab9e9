package connect_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/connect"
)

func TestFixtures(t *testing.T) { checktest.Run(t, connect.Checks()) }
