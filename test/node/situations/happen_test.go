package situations

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// chosen names the situations that happen: names separated by commas, "all", or a few.
const chosen = "SPARKDOCTOR_NODE_SITUATIONS"

// few are one for each part of a node that has a say: the kernel kills, the kubelet evicts, it cannot start, and the scheduler finds no
// node. They need no time to last. The recordings, which other tests read, hold the others.
const few = "driver-oom-killed,local-dir-full,image-missing,no-node-for-executors"

// race is a situation in which two replicas submit the same application: the faster one decides what why says of it.
const race = "no-election"

// happen makes situations happen again, and compares what why and scan say with what they say of the recording of each. A few without
// time to last are not scanned: what is stuck must be so for a minute.
func happen(t *testing.T, bed Bed) {
	names, settle := os.Getenv(chosen), time.Duration(0)
	switch names {
	case "":
		names = few
	case "all":
		names, settle = "", 90*time.Second
	default:
		settle = 90 * time.Second
	}
	printed := newCommands(t, bed)
	o := Options{Dir: t.TempDir(), Settle: settle, Log: t.Output(), Held: printed.try}
	if names != "" {
		o.Only = strings.Split(names, ",")
	}
	list, alone := o.chosen(All()), o.chosen(Alone())
	if len(o.Only) > 0 {
		require.Len(t, o.Only, len(list)+len(alone), "unknown names among %q", o.Only)
	}
	failed := bed.recordAll(t.Context(), o)
	compared := 0
	for _, s := range append(list, alone...) {
		fresh, recording := filepath.Join(o.Dir, s.Name), filepath.Join(recordings, s.Name)
		if _, err := os.Stat(filepath.Join(fresh, recordingFile)); err != nil {
			continue // the error says why
		}
		t.Run(s.Name, func(t *testing.T) {
			if settle > 0 {
				scansAlike(t, bed.Binary, fresh, recording)
			}
			want, recorded := class(t, bed.Binary, recording)
			if !recorded || s.Name == race {
				return // not about one application, or not always the same
			}
			got, _ := class(t, bed.Binary, fresh)
			require.Equal(t, want, got)
			compared++
		})
	}
	require.NoError(t, failed)
	require.NotZero(t, compared)
	require.NotZero(t, printed.tried, "commands that why and scan print")
}

// class is what why says of the application in a recording, if there is one, at the time of the recording.
func class(t *testing.T, binary, dir string) (string, bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, recordingFile))
	require.NoError(t, err)
	var r Recording
	require.NoError(t, yaml.UnmarshalStrict(text, &r))
	out, err := exec.CommandContext(t.Context(), binary, "why", "etl", "-f", filepath.Join(dir, objectsFile), "-o", "json",
		"--as-of", r.Taken.Format(time.RFC3339)).Output()
	if err != nil && len(out) == 0 {
		return "", false
	}
	var answer struct {
		Verdict struct{ Class string }
	}
	require.NoError(t, json.Unmarshal(out, &answer), dir)
	require.NotEmpty(t, answer.Verdict.Class, dir)
	return answer.Verdict.Class, true
}
