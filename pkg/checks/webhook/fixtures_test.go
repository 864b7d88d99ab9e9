package webhook_test

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/webhook"
)

func TestFixtures(t *testing.T) { checktest.Run(t, webhook.Checks()) }
