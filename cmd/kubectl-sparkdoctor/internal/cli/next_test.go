package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestNextLinesAreOurs parses what findings say to type next, in all that TestFrozen holds: commands and flags that the program has,
// objects and releases in the forms that it takes.
func TestNextLinesAreOurs(t *testing.T) {
	asked := command.Asked{Kubeconfig: "/k", Context: "prod", Cluster: "c", User: "u", As: "me", AsGroups: []string{"ops"}, AsUID: "1",
		Namespace: "a"}
	seen := map[string]int{}
	for line := range nextLines(t) {
		words := strings.Fields(strings.TrimPrefix(asked.In(line), "kubectl sparkdoctor "))
		streams, _, _, _ := genericiooptions.NewTestIOStreams()
		cmd, rest, err := Root(streams).Find(words)
		require.NoError(t, err, line)
		require.NoError(t, cmd.ParseFlags(rest), line)
		args := cmd.Flags().Args()
		seen[cmd.Name()]++
		requireArguments(t, cmd, args, line)
	}
	require.Greater(t, min(seen["fix"], seen["scan"], seen["gate"], seen["why"]), 3)
}

// nextLines are the commands of the program in its frozen output.
func nextLines(t *testing.T) map[string]bool {
	t.Helper()
	lines := map[string]bool{}
	texts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "frozen", "*.txt"))
	require.NoError(t, err)
	for _, path := range texts {
		text, err := os.ReadFile(path) // #nosec G304 -- a test
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if line, is := strings.CutPrefix(strings.TrimSpace(line), "command: "); is && strings.HasPrefix(line, "kubectl sparkdoctor ") {
				lines[line] = true
			}
		}
	}
	return lines
}

func requireArguments(t *testing.T, cmd *cobra.Command, args []string, line string) {
	t.Helper()
	switch cmd.Name() {
	case "fix":
		require.Len(t, args, 1, line)
		_, err := scan.ParsePick(args[0])
		require.NoError(t, err, line)
	case "gate":
		require.Empty(t, args, line)
		if to := cmd.Flags().Lookup("to"); to.Changed { // else it is a plan
			_, err := operator.ReleaseNamed(to.Value.String())
			require.NoError(t, err, line)
		}
	case "scan":
		for _, arg := range args {
			_, known := check.ParseObject(arg, "a")
			require.True(t, known, line)
		}
	case "why":
		require.Len(t, args, 1, line)
		_, err := app.ParseQuery(args[0], "a")
		require.NoError(t, err, line)
	default:
		require.Equal(t, "explain", cmd.Name(), line)
	}
}

// TestAskedIsWhatWasTyped: each of kubectl's flags that choose the cluster and the user is said again, and no credential is.
func TestAskedIsWhatWasTyped(t *testing.T) {
	f := &scanFlags{kube: genericclioptions.NewConfigFlags(true)}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.kube.AddFlags(fs)
	require.Equal(t, command.Asked{AsGroups: []string{}}, f.asked(), "nothing was")
	require.NoError(t, fs.Parse([]string{"--kubeconfig=/k", "--context=prod", "--cluster=c", "--user=u", "--as=me", "--as-group=ops",
		"--as-uid=1", "-n=team-a", "--token=secret"}))
	require.Equal(t, command.Asked{Kubeconfig: "/k", Context: "prod", Cluster: "c", User: "u", As: "me", AsUID: "1", AsGroups: []string{"ops"},
		Namespace: "team-a"}, f.asked())
	f.allNamespaces = true
	require.Empty(t, f.asked().Namespace)
}
