// Command demo shows the plugin at work: a real control plane with the real operator, broken in five ways and repaired,
// narrated in one terminal. Where a real node can run, pods are real, and a job fails for real. It fails if anything does not come out
// as it says.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// release is the operator that is installed.
const release = build.BaseOperator

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	binary := flags.String("binary", "", "the kubectl-sparkdoctor to show")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *binary == "" {
		return errors.New("-binary is missing")
	}
	records, err := os.MkdirTemp("", "sparkdoctor-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(records)
	d := &demo{binary: *binary, records: records, stdout: stdout, stderr: stderr}
	d.say("A control plane: etcd, API server, controllers. The Spark Operator %s, from its own chart.", release)
	missing := node.Supported()
	if d.cp, err = controlplane.Start(ctx, controlplane.Options{Log: stderr, CRDs: release, NodeJoins: missing == nil}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.cp.Stop()) }()
	d.real = missing == nil
	stopNode, err := d.startNode(ctx, missing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopNode()) }()
	if d.op, err = d.cp.InstallOperator(ctx, controlplane.OperatorOptions{Version: release, JobNamespaces: []string{"shop"}}); err != nil {
		return err
	}
	if d.kubeconfig, err = d.cp.Kubeconfig("admin"); err != nil {
		return err
	}
	acts := []func(context.Context) error{d.healthy, d.down, d.diverging, d.objects}
	if d.real {
		acts = append(acts, d.fails)
	}
	for _, act := range append(acts, d.end) {
		if err := act(ctx); err != nil {
			return err
		}
	}
	return nil
}

type demo struct {
	cp                          *controlplane.ControlPlane
	op                          *controlplane.Operator
	real                        bool // a real node runs the pods
	binary, kubeconfig, records string
	stdout, stderr              io.Writer
}

// say tells what happens next.
func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.stdout, "\n### "+format+"\n\n", args...)
}

// doctor shows a command and what it prints; it must end with the exit code, and the output must hold the words.
func (d *demo) doctor(ctx context.Context, code int, words string, args ...string) error {
	fmt.Fprintf(d.stdout, "$ kubectl sparkdoctor %s\n", strings.Join(args, " "))
	// What is new here would be left alone for ten minutes elsewhere: a controller may still be at it.
	hurry := []string{"--new-after", "0s", "--confirm-after", "0s", "--stuck-after", "1s"}
	switch args[0] {
	case "fix":
		hurry = append(hurry, "--record-dir", d.records)
	case "scan":
		hurry = append(hurry, "--color", "always")
	case "why":
		hurry = []string{"--color", "always"}
	}
	var seen strings.Builder
	cmd := exec.CommandContext(ctx, d.binary, slices.Concat(args, hurry)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+d.kubeconfig)
	cmd.Stdout, cmd.Stderr = io.MultiWriter(d.stdout, &seen), d.stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return fmt.Errorf("%s ended with %d, not %d", args[0], got, code)
	}
	for word := range strings.FieldsSeq(words) {
		if !strings.Contains(seen.String(), word) {
			return fmt.Errorf("%s does not speak of %s", args[0], word)
		}
	}
	return nil
}
