// Command bench measures `kubectl sparkdoctor scan` and `why` on the test control plane beside the wire itself and beside kubectl.
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
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

type options struct {
	binary  string // the stripped build of kubectl-sparkdoctor
	out     string // Markdown file to write, if any
	runs    int
	settle  time.Duration
	sizes   []int // of the fleets, in applications, one after the other in one cluster
	also    int   // at which of them scan -f and other programs are measured, too; 0: at none
	kubectl int   // at which of them kubectl is; 0: at none
	owners  string
	verbose bool
	fleet   load.Fleet // how each is made
}

// fleetOf returns the fleet of a number of applications: ten pods each, half of them with a ConfigMap, a Service and an
// event, one in 200 with a status of a megabyte.
func (o options) fleetOf(applications, existing int) load.Fleet {
	f := o.fleet
	f.Applications = applications
	f.Pods = 10 * applications
	f.Extras = applications / 2
	f.Existing = existing
	f.Large = applications / 200
	return f
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
	sizes := flags.String("sizes", "1000,10000,20000", "`numbers` of applications, multiples of 200; each has ten pods")
	flags.IntVar(&o.also, "also", 10000, "the `size` at which scan -f, kubectl's lists and -owners are measured, too")
	flags.IntVar(&o.kubectl, "kubectl", 1000, "the `size` at which kubectl is measured, which takes 1.3 GB of memory for each 1,000 "+
		"applications")
	flags.StringVar(&o.owners, "owners", "", "`file` of kubectl-check-ownerreferences, to measure it, too")
	flags.BoolVar(&o.verbose, "v", false, "show every request and every run")
	flags.IntVar(&o.fleet.Namespaces, "namespaces", 200, "`number` of namespaces")
	flags.IntVar(&o.fleet.Entries, "entries", 4, "executorState `entries` of each application")
	flags.IntVar(&o.fleet.LargeEntries, "large-entries", 15000, "executorState `entries` of one application in 200")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		grows := len(o.sizes) == 0 || n > o.sizes[len(o.sizes)-1]
		if err != nil || n <= 0 || n%200 != 0 || !grows {
			return o, errors.New("-sizes takes growing multiples of 200, such as 1000,10000")
		}
		o.sizes = append(o.sizes, n)
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
	fleets, err := b.all(ctx)
	if err != nil {
		return err
	}
	repair, err := b.repair(ctx, fleets[len(fleets)-1].fleet)
	if err != nil {
		return err
	}
	size, err := os.Stat(o.binary)
	if err != nil {
		return fmt.Errorf("reading the program's size: %w", err)
	}
	r := report{machine: machine, runs: o.runs, fleets: fleets, repair: repair, starts: b.starts, tenants: b.tenants,
		binary: size.Size()}
	if _, err := io.WriteString(stdout, r.text()); err != nil || o.out == "" {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return fmt.Errorf("creating the directory of the results: %w", err)
	}
	return writeMarkdown(o.out, r.markdown())
}

// marker is the line below which the results are written; what stands above it is written by people.
const marker = "<!-- What follows is written by make bench. -->\n"

// writeMarkdown replaces the results in a file, or makes one.
func writeMarkdown(path, results string) error {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading the old results: %w", err)
	}
	above, _, found := strings.Cut(string(text), marker)
	if !found {
		above = "# Performance\n\n"
	}
	if err := os.WriteFile(path, []byte(above+marker+results), 0o644); err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return nil
}
