package logging

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// TestLogHasNoSecrets: client-go logs through klog, and through the handler of errors that nobody returns.
func TestLogHasNoSecrets(t *testing.T) {
	var out strings.Builder
	require.NoError(t, To(&out, 0))
	t.Cleanup(klog.ClearLogger)
	for _, form := range redacttest.Forms("pl4ntedHunter2") {
		klog.Warning("Warning: " + form.Text)
		klog.ErrorS(errors.New(form.Text), "request failed", "url", form.Text)
		utilruntime.HandleError(errors.New(form.Text))
		require.NotContains(t, out.String(), form.Secret)
	}
	require.Contains(t, out.String(), "request failed")
}
