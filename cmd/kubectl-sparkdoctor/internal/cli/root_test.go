package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestErrorsAreEscaped holds that what an error quotes cannot speak to the terminal.
func TestErrorsAreEscaped(t *testing.T) {
	streams, _, out, errOut := genericiooptions.NewTestIOStreams()
	require.Equal(t, exitFailure, Run(t.Context(), []string{"scan", "-f", "no\x1b[31m\u202e.yaml"}, streams))
	require.Empty(t, out.String())
	require.Equal(t, `error: no\x1b[31m\u202e.yaml: no such file or directory`+"\n", errOut.String())
}

// TestExitCodesOfScans: what the library returns has the codes that the help promises, also from below other errors.
func TestExitCodesOfScans(t *testing.T) {
	for _, tc := range []struct {
		err     error
		code    int
		message string
	}{
		{nil, exitClean, ""},
		{&scan.NoOperatorError{Server: "https://x"}, exitIncomplete,
			"no Spark Operator found in https://x: neither its CRDs nor its Deployments are there (is this the right context?)"},
		{&scan.InterruptedError{Needed: 5, Unread: []snapshot.View{snapshot.MutatingWebhooks, snapshot.SparkPods, snapshot.Workflows}},
			ExitInterrupted, "interrupted after 2 of 5 kinds of objects were read; nothing was judged\n" +
				"not looked at: mutatingwebhookconfigurations, pods launched by the operator and 1 more"},
		{&scan.InterruptedError{}, ExitInterrupted,
			"interrupted; nothing was judged\nnot looked at: what the listings name (owners, confirmations)"},
		{new(scan.EmptyError), exitFailure, "error: "},
		{&codeError{exitFindings, ""}, exitFindings, ""},
	} {
		code, message := exitOf(tc.err)
		require.Equal(t, tc.code, code)
		require.Equal(t, tc.message, message)
	}
	code, message := exitOf(interrupted(&scan.InterruptedError{Err: context.Canceled}))
	require.Equal(t, ExitInterrupted, code)
	require.Contains(t, message, "not looked at")
	_, message = exitOf(interrupted(errors.New("anything else")))
	require.Equal(t, "interrupted", message)
}
