package report_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// TestUndecodableObjectsCostTheSameEach holds, from the text to the report, that twice as many objects which cannot be
// decoded take twice as much: applications, pods, and owners that Services name, which are in no view.
func TestUndecodableObjectsCostTheSameEach(t *testing.T) {
	later := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for kind, object := range map[string]string{
		"applications": "---\napiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: a%[1]d, namespace: ns, " +
			"uid: u%[1]d}\n" +
			"spec: {driver: 7}\nstatus: {executorState: [x]}\n",
		"pods": "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p%[1]d, namespace: ns, uid: u%[1]d, " +
			"labels: {sparkoperator.k8s.io/launched-by-spark-operator: 'true'}}\nspec: 7\n",
		"owners": "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w%[1]d, namespace: ns, labels: [x]}\n" +
			"---\napiVersion: v1\nkind: Service\nmetadata: {name: s%[1]d, namespace: ns, labels: {sparkoperator.k8s.io/app-name: x}, " +
			"ownerReferences: [{apiVersion: example.com/v1, kind: Widget, name: w%[1]d, uid: z%[1]d}]}\n",
	} {
		allocated := func(n int) float64 {
			var input strings.Builder
			for i := range n {
				fmt.Fprintf(&input, object, i)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, in, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{"-"}, Stdin: strings.NewReader(input.String()), Now: later})
			require.NoError(t, err)
			r := report.Build(s, report.Tool{}, report.Source{Name: "files", Type: "files", Objects: in.Objects}, report.Scope{},
				check.Correlate(check.Run(s, checks.All(), check.DefaultParams())), command.Asked{})
			require.NoError(t, terminal.Table(io.Discard, r, terminal.Style{}))
			var text counter
			require.NoError(t, report.EncodeJSON(&text, r, "  "))
			require.Less(t, int(text), 100_000, "each check would repeat what could not be decoded")
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		few := allocated(2000)
		require.LessOrEqual(t, allocated(4000), 2.2*few, kind)
	}
}

// counter counts bytes.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
