package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
)

// noContextError says that the kubeconfig does not hold a context.
type noContextError struct {
	flag  string   // by which it was named; empty: by the usual one
	name  string   // empty: there is none at all
	known []string // sorted
}

func (e *noContextError) Error() string {
	text := "the kubeconfig has no context"
	if e.flag != "" {
		text = e.flag + ": " + text
	}
	if e.name != "" {
		text += fmt.Sprintf(" %q", e.name)
	}
	if len(e.known) > 0 {
		text += "; it has " + strings.Join(e.known, ", ")
	}
	return text
}

// kubeconfigError says that the kubeconfig cannot be read.
type kubeconfigError struct{ err error }

func (e *kubeconfigError) Error() string { return "reading the kubeconfig: " + e.err.Error() }
func (e *kubeconfigError) Unwrap() error { return e.err }

// checkKubeconfig fails where the kubeconfig cannot be read, or does not hold the context that is asked for.
func checkKubeconfig(kube *genericclioptions.ConfigFlags) error {
	raw, err := kube.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return &kubeconfigError{err}
	}
	name := cmp.Or(*kube.Context, raw.CurrentContext)
	if name != "" && raw.Contexts[name] == nil {
		return &noContextError{name: name, known: slices.Sorted(maps.Keys(raw.Contexts))}
	}
	return nil
}

// noCluster reports whether an error says that there is no cluster to read: none is configured, or none answers. A cluster that refuses
// is one.
func noCluster(err error) bool {
	return is[*collect.UnreachableError](err) || is[*noContextError](err) || errors.Is(err, fs.ErrNotExist) && is[*kubeconfigError](err)
}

// offerFiles has the commands that read a cluster say what they tried where there is none, and what works without one.
func offerFiles(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		run := cmd.RunE
		if run == nil || cmd.Flags().Lookup("kubeconfig") == nil {
			continue
		}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := run(cmd, args)
			if !noCluster(err) {
				return err
			}
			_, message := exitOf(err)
			lines := append([]string{message}, withoutCluster(err, connectionOf(cmd.Flags()), filesOf(cmd))...)
			return &codeError{exitFailure, strings.Join(lines, "\n")}
		}
	}
}

// filesOfScan names the command that reads files, for commands that do not.
const filesOfScan = `"kubectl sparkdoctor scan -f FILE"`

// filesOf is how a command reads files instead of a cluster, or which command does.
func filesOf(cmd *cobra.Command) string {
	switch {
	case cmd.Flags().Lookup("filename") == nil:
		return filesOfScan
	case cmd.Flags().Lookup("dry-run") != nil:
		return "--dry-run -f"
	default:
		return "-f"
	}
}

// withoutCluster are the lines that say what was tried, and what works without a cluster.
func withoutCluster(err error, kube *genericclioptions.ConfigFlags, files string) []string {
	return []string{
		"tried: " + tried(kube, is[*collect.UnreachableError](err)),
		"without a cluster: " + files + ` reads a dump; "kubectl sparkdoctor demo" shows an example`,
	}
}

// tried is where the address of a cluster came from, if there was one, or where it was looked for.
func tried(kube *genericclioptions.ConfigFlags, address bool) string {
	loader := kube.ToRawKubeConfigLoader()
	access := loader.ConfigAccess()
	paths := access.GetLoadingPrecedence()
	if access.IsExplicitFile() {
		paths = []string{access.GetExplicitFile()}
	}
	where := strings.Join(paths, ", ")
	raw, err := loader.RawConfig()
	name := cmp.Or(*kube.Context, raw.CurrentContext)
	switch known := raw.Contexts[name]; {
	case err != nil:
		return "kubeconfig " + where
	case *kube.APIServer != "":
		return "--server"
	case known != nil:
		return fmt.Sprintf("context %q of %s", name, cmp.Or(known.LocationOfOrigin, where))
	case len(raw.Contexts) > 0:
		return "kubeconfig " + where
	case address && os.Getenv("KUBERNETES_SERVICE_HOST") != "":
		return "no kubeconfig at " + where + ", so the service account of this pod"
	case address:
		return "no kubeconfig at " + where + ", so the default address"
	default:
		return "no kubeconfig at " + where
	}
}
