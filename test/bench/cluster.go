package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

const operatorVersion = build.BaseOperator

// bench is a filled cluster and the programs to measure on it.
type bench struct {
	o            options
	log          io.Writer
	cp           *controlplane.ControlPlane
	proxy        *proxy
	dir          string // programs, plans and kubeconfigs
	direct       string // kubeconfig of the API server
	throughProxy string // kubeconfig of the proxy
	starts       []startTime
	tenants      []untrusted
}

func start(ctx context.Context, o options, log io.Writer) (*bench, error) {
	b := &bench{o: o, log: log}
	if err := b.start(ctx); err != nil {
		return nil, errors.Join(err, b.stop())
	}
	return b, nil
}

func (b *bench) start(ctx context.Context) (err error) {
	if b.dir, err = os.MkdirTemp("", "sparkdoctor-bench-"); err != nil {
		return fmt.Errorf("creating a directory: %w", err)
	}
	for _, name := range []string{"wire", "launch"} {
		if err := b.build(ctx, name); err != nil {
			return err
		}
	}
	if b.starts, err = b.startTimes(ctx); err != nil { // while nothing else runs
		return err
	}
	if b.tenants, err = b.untrusted(ctx); err != nil {
		return err
	}
	if b.cp, err = controlplane.Start(ctx, controlplane.Options{Log: b.log, CRDs: operatorVersion}); err != nil {
		return err
	}
	if b.proxy, err = startProxy(b.cp.RESTConfig()); err != nil {
		return err
	}
	if err := b.kubeconfigs(); err != nil {
		return err
	}
	return errors.Join(b.writePlan("bare", plan.Plan{Protocol: "http/1.1", Rounds: bare()}),
		b.writePlan("chunked", plan.Plan{Protocol: "h2", Rounds: chunked()}))
}

// grow makes the fleet as large as it is to be, and lets the cluster settle.
func (b *bench) grow(ctx context.Context, fleet load.Fleet) error {
	etcd, err := b.cp.Etcd()
	if err != nil {
		return err
	}
	if fleet.Existing > 0 { // nobody answers for the operator's webhook, which would refuse what is created
		if out, err := b.cp.Helm(ctx, "uninstall", "spark-operator", "--namespace", "spark-operator", "--no-hooks", "--wait"); err != nil {
			return fmt.Errorf("running helm uninstall: %w\n%s", err, out)
		}
	}
	filled, err := load.Create(ctx, b.cp.RESTConfig(), etcd, fleet)
	if err != nil {
		return err
	}
	b.say("created %s", filled)
	if err := b.installChart(ctx); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.o.settle):
		return nil
	}
}

// installChart installs the operator's objects without its programs: an installation that watches the fleet is there to
// be found, and nothing changes the fleet while it is read.
func (b *bench) installChart(ctx context.Context) error {
	builder, err := build.New(b.log)
	if err != nil {
		return err
	}
	dir, err := builder.Operator(ctx, operatorVersion)
	if err != nil {
		return err
	}
	var namespaces []string
	for i := range max(1, b.o.fleet.Namespaces) {
		namespaces = append(namespaces, fmt.Sprintf("fleet-%03d", i))
	}
	out, err := b.cp.Helm(ctx, "install", "spark-operator", filepath.Join(dir, "chart"), "--namespace", "spark-operator", "--create-namespace",
		"--no-hooks", "--skip-crds", "--wait", "--timeout", "2m", "--set", "spark.jobNamespaces={"+strings.Join(namespaces, ",")+"}")
	if err != nil {
		return fmt.Errorf("running helm install: %w\n%s", err, out)
	}
	return nil
}

// build makes one of the small programs beside this one.
func (b *bench) build(ctx context.Context, name string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(b.dir, name),
		"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/"+name)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return nil
}

func (b *bench) kubeconfigs() (err error) {
	if b.direct, err = b.cp.Kubeconfig("admin"); err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["proxy"] = &clientcmdapi.Cluster{Server: b.proxy.url}
	config.Contexts["proxy"] = &clientcmdapi.Context{Cluster: "proxy"}
	config.CurrentContext = "proxy"
	b.throughProxy = filepath.Join(b.dir, "proxy.kubeconfig")
	if err := clientcmd.WriteToFile(*config, b.throughProxy); err != nil {
		return fmt.Errorf("writing the proxy's kubeconfig: %w", err)
	}
	return nil
}

func (b *bench) stop() error {
	var errs []error
	if b.proxy != nil {
		errs = append(errs, b.proxy.close())
	}
	if b.cp != nil {
		errs = append(errs, b.cp.Stop())
	}
	if b.dir != "" {
		errs = append(errs, os.RemoveAll(b.dir))
	}
	return errors.Join(errs...)
}

func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.log, format+"\n", args...) }

// detail says what only somebody who doubts the numbers wants to know.
func (b *bench) detail(format string, args ...any) {
	if b.o.verbose {
		b.say(format, args...)
	}
}
