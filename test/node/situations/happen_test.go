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
)

// chosen names the situations that happen: names separated by commas, "all", or a few.
const chosen = "SPARKDOCTOR_NODE_SITUATIONS"

// few are one for each part of a node that has a say: the kernel kills, the kubelet evicts, it cannot start, and the scheduler finds no
// node. They need no time to last. The recordings, which other tests read, hold the others.
const few = "driver-oom-killed,local-dir-full,image-missing,no-node-for-executors"

// happen makes situations happen again, and compares why's answer with that for the recording of each.
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
	o := Options{Dir: t.TempDir(), Settle: settle, Log: t.Output()}
	if names != "" {
		o.Only = strings.Split(names, ",")
	}
	list, alone := o.chosen(All()), o.chosen(Alone())
	if len(o.Only) > 0 {
		require.Len(t, o.Only, len(list)+len(alone), "unknown names among %q", o.Only)
	}
	require.NoError(t, bed.recordAll(t.Context(), list, alone, o))
	compared := 0
	for _, s := range append(list, alone...) {
		want, recorded := class(t, bed.Binary, filepath.Join(recordings, s.Name, objectsFile))
		if !recorded {
			continue // not about one application
		}
		got, _ := class(t, bed.Binary, filepath.Join(o.Dir, s.Name, objectsFile))
		require.Equal(t, want, got, s.Name)
		compared++
	}
	require.NotZero(t, compared)
}

// class is what why says of the application in a file, if there is one.
func class(t *testing.T, binary, file string) (string, bool) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary, "why", "etl", "-f", file, "-o", "json").Output()
	if err != nil && len(out) == 0 {
		return "", false
	}
	var answer struct {
		Verdict struct{ Class string }
	}
	require.NoError(t, json.Unmarshal(out, &answer), file)
	require.NotEmpty(t, answer.Verdict.Class, file)
	return answer.Verdict.Class, true
}
