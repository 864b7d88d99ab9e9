package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

func buildAll(ctx context.Context, versions []string, log io.Writer) error {
	if len(versions) == 0 {
		versions = build.Operators(build.OperatorVersions()...)
		if !slices.Contains(versions, build.BaseOperator) {
			versions = append(versions, build.BaseOperator)
		}
	}
	return controlplane.Build(ctx, log, versions...)
}

func env(ctx context.Context, stdout, log io.Writer) error {
	b, err := build.New(log)
	if err != nil {
		return err
	}
	kubernetes, err := b.Kubernetes(ctx)
	if err != nil {
		return err
	}
	helm, err := b.Helm(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "export PATH=%s:%s:\"$PATH\"\n", kubernetes, helm)
	return nil
}

func up(ctx context.Context, args []string, stdout, log io.Writer) (err error) {
	flags := flag.NewFlagSet("up", flag.ContinueOnError)
	operator := flags.String("operator", "", "operator `release` to install, such as 2.5.1; none if empty")
	crds := flags.String("crds", "", "operator `release` whose CRDs are installed; --operator's if empty")
	namespaces := flags.String("namespaces", "jobs", "comma-separated `namespaces` that the operator watches")
	nodes := flags.Int("nodes", 1, "`number` of nodes")
	keep := flags.Bool("keep", false, "keep logs and data after the end")
	if err := flags.Parse(args); err != nil {
		return ignoreHelp(err)
	}
	if *crds == "" {
		*crds = *operator
	}
	start := time.Now()
	cp, err := controlplane.Start(ctx, controlplane.Options{Log: log, CRDs: *crds, Nodes: *nodes, KeepDir: *keep})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cp.Stop()) }()
	fmt.Fprintf(log, "cluster after %s\n", time.Since(start).Round(100*time.Millisecond))
	if *operator != "" {
		opts := controlplane.OperatorOptions{Version: *operator, JobNamespaces: strings.Split(*namespaces, ",")}
		if _, err := cp.InstallOperator(ctx, opts); err != nil {
			return err
		}
		fmt.Fprintf(log, "operator %s after %s\n", *operator, time.Since(start).Round(100*time.Millisecond))
	}
	kubeconfig, err := cp.Kubeconfig("admin")
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "export KUBECONFIG=%s\n", kubeconfig)
	fmt.Fprintf(log, "logs are in %s; interrupt to stop\n", cp.Dir)
	<-ctx.Done()
	return nil
}

func fill(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "`file` that testbed up printed")
	var fleet load.Fleet
	flags.IntVar(&fleet.Namespaces, "namespaces", 1, "`number` of namespaces")
	flags.IntVar(&fleet.Applications, "applications", 100, "`number` of applications")
	flags.IntVar(&fleet.Entries, "entries", 4, "executorState `entries` of each application")
	flags.IntVar(&fleet.Large, "large", 0, "`number` of applications with --large-entries entries instead")
	flags.IntVar(&fleet.LargeEntries, "large-entries", 15000, "executorState `entries` of each large application")
	flags.IntVar(&fleet.Pods, "pods", 0, "`number` of pods, drivers and executors")
	flags.IntVar(&fleet.Extras, "extras", 0, "`number` of applications with a ConfigMap, a Service and an Event")
	flags.IntVar(&fleet.Existing, "existing", 0, "`number` of the applications that are there already")
	flags.IntVar(&fleet.Workers, "workers", 4, "`number` of requests at once")
	if err := flags.Parse(args); err != nil {
		return ignoreHelp(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	etcd, err := controlplane.EtcdBeside(*kubeconfig)
	if err != nil {
		return err
	}
	result, err := load.Create(ctx, config, etcd, fleet)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "created", result)
	return nil
}

func ignoreHelp(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}
