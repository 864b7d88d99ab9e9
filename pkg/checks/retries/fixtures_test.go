package retries_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/retries"
)

func TestFixtures(t *testing.T) { checktest.Run(t, retries.Checks()) }
