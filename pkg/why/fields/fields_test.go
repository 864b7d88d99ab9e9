package fields

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestTable: each field has one name for each runner, in which no later stage finds anything to fill, and the docs teach the same names.
func TestTable(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/signatures.md")
	require.NoError(t, err)
	taught := 0
	for line := range strings.Lines(string(docs)) {
		if strings.HasPrefix(line, "| `{") {
			taught++
		}
	}
	require.Len(t, table(), taught)
	seen := map[string]bool{}
	for _, r := range table() {
		require.False(t, seen[r.application], r.application)
		seen[r.application] = true
		require.Contains(t, string(docs), fmt.Sprintf("| `{%s}` | %s | %s |\n", r.application, r.submit, r.connect))
		for runner, name := range []string{r.application, r.submit, r.connect} {
			require.NotEmpty(t, name, r.application)
			require.NotContains(t, name, "role")
			require.False(t, strings.ContainsAny(name, "{}[]$%"), name)
			n := Names{Runner: Runner(runner)}
			require.Equal(t, "raise "+name+",", n.Fill("raise {"+r.application+"},"))
			require.Equal(t, name, n.Of(r.application))
		}
	}
}

func TestFill(t *testing.T) {
	driver := Names{Runner: Connect, Role: cause.DriverRole}
	executor := Names{Runner: Submit, Role: cause.ExecutorRole}
	for text, want := range map[string][3]string{ // of an application whose role is not known, the server, and executors of spark-submit
		"{role.memory}":      {"driver.memory or executor.memory", "spec.server.memory", "spark.executor.memory"},
		"look at {the role}": {"look at the driver or the executor", "look at the server", "look at the executor"},
		"{driver.cores}{spec.image}": {"driver.coresspec.image", "spec.server.coresspec.image", "spark.driver.cores" +
			"spark.kubernetes.container.image"},
		"driver.memory":    {"driver.memory", "driver.memory", "driver.memory"},
		"${driver.memory}": {"${driver.memory}", "${driver.memory}", "${driver.memory}"},
		"{spec.nothing} {} { {driver.memory": {"{spec.nothing} {} { {driver.memory", "{spec.nothing} {} { {driver.memory",
			"{spec.nothing} {} { {driver.memory"},
	} {
		require.Equal(t, want, [3]string{Names{}.Fill(text), driver.Fill(text), executor.Fill(text)})
	}
	require.Equal(t, "spec.server.template", driver.Of("spec.server.template"))
}

func TestUnknown(t *testing.T) {
	for text, want := range map[string]string{
		"{driver.memroy}": "{driver.memroy}", "{driver.memory} {spec.x}": "{spec.x}", "{role.instances}": "{role.instances}",
		"{executor.}": "{executor.}", "{x} {\"a\": 1} {driver}": "", "${driver.x}": "", "{role.memory} {the role}": "",
	} {
		require.Equal(t, want, Unknown(text), text)
	}
}
