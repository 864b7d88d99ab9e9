package changes_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/changes"
)

func TestFixtures(t *testing.T) { checktest.Run(t, changes.Checks()) }
