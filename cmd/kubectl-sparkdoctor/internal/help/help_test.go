package help_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
)

func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	require.Zero(t, cli.Run(t.Context(), args, streams))
	return out.String()
}

// TestNoFlagIsLost: each flag of each command is in its help or in that of options, once.
func TestNoFlagIsLost(t *testing.T) {
	shared := helpOf(t, "options")
	for _, cmd := range cli.Root(genericiooptions.NewTestIOStreamsDiscard()).Commands() {
		if cmd.Name() == "help" {
			continue
		}
		text := helpOf(t, cmd.Name(), "-h")
		for _, name := range flagsOf(cmd) {
			own, apart := strings.Count(text, " --"+name+" "), strings.Count(shared, " --"+name+" ")
			require.GreaterOrEqual(t, own+apart, 1, "%s --%s", cmd.Name(), name)
			require.False(t, own > 0 && apart > 0, "%s --%s is in both", cmd.Name(), name)
		}
	}
}

func flagsOf(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// TestHelpOfScanFitsAScreenOrTwo keeps what is rarely needed out of the way.
func TestHelpOfScanFitsAScreenOrTwo(t *testing.T) {
	text := helpOf(t, "scan", "--help")
	require.LessOrEqual(t, strings.Count(text, "\n"), 90)
	for _, name := range []string{"--certificate-authority", "--oom-executors", "--qps"} {
		require.NotContains(t, text, name)
	}
	require.Contains(t, text, "thresholds: kubectl sparkdoctor options")
	require.Less(t, strings.Index(text, "What to look at:"), strings.Index(text, "Watch:"))
}

func TestSuggest(t *testing.T) {
	for typed, want := range map[string]string{
		"--namespce=x": "unknown flag: --namespce, did you mean --namespace?", "--skip": "did you mean --skip-checks?",
		"--colour=never": "did you mean --color?", "--xyzzy": "unknown flag: --xyzzy\n",
	} {
		streams, _, _, stderr := genericiooptions.NewTestIOStreams()
		require.Equal(t, 2, cli.Run(t.Context(), []string{"scan", typed}, streams))
		require.Contains(t, stderr.String(), want)
	}
}

// TestVersion: the flag says what the command says.
func TestVersion(t *testing.T) {
	require.Equal(t, helpOf(t, "version"), helpOf(t, "--version"))
	require.True(t, bytes.HasPrefix([]byte(helpOf(t, "--version")), []byte("kubectl sparkdoctor ")))
}

// TestHelpFitsATerminal: at 80 columns no line of help is wider. Commands stay whole: those of examples, and the forms of the command.
func TestHelpFitsATerminal(t *testing.T) {
	for _, cmd := range cli.Root(genericiooptions.NewTestIOStreamsDiscard()).Commands() {
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		root := cli.Root(streams)
		root.SetOut(streams.Out)
		help.Install(root, root, func(io.Writer) int { return 80 })
		root.SetArgs([]string{cmd.Name(), "--help"})
		require.NoError(t, root.Execute())
		about, flags, _ := strings.Cut(out.String(), "Usage:\n")
		_, flags, _ = strings.Cut(flags, "Flags:\n")
		for line := range strings.Lines(about + flags) {
			require.LessOrEqual(t, len(strings.TrimSpace(line)), 80, "%s: %s", cmd.Name(), line)
		}
	}
}
