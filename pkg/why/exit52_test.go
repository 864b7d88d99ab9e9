package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// TestExitCode52IsAnyMemoryOfTheJVM: which memory was full is named only where the log of an executor names it.
func TestExitCode52IsAnyMemoryOfTheJVM(t *testing.T) {
	c := caseNamed(t, "759-executors-run-out-of-threads")
	f := why.Open(c.evidence(c.objects, ""))
	require.Contains(t, f.Verdict().Message, "exit code 52")
	require.Contains(t, f.Verdict().Message, "no further thread could be started")
	require.NotContains(t, f.Verdict().Message, "heap was")
	for _, n := range f.Verdict().Next {
		require.NotContains(t, n.Text, "raise executor.memory", "more heap does not give it more threads")
	}
	logs := map[string]string{}
	for file, text := range c.logs {
		if !strings.Contains(file, "-exec-") {
			logs[file] = text
		}
	}
	require.Less(t, len(logs), len(c.logs))
	c.logs = logs
	f = why.Open(c.evidence(c.objects, ""))
	require.Contains(t, f.Verdict().Message, "ran out of memory in the JVM (OutOfMemoryError, exit code 52)")
	require.NotContains(t, f.Verdict().Message, "heap")
}
