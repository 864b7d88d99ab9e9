package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestArgumentsAreNamed: what is too much or too little is said in words of the command, not of the library that parses it.
func TestArgumentsAreNamed(t *testing.T) {
	for args, want := range map[string]string{
		"why a b c":                     "why takes one application: NAME, NAMESPACE/NAME, TYPE/NAME or TYPE NAME",
		"explain":                       "explain takes one check, such as SD2001",
		"explain a b c d":               "explain takes one check, such as SD2001",
		"gate 2.5.2":                    `gate takes no argument, and got "2.5.2", did you mean --to 2.5.2?`,
		"gate prod":                     `gate takes no argument, and got "prod"` + "\n",
		"gate --to -f x":                "error: --to needs a release, and got -f\n",
		"scan --config --checks SD2001": "error: --config needs a value, and got --checks\n",
		"gate --version":                "error: unknown flag: --version; 'kubectl sparkdoctor version' prints it\n",
		"gate --to 2.5":                 `error: --to: "2.5" is not a release, did you mean 2.5.2?` + "\n",
		"gate --to 1.4":                 `"1.4" is not a release, did you mean 1.4.6?`,
		"gate --to 9.9":                 `"9.9" is not a release; known are`,
		"gate --to latest":              "; next is what is not released yet",
		"undo a b":                      "undo takes one record",
		"schema reprt":                  `unknown schema "reprt", did you mean report?`,
		"completion":                    "completion takes one shell, one of bash, zsh, fish, powershell, kubectl",
		"completion bsah":               `unknown shell "bsah", did you mean bash?`,
		"completion tcl":                `unknown shell "tcl", use one of bash, zsh, fish, powershell, kubectl`,
		"scan -o tabel":                 `unknown output format "tabel", did you mean table?`,
		"scan --color neb":              `--color is "neb", use one of auto, always, never`,
	} {
		streams, _, _, stderr := genericiooptions.NewTestIOStreams()
		require.Equal(t, exitFailure, Run(t.Context(), strings.Fields(args), streams), args)
		require.Contains(t, stderr.String(), want, args)
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("manifests/team-a", 0o700))
	require.NoError(t, os.WriteFile("a.yaml", nil, 0o600))
	require.NoError(t, os.WriteFile("manifests/b.yaml", nil, 0o600))
	for args, want := range map[string]string{
		"scan -f a.yaml manifests/b.yaml":    `error: "manifests/b.yaml" is a file: repeat -f for each, as in -f a.yaml -f manifests/b.yaml` + "\n",
		"gate -f a.yaml manifests/b.yaml":    `"manifests/b.yaml" is a file: repeat -f`,
		"fix -f a.yaml manifests/b.yaml":     `"manifests/b.yaml" is a file: repeat -f`,
		"why -f a.yaml manifests/b.yaml":     `"manifests/b.yaml" is a file: repeat -f`,
		"scan manifests/":                    `"manifests/" is a directory: pass it with -f`,
		"scan manifests":                     `"manifests" is a directory: pass it with -f`,
		"scan -R manifests":                  `"manifests" is a directory: pass it with -f`,
		"gate manifests":                     `"manifests" is a directory: pass it with -f`,
		"scan -f a.yaml manifests/none.yaml": "naming an object in files needs its namespace", // there is no such file
		"why -f a.yaml manifests/team-a":     "no Kubernetes object found",                    // NAMESPACE/NAME
		"why -f a.yaml -n x manifests":       "no Kubernetes object found",                    // NAME
	} {
		streams, _, _, stderr := genericiooptions.NewTestIOStreams()
		require.Equal(t, exitFailure, Run(t.Context(), strings.Fields(args), streams), args)
		require.Contains(t, stderr.String(), want, args)
	}
	root := Root(genericiooptions.NewTestIOStreamsDiscard())
	for _, cmd := range root.Commands() {
		if cmd.Args == nil || slices.Contains([]string{"fix", "scan"}, cmd.Name()) {
			continue // any number of them
		}
		err := cmd.Args(cmd, []string{"a", "b", "c", "d", "e"})
		require.Error(t, err, cmd.Name())
		require.NotContains(t, err.Error(), "arg(s)", "%s: words of cobra", cmd.Name())
		require.NotContains(t, err.Error(), "unknown command", "%s: words of cobra", cmd.Name())
	}
}
