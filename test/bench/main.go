// Command bench measures `kubectl sparkdoctor scan` on the test control plane beside the wire itself and beside kubectl.
// It prints what it measured and judges nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

type options struct {
	binary  string // the stripped build of kubectl-sparkdoctor
	out     string // Markdown file to write, if any
	runs    int
	settle  time.Duration
	kubectl bool
	verbose bool
	fleet   load.Fleet
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	var o options
	flags.StringVar(&o.binary, "binary", "", "`file` of the program to measure")
	flags.StringVar(&o.out, "out", "", "`file` to write the results to, as Markdown")
	flags.IntVar(&o.runs, "runs", 5, "`number` of runs of each, the first and uncounted one not among them")
	flags.DurationVar(&o.settle, "settle", 10*time.Second, "`time` the cluster gets after it was filled")
	flags.BoolVar(&o.kubectl, "kubectl", true, "measure kubectl, too")
	flags.BoolVar(&o.verbose, "v", false, "show every request and every run")
	flags.IntVar(&o.fleet.Namespaces, "namespaces", 10, "`number` of namespaces")
	flags.IntVar(&o.fleet.Applications, "applications", 1000, "`number` of applications")
	flags.IntVar(&o.fleet.Entries, "entries", 4, "executorState `entries` of each application")
	flags.IntVar(&o.fleet.Large, "large", 5, "`number` of applications with -large-entries entries instead")
	flags.IntVar(&o.fleet.LargeEntries, "large-entries", 15000, "executorState `entries` of each large application")
	flags.IntVar(&o.fleet.Pods, "pods", 10000, "`number` of pods")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.binary == "" || o.runs < 1 || flags.NArg() > 0 {
		return o, errors.New("bench takes -binary FILE, and -runs of at least 1")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, log io.Writer) (err error) {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	machine := thisMachine() // before the load is our own
	b, err := start(ctx, o, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	results, err := b.all(ctx)
	if err != nil {
		return err
	}
	starts, err := b.starts(ctx)
	if err != nil {
		return err
	}
	size, err := os.Stat(o.binary)
	if err != nil {
		return fmt.Errorf("reading the program's size: %w", err)
	}
	r := report{machine: machine, fleet: o.fleet, runs: o.runs, results: results, starts: starts, binary: size.Size()}
	if _, err := io.WriteString(stdout, r.text()); err != nil || o.out == "" {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return fmt.Errorf("creating the directory of the results: %w", err)
	}
	if err := os.WriteFile(o.out, []byte(r.markdown()), 0o644); err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return nil
}
