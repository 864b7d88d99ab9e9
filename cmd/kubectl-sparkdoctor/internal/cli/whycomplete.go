package cli

import (
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// applications offers the SparkApplications of a namespace by name, those of both operators, and TYPE/NAME of what else can be asked about.
func applications(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	switch {
	case len(args) > 1 || len(args) == 1 && strings.Contains(args[0], "/"):
		return nil, cobra.ShellCompDirectiveNoFileComp
	case len(args) == 1: // TYPE NAME
		return named(cmd, args[0], typed), cobra.ShellCompDirectiveNoFileComp
	}
	if kind, name, is := strings.Cut(typed, "/"); is {
		list := named(cmd, kind, name)
		for i := range list {
			list[i] = kind + "/" + list[i]
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	var types []cobra.Completion
	for _, one := range []string{"pod", "scheduledsparkapplication", "sparkapplication", "sparkcluster", "sparkconnect"} {
		if strings.HasPrefix(one, typed) {
			types = append(types, one+"/")
		}
	}
	if names := named(cmd, "sparkapplication", typed); len(names) > 0 {
		return append(names, types...), cobra.ShellCompDirectiveNoFileComp
	}
	return types, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// named are the names of objects of a type in the namespace, with its group or without.
func named(cmd *cobra.Command, kind, typed string) []cobra.Completion {
	q, err := app.ParseQuery(kind+"/x", "")
	if err != nil || q.Kind == "" {
		return nil
	}
	kube := connection(cmd)
	namespace, _, err := kube.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return nil
	}
	return starting(namesOf(cmd, kube, q, namespace), typed)
}

// namesOf asks for the names of what a query may ask for, in order and each once.
func namesOf(cmd *cobra.Command, kube *genericclioptions.ConfigFlags, q app.Query, namespace string) []string {
	var views []snapshot.View
	for _, v := range append([]snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects,
		snapshot.SparkPods}, snapshot.ApacheViews()...) {
		if src, _ := snapshot.SourceOf(v); q.Asks(src) {
			views = append(views, v)
		}
	}
	lists := make([][]string, len(views))
	var wait sync.WaitGroup
	for i, v := range views {
		wait.Go(func() { lists[i] = namesIn(cmd, kube, v, namespace) })
	}
	wait.Wait()
	names := slices.Concat(lists...)
	slices.Sort(names)
	return slices.Compact(names)
}
