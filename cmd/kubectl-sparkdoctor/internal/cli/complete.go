package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/formats"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// completionTimeout is how long somebody who pressed Tab waits for a cluster.
const completionTimeout = 3 * time.Second

// completeFlags tells every command how its flags are completed. A flag means the same wherever it is.
func completeFlags(root *cobra.Command) {
	byName := map[string]cobra.CompletionFunc{
		"checks": listOf(checkIDs), "skip-checks": listOf(checkIDs), "contexts": listOf(contexts),
		"namespace": namespaces, "job-namespaces": listOf(namespaces), "operator-namespaces": listOf(namespaces),
		"context": contexts, "cluster": clusters, "user": users,
		"to": releases, "from": releases, "operator": controllers,
		"fail-on":      cobra.FixedCompletions([]string{"error", "warning", "info", "none"}, cobra.ShellCompDirectiveNoFileComp),
		"color":        cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp),
		"min-severity": cobra.FixedCompletions(report.Severities(), cobra.ShellCompDirectiveNoFileComp),
		"scope":        cobra.FixedCompletions([]string{scopeCluster, report.ScopeNamespace}, cobra.ShellCompDirectiveNoFileComp),
		"group-by":     cobra.FixedCompletions(terminal.Groupings(), cobra.ShellCompDirectiveNoFileComp),
		"dry-run":      cobra.FixedCompletions([]string{"none", "client", "server"}, cobra.ShellCompDirectiveNoFileComp),
		"max-risk": cobra.FixedCompletions([]string{
			"safe\tnothing restarts, nothing disappears", "disruptive\tsomething restarts, or admission changes",
			"destructive\tan object goes away",
		}, cobra.ShellCompDirectiveNoFileComp),
	}
	for _, cmd := range root.Commands() {
		output := []string{"yaml", "json"}
		if slices.Contains([]string{"scan", "gate", "diff"}, cmd.Name()) {
			output = slices.Concat(formats.Names(), formats.Expressions())
		}
		if cmd.Name() == "why" {
			output = slices.Concat(formats.CaseFileNames(), formats.Expressions())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			complete := byName[f.Name]
			if f.Name == "output" && cmd.Name() != "snapshot" {
				complete = cobra.FixedCompletions(output, cobra.ShellCompDirectiveNoFileComp)
			}
			if complete == nil && f.Value.Type() != "bool" && !takesFile(f) {
				complete = cobra.NoFileCompletions
			}
			if complete != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails only for a flag that is registered already
			}
		})
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// takesFile reports whether a flag's value is a path, which shells complete by themselves.
func takesFile(f *pflag.Flag) bool {
	return slices.Contains([]string{"filename", "baseline", "target-manifests", "helm-values", "config", "plan", "record-dir", "kubeconfig",
		"output", "dir", "cache-dir", "certificate-authority", "client-certificate", "client-key"}, f.Name)
}

// listOf completes the last of several values with commas between them.
func listOf(one cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before, last := "", typed
		if i := strings.LastIndex(typed, ","); i >= 0 {
			before, last = typed[:i+1], typed[i+1:]
		}
		list, directive := one(cmd, args, last)
		given := strings.Split(before, ",")
		out := make([]cobra.Completion, 0, len(list))
		for _, c := range list {
			if value, _, _ := strings.Cut(c, "\t"); !slices.Contains(given, value) {
				out = append(out, before+c)
			}
		}
		return out, directive | cobra.ShellCompDirectiveNoSpace
	}
}

// checkIDs offers ids with what a finding says; who types a slug gets slugs.
func checkIDs(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return idsOf(checks.Catalogue(), args, typed)
}

// fixableIDs offers the checks whose findings fix can repair.
func fixableIDs(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return idsOf(slices.DeleteFunc(checks.All(), func(c check.Check) bool { return len(c.Repairs) == 0 }), args, typed)
}

func idsOf(list []check.Check, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, c := range list {
		name := c.ID
		if typed != "" && strings.HasPrefix(c.Slug, typed) {
			name = c.Slug
		}
		if strings.HasPrefix(name, strings.ToUpper(typed)) || name == c.Slug {
			if !slices.Contains(args, name) {
				out = append(out, name+"\t"+c.Title)
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// objects offers TYPE/NAME of the operator's objects.
func objects(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	types := map[string]snapshot.View{
		"sparkapplication": snapshot.SparkApplications, "scheduledsparkapplication": snapshot.ScheduledSparkApplications,
		"sparkconnect": snapshot.SparkConnects, "pod": snapshot.SparkPods,
	}
	kind, _, named := strings.Cut(typed, "/")
	if !named {
		var out []cobra.Completion
		for _, one := range slices.Sorted(maps.Keys(types)) {
			if strings.HasPrefix(one, typed) {
				out = append(out, one+"/")
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	view, known := types[kind]
	if !known {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	kube := connection(cmd)
	namespace, _, err := kube.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, name := range namesIn(cmd, kube, view, namespace) {
		if one := kind + "/" + name; strings.HasPrefix(one, typed) && !slices.Contains(args, one) {
			out = append(out, one)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// checkThenObject is for explain: a check, then an object.
func checkThenObject(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return checkIDs(cmd, args, typed)
	case 1:
		return objects(cmd, nil, typed)
	default:
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// files leaves it to the shell.
func files(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func namespaces(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return starting(namesIn(cmd, connection(cmd), snapshot.Namespaces, ""), typed), cobra.ShellCompDirectiveNoFileComp
}

// namesIn asks the cluster. Whoever cannot be asked offers nothing: a shell has no place for an error.
func namesIn(cmd *cobra.Command, kube *genericclioptions.ConfigFlags, v snapshot.View, namespace string) []string {
	conn, err := connect(kube)
	if err != nil {
		return nil
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	names, err := collect.Names(ctx, conn, v, namespace)
	if err != nil {
		return nil
	}
	return names
}

func contexts(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return fromKubeconfig(cmd, typed, func(c clientcmdapi.Config) []string { return slices.Sorted(maps.Keys(c.Contexts)) })
}

func clusters(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return fromKubeconfig(cmd, typed, func(c clientcmdapi.Config) []string { return slices.Sorted(maps.Keys(c.Clusters)) })
}

func users(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return fromKubeconfig(cmd, typed, func(c clientcmdapi.Config) []string { return slices.Sorted(maps.Keys(c.AuthInfos)) })
}

func fromKubeconfig(cmd *cobra.Command, typed string, names func(clientcmdapi.Config) []string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	raw, err := connection(cmd).ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return starting(names(raw), typed), cobra.ShellCompDirectiveNoFileComp
}

func starting(names []string, typed string) []cobra.Completion {
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, typed) })
}

// connection is what the flags of a command line say about the cluster, as far as it is typed.
func connection(cmd *cobra.Command) *genericclioptions.ConfigFlags { return connectionOf(cmd.Flags()) }
