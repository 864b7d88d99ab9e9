package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
)

// TestHelpIsInPlainEnglish reads the help of every command: what it does, the comments of its examples, and its flags.
func TestHelpIsInPlainEnglish(t *testing.T) {
	flags := 0
	read := func(name, text string) {
		for _, f := range prose.Text(text) {
			t.Errorf("%s: %s", name, f)
		}
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "kubectl "), " ", "-")
		read(name, cmd.Short)
		read(name, cmd.Long)
		for line := range strings.Lines(cmd.Example) {
			if comment, is := strings.CutPrefix(strings.TrimSpace(line), "# "); is {
				read(name, comment)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			read(name+"--"+f.Name, f.Usage)
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(Root(genericiooptions.NewTestIOStreamsDiscard()))
	require.Greater(t, flags, 100)
}
