package pods_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/pods"
)

func TestFixtures(t *testing.T) { checktest.Run(t, pods.Checks()) }
