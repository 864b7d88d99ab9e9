package situations

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

const recordings = "../recordings"

// TestRecordingsAreOfWhatTheTestsRun fails when a recording is older than the kubelet or the operator that the tests run: make
// record-node records them again, and the difference is worth reading.
func TestRecordingsAreOfWhatTheTestsRun(t *testing.T) {
	releases := build.OperatorVersions()
	for _, name := range names() {
		text, err := os.ReadFile(filepath.Join(recordings, name, recordingFile))
		require.NoError(t, err, "situation %s was not recorded: make record-node", name)
		var r Recording
		require.NoError(t, yaml.UnmarshalStrict(text, &r))
		require.Equal(t, name, r.Situation)
		require.Equal(t, build.KubernetesVersion, r.Kubelet, "recording %s is of another kubelet: make record-node", name)
		require.Equal(t, releases[len(releases)-1], r.Operator, "recording %s is of another operator: make record-node", name)
	}
}

// TestRecordingsAreSmallAndComplete: nothing else is in the folder, and a recording can be read by people.
func TestRecordingsAreSmallAndComplete(t *testing.T) {
	dirs, err := os.ReadDir(recordings)
	require.NoError(t, err)
	var found []string
	for _, dir := range dirs {
		found = append(found, dir.Name())
		require.LessOrEqual(t, size(t, filepath.Join(recordings, dir.Name())), int64(most), dir.Name())
		for _, file := range []string{archiveFile, objectsFile, recordingFile} {
			require.FileExists(t, filepath.Join(recordings, dir.Name(), file))
		}
	}
	require.ElementsMatch(t, names(), found)
}

// most bytes of a recording.
const most = 150 << 10

func size(t *testing.T, dir string) (total int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		total += info.Size()
		return err
	}))
	return total
}

func names() []string {
	var out []string
	for _, s := range slices.Concat(All(), Alone()) {
		out = append(out, s.Name)
	}
	return out
}

func TestNamesAreNamespaces(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range names() {
		require.Regexp(t, `^[a-z][a-z-]*[a-z]$`, name)
		require.False(t, seen[name], name)
		seen[name] = true
	}
	require.Greater(t, len(seen), 50)
}
