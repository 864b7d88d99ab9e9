// Command testbed runs the test control plane by hand: for debugging and for recording examples.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `Usage:
  testbed build [VERSION...]     build everything, and these operator releases (default:
                                 those of SPARKDOCTOR_OPERATORS and 2.5.1, else all)
  testbed up [--operator VERSION] [--namespaces a,b] [--nodes N] [--keep]
                                 run a cluster until interrupted
  testbed env                    print shell lines that put kubectl and helm into PATH
  testbed load --kubeconfig FILE [--applications N] [--pods N] ...
                                 fill a running cluster (testbed load -h shows all)
  testbed record [--stuck 11m] DIRECTORY
                                 make examples/broken-cluster anew
  testbed record-node --binary FILE [--only a,b] [--settle 90s] DIRECTORY
                                 record what a real kubelet says of situations (Linux, root)
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return fmt.Errorf("no command given")
	}
	switch args[0] {
	case "build":
		return buildAll(ctx, args[1:], stderr)
	case "up":
		return up(ctx, args[1:], stdout, stderr)
	case "env":
		return env(ctx, stdout, stderr)
	case "load":
		return fill(ctx, args[1:], stdout)
	case "record":
		return recordExample(ctx, args[1:], stderr)
	case "record-node":
		return recordNode(ctx, args[1:], stderr)
	}
	fmt.Fprint(stderr, usage)
	return fmt.Errorf("unknown command %q", args[0])
}
