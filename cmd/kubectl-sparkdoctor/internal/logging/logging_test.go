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

// TestReturnedErrorsAreNotLogged: the command prints what client-go returns; at a higher level the log shows when it came.
func TestReturnedErrorsAreNotLogged(t *testing.T) {
	for level, want := range map[int]bool{0: false, 6: true} {
		var out strings.Builder
		require.NoError(t, To(&out, level))
		klog.ErrorS(errors.New("too long"), "Unexpected error when reading response body")
		require.Equal(t, want, out.Len() > 0, out.String())
		klog.ErrorS(errors.New("odd"), "Something else")
		require.Contains(t, out.String(), "Something else")
	}
}
