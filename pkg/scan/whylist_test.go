package scan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// TestOneThatFailedIsAskedAboutFirst: however many started after it and run, it is listed, and in its place by time.
func TestOneThatFailedIsAskedAboutFirst(t *testing.T) {
	var b strings.Builder
	application := func(name, state, created string) {
		fmt.Fprintf(&b, "---\napiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\n"+
			"metadata: {name: %s, namespace: team-a, uid: %s, creationTimestamp: '%s'}\nspec: {type: Scala, mode: cluster}\n"+
			"status: {applicationState: {state: %s}, lastSubmissionAttemptTime: '%s'}\n", name, name, created, state, created)
	}
	application("failed", "FAILED", "2026-06-03T08:00:00Z")
	for i := range 2 * scan.MostCases {
		application(fmt.Sprintf("runs-%d", i), "RUNNING", "2026-06-03T11:00:00Z")
	}
	application("failed-lately", "FAILED", "2026-06-03T11:30:00Z")
	file := filepath.Join(t.TempDir(), "all.yaml")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	got, err := scan.WhyEach(t.Context(), scan.WhyOptions{Options: scan.Options{Source: scan.Files{Paths: []string{file}}}})
	require.NoError(t, err)
	require.Len(t, got.Files, scan.MostCases)
	require.Equal(t, "failed-lately", got.Files[0].Subject.Name)
	require.Equal(t, "failed", got.Files[len(got.Files)-1].Subject.Name)
	require.Equal(t, scan.MostCases+2, got.Older)
}
