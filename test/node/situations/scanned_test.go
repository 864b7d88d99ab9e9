package situations

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lateAreas are those of checks that read what older recordings lack: how an application failed, and SparkConnect.
var lateAreas = []string{"SD8", "SD9"}

// grown are findings that come when a situation lasts longer than its recording did: ten executors are lost by then.
func grown(situation string) string {
	return map[string]string{"executors-local-dir-full": "SD6010 warning SparkApplication"}[situation]
}

// scansAlike holds a scan of what has just happened against a scan of its recording, whose findings TestRecordedSituations lists:
// the same checks must speak about the same kinds of objects.
func scansAlike(t *testing.T, binary, fresh, recording string) {
	t.Helper()
	got, want := spoken(t, binary, fresh), spoken(t, binary, recording)
	for about := range want {
		require.True(t, got[about], "a scan of the recording finds %q, and of %s %v", about, filepath.Base(fresh),
			slices.Sorted(maps.Keys(got)))
	}
	for about := range got {
		known := want[about] || about == grown(filepath.Base(fresh)) ||
			slices.ContainsFunc(lateAreas, func(area string) bool { return strings.HasPrefix(about, area) })
		require.True(t, known, "a scan of %s finds %q, and of the recording %v", filepath.Base(fresh), about, slices.Sorted(maps.Keys(want)))
	}
}

// spoken are the findings in a recording, such as "SD6002 error SparkApplication". What lasts a minute counts as lasting.
func spoken(t *testing.T, binary, dir string) map[string]bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "scan", "-f", filepath.Join(dir, archiveFile), "-o", "json", "--allow-incomplete",
		"--submitted-after", "1m", "--transition-after", "1m", "--new-after", "1m", "--stuck-after", "1m", "--fail-on", "none")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit) && len(out) > 0, "%v %s", err, stderr.String())
	var report struct {
		Items []struct {
			Check    string
			Severity string
			Object   struct{ Kind string }
		}
	}
	require.NoError(t, json.Unmarshal(out, &report), stderr.String())
	found := map[string]bool{}
	for _, i := range report.Items {
		found[strings.Join([]string{i.Check, i.Severity, i.Object.Kind}, " ")] = true
	}
	return found
}
