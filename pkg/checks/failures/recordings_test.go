package failures_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/failures"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
)

var update = flag.Bool("update", false, "write what the checks say of the recordings")

// TestRecordings holds what the area says of every recording of the real node, in one table: read the difference, each line is an
// application that a real kubelet and the real operator saw end. A recording of which it says nothing is a line, too.
func TestRecordings(t *testing.T) {
	const recordings = "../../../test/node/recordings"
	dirs, err := os.ReadDir(recordings)
	require.NoError(t, err)
	var b strings.Builder
	for _, dir := range dirs {
		fmt.Fprintf(&b, "%s\n", dir.Name())
		for _, f := range said(t, filepath.Join(recordings, dir.Name())) {
			fmt.Fprintf(&b, "  %s %s %s %s: %s\n", f.Check, f.Severity, f.Certainty, f.Object, f.Message)
		}
	}
	path := filepath.Join("testdata", "recordings.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "if it is meant, go test ./pkg/checks/failures -run Recordings -update and read the difference")
}

// said is what the area says of a recording. It lasts a few minutes: what lasts one counts as lasting.
func said(t *testing.T, dir string) []check.Reported {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "situation.yaml"))
	require.NoError(t, err)
	var situation struct {
		Taken time.Time `json:"taken"`
	}
	require.NoError(t, yaml.Unmarshal(text, &situation))
	s, _, err := manifests.Read(t.Context(), manifests.Options{
		Paths: []string{filepath.Join(dir, "objects.yaml")}, AsOf: situation.Taken, Now: situation.Taken, Complete: true,
	})
	require.NoError(t, err)
	p := check.DefaultParams()
	p.SubmittedAfter, p.TransitionAfter, p.NewAfter = time.Minute, time.Minute, time.Minute
	var out []check.Reported
	for _, r := range check.Correlate(check.Run(s, failures.Checks(), p)) {
		require.NotEqual(t, check.Skipped, r.Status, "%s: %s", dir, r.Reason)
		out = append(out, r.Findings...)
	}
	return out
}
