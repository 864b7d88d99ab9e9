package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// releases are those that a gate knows, newest first.
func releases(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []string
	for _, v := range slices.Backward(operator.Releases()) {
		out = append(out, v.String())
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// controllers offers those of the cluster, or of -f files, as NAMESPACE/DEPLOYMENT with their versions.
func controllers(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	var out []string
	for _, in := range operator.Find(deploymentsFor(ctx, cmd)) {
		if in.Controller != nil {
			out = append(out, controllerName(&in)+"\t"+in.Stated)
		}
	}
	return starting(out, typed), cobra.ShellCompDirectiveNoFileComp
}

// deploymentsFor reads those that a command line is about. Who cannot be asked has none: a shell has no place for an error.
func deploymentsFor(ctx context.Context, cmd *cobra.Command) []snapshot.Deployment {
	if files, err := cmd.Flags().GetStringArray("filename"); err == nil && len(files) > 0 {
		recursive, _ := cmd.Flags().GetBool("recursive")
		if slices.Contains(files, "-") {
			return nil
		}
		s, _, err := collect.Files(ctx, collect.FileOptions{Paths: files, Recursive: recursive, Now: time.Now()})
		if err != nil {
			return nil
		}
		return s.Deployments()
	}
	conn, err := connect(connection(cmd))
	if err != nil {
		return nil
	}
	s, _, err := collect.Cluster(ctx, conn, collect.ClusterOptions{Needs: []snapshot.Need{{View: snapshot.Deployments, Scope: snapshot.Everywhere}}, Now: time.Now})
	if err != nil {
		return nil
	}
	return s.Deployments()
}
