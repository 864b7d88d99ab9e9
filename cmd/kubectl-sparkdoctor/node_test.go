package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordings are what a cluster with a real kubelet held, one situation a folder; make record-node writes them.
const recordings = "../../test/node/recordings"

// TestRecordedSituations holds every check against what a real kubelet, a real scheduler and the real operator said: the findings
// about a situation's namespace are exactly those that the table lists, and the rest of the cluster has none. A recording without
// a row fails, and so does a row without a recording.
func TestRecordedSituations(t *testing.T) {
	quietHome(t)
	table := recordedSituations()
	dirs, err := os.ReadDir(recordings)
	require.NoError(t, err)
	var names []string
	for _, dir := range dirs {
		names = append(names, dir.Name())
		if _, known := table[dir.Name()]; !known {
			t.Errorf("recording %s has no row; found in it: %q", dir.Name(), foundIn(t, filepath.Join(recordings, dir.Name(), "snapshot.tar.gz")))
		}
	}
	for name, row := range table {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, names, name, "no recording: make record-node")
			got := foundIn(t, filepath.Join(recordings, name, "snapshot.tar.gz"))
			require.Len(t, got, len(row.want), "%s", strings.Join(got, "\n"))
			for i, want := range row.want {
				require.True(t, matches(got[i], want), "want  %s\nfound %s", want, got[i])
			}
		})
	}
}

// matches reports whether a finding begins with what a row says up to its first "…", and contains the other parts in order.
func matches(found, want string) bool {
	parts := strings.Split(want, "…")
	if !strings.HasPrefix(found, parts[0]) {
		return false
	}
	rest := found[len(parts[0]):]
	for _, part := range parts[1:] {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			return false
		}
		rest = after
	}
	return true
}

// foundIn are the findings in a file, such as "SD6002 error proven SparkApplication image-missing/etl: driver pod …".
func foundIn(t *testing.T, path string, args ...string) []string {
	t.Helper()
	// A recording lasts a few minutes: what lasts one counts as lasting.
	out := run(t, append([]string{"scan", "-f", path, "-o", "json", "--allow-incomplete", "--submitted-after", "1m", "--transition-after",
		"1m", "--new-after", "1m", "--stuck-after", "1m"}, args...)...)
	require.Contains(t, []int{0, 1}, out.code, out.stderr)
	var report struct {
		Items []struct {
			Check     string
			Severity  string
			Certainty string
			Object    struct{ Kind, Namespace, Name string }
			Message   string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out.stdout), &report))
	list := []string{}
	for _, i := range report.Items {
		name := strings.TrimPrefix(i.Object.Namespace+"/"+i.Object.Name, "/")
		list = append(list, strings.Join([]string{i.Check, i.Severity, i.Certainty, i.Object.Kind, name + ":", i.Message}, " "))
	}
	slices.SortFunc(list, cmp.Compare[string])
	return list
}
