package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// page holds two applications, the second of which has this many executors in its status.
func page(t *testing.T, executors int, annotations string) *snapshot.Batch {
	t.Helper()
	var entries []string
	for i := range executors {
		entries = append(entries, fmt.Sprintf(`"nightly-8f1d2c9b7a6e5f40-exec-%d":"COMPLETED"`, i))
	}
	src, _ := snapshot.SourceOf(snapshot.SparkApplications)
	batch := &snapshot.Batch{}
	for name, status := range map[string]string{"small": "", "nightly": strings.Join(entries, ",")} {
		r, err := snapshot.Decode(src, snapshot.Item{Raw: []byte(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"` + name +
			`","namespace":"team-a","uid":"` + name + `"` + annotations + `},"status":{"executorState":{` + status + `}}}`)})
		require.NoError(t, err)
		batch.Add(snapshot.SparkApplications, r)
	}
	return batch
}

func TestGlimpse(t *testing.T) {
	all := checks.All()
	for name, c := range map[string]struct {
		o         scanOptions
		executors int
		want      string
	}{
		"large":             {scanOptions{selected: all}, 20000, "SparkApplication team-a/nightly: status.executorState with 20000 entries makes up"},
		"small":             {scanOptions{selected: all}, 20, ""},
		"not selected":      {scanOptions{selected: all[:3]}, 20000, ""},
		"another namespace": {scanOptions{selected: all, selection: checks.Selection{Namespaces: []string{"team-b"}}}, 20000, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.params = checks.DefaultParams()
			got := c.o.glimpse(page(t, c.executors, ""))
			if c.want == "" {
				require.Empty(t, got)
				return
			}
			require.True(t, strings.HasPrefix(got, c.want), got)
			require.NotContains(t, got, ";")
		})
	}
}
