package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
)

const completionLong = `Prints a completion script for a shell, for kubectl-sparkdoctor itself, or for kubectl.

kubectl (1.26 and later) completes a plugin by a program named kubectl_complete-sparkdoctor beside it in the PATH;
"completion kubectl --install" puts it there. kubectl's own completion must be set up: kubectl completion -h.`

const completionExample = `  # kubectl sparkdoctor <Tab>
  kubectl sparkdoctor completion kubectl --install

  # kubectl-sparkdoctor <Tab>
  source <(kubectl sparkdoctor completion bash)
  kubectl sparkdoctor completion zsh > "${fpath[1]}/_kubectl-sparkdoctor"
  kubectl sparkdoctor completion fish > ~/.config/fish/completions/kubectl-sparkdoctor.fish
  kubectl sparkdoctor completion powershell | Out-String | Invoke-Expression`

// program is the name under which the binary is in the PATH.
const program = "kubectl-sparkdoctor"

func newCompletion(streams genericiooptions.IOStreams) *cobra.Command {
	var install bool
	var dir string
	shells := []string{"bash", "zsh", "fish", "powershell", "kubectl"}
	cmd := &cobra.Command{
		Use: "completion bash|zsh|fish|powershell|kubectl", Short: "Print a completion script, or install kubectl's",
		Long: completionLong, Example: completionExample,
		Args: help.OneOf(1, "shell", shells...), ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] != "kubectl" && (install || dir != "") {
				return usageError(cmd, errors.New("--install and --dir are only for completion kubectl"))
			}
			root := cmd.Root()
			root.Use = program
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(streams.Out, true)
			case "zsh":
				return root.GenZshCompletion(streams.Out)
			case "fish":
				return root.GenFishCompletion(streams.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(streams.Out)
			default:
				return kubectlCompletion(streams, install, dir)
			}
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "kubectl: write the program kubectl_complete-sparkdoctor")
	cmd.Flags().StringVar(&dir, "dir", "", "kubectl: where to (default: beside kubectl-sparkdoctor in the PATH)")
	return cmd
}

// shim is the program that kubectl calls, and its name.
func shim(goos string) (name string, text []byte) {
	if goos == "windows" {
		return "kubectl_complete-sparkdoctor.cmd", []byte("@echo off\r\nkubectl sparkdoctor __complete %*\r\n")
	}
	return "kubectl_complete-sparkdoctor", []byte("#!/bin/sh\nexec kubectl sparkdoctor __complete \"$@\"\n")
}

func kubectlCompletion(streams genericiooptions.IOStreams, install bool, dir string) error {
	name, text := shim(runtime.GOOS)
	if !install {
		_, err := streams.Out.Write(text)
		return err
	}
	if dir == "" {
		found, err := exec.LookPath(program)
		if err != nil {
			return fmt.Errorf("%s is not in the PATH; name a directory of it with --dir", program)
		}
		dir = filepath.Dir(found)
	}
	path := filepath.Join(dir, name)
	switch there, err := os.ReadFile(path); {
	case err == nil && bytes.Equal(there, text):
		say(streams, "%s already exists", path)
		return nil
	case err == nil:
		return fmt.Errorf("%s exists and is another program; remove it first", path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := (durable.Writer{}).ReplaceBytes(path, 0o755, text); err != nil { // a program for all users who have the plugin
		return err
	}
	say(streams, "installed %s", path)
	return nil
}
