package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestArgumentsAreNamed: what is too much or too little is said in words of the command, not of the library that parses it.
func TestArgumentsAreNamed(t *testing.T) {
	for args, want := range map[string]string{
		"why a b c":        "why takes one application: NAME, NAMESPACE/NAME, TYPE/NAME or TYPE NAME",
		"explain":          "explain takes one check, such as SD2001",
		"explain a b c d":  "explain takes one check, such as SD2001",
		"gate 2.5.2":       `gate takes no argument, and got "2.5.2", did you mean --to 2.5.2?`,
		"gate prod":        `gate takes no argument, and got "prod"` + "\n",
		"undo a b":         "undo takes one record",
		"schema reprt":     `unknown schema "reprt", did you mean report?`,
		"completion":       "completion takes one shell, one of bash, zsh, fish, powershell, kubectl",
		"completion bsah":  `unknown shell "bsah", did you mean bash?`,
		"completion tcl":   `unknown shell "tcl", use one of bash, zsh, fish, powershell, kubectl`,
		"scan -o tabel":    `unknown output format "tabel", did you mean table?`,
		"scan --color neb": `--color is "neb", use one of auto, always, never`,
	} {
		streams, _, _, stderr := genericiooptions.NewTestIOStreams()
		require.Equal(t, exitFailure, Run(t.Context(), strings.Fields(args), streams), args)
		require.Contains(t, stderr.String(), want, args)
	}
	root := Root(genericiooptions.NewTestIOStreamsDiscard())
	for _, cmd := range root.Commands() {
		if cmd.Args == nil {
			continue // any number of them
		}
		err := cmd.Args(cmd, []string{"a", "b", "c", "d", "e"})
		require.Error(t, err, cmd.Name())
		require.NotContains(t, err.Error(), "arg(s)", "%s: words of cobra", cmd.Name())
		require.NotContains(t, err.Error(), "unknown command", "%s: words of cobra", cmd.Name())
	}
}
