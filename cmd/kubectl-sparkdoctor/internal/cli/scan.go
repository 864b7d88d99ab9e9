package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const scanExample = `  # Everything the operator runs, in every namespace
  kubectl sparkdoctor scan

  # What concerns one application
  kubectl sparkdoctor scan sparkapplication/etl -n team-a

  # A dump instead of a cluster
  kubectl get sparkapplications,pods,events -A -o yaml | kubectl sparkdoctor scan -f -

  # Several clusters, one report
  kubectl sparkdoctor scan --contexts prod-eu,prod-us

  # After a repair or an upgrade: wait until nothing is wrong any more
  kubectl sparkdoctor scan --until=clean --timeout 15m

  # In CI: fail on warnings too, keep a JSON report beside the table
  kubectl sparkdoctor scan -f manifests/ -R --fail-on warning -o json=report.json`

// scanOptions are what the scan needs.
type scanOptions struct {
	scanFlags
	selected   []checks.Check
	outs       []output
	namespaces []string // nil: all
	asOf       time.Time
	selection  checks.Selection
	offline    bool

	configFile string // empty: there is none
	severities map[string]checks.Severity
	waivers    []checks.Waiver
	ofWaivers  []checks.Check // checks about waivers
	before     *report.Report // what to compare with; nil: nothing

	connection *apiserver.Connection   // nil until the cluster is asked
	others     map[string]*scanOptions // the same for other contexts, once they are asked
}

func newScan(streams genericiooptions.IOStreams) *cobra.Command {
	f := &scanFlags{kube: genericclioptions.NewConfigFlags(true), params: checks.DefaultParams()}
	cmd := &cobra.Command{
		Use:               "scan [TYPE/NAME ...]",
		ValidArgsFunction: objects,
		Short:             "Run the checks on the cluster, or on files",
		Long:              "Runs the checks on the cluster of the current context, or on -f files, and reports what is wrong.\n\nExit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage or failure to run; 3 a check could not look at everything it needs.",
		Example:           scanExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd.Context(), args)
			if err != nil {
				return usageError(cmd, err)
			}
			return o.run(cmd.Context(), streams)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// selectSubjects reads -n, -A, -l and the TYPE/NAME arguments.
func (o *scanOptions) selectSubjects(args []string) error {
	namespace := *o.kube.Namespace
	if namespace != "" && !o.allNamespaces {
		o.namespaces = []string{namespace}
		o.selection.Namespaces = o.namespaces
	}
	if o.selector != "" {
		selector, err := labels.Parse(o.selector)
		if err != nil {
			return fmt.Errorf("-l %q: %w", o.selector, err)
		}
		o.selection.Selector = selector
	}
	if len(args) == 0 {
		return nil
	}
	if o.allNamespaces {
		return fmt.Errorf("a resource cannot be retrieved by name across all namespaces")
	}
	if namespace == "" {
		var err error
		if namespace, err = o.currentNamespace(); err != nil {
			return err
		}
	}
	for _, arg := range args {
		key, ok := checks.ParseObject(arg, namespace)
		if !ok {
			return fmt.Errorf("%q is not TYPE/NAME of a kind that checks look at, such as sparkapplication/etl", arg)
		}
		o.selection.Objects = append(o.selection.Objects, key)
		if key.Group != snapshot.SparkGroup {
			o.namespaces = nil // what a workflow made can be anywhere
		}
	}
	o.selection.Namespaces = nil // -n says where the objects are; a finding that concerns them may be about another
	return nil
}

// currentNamespace is that of the context; files have none, so it must be named.
func (o *scanOptions) currentNamespace() (string, error) {
	if o.offline {
		return "", fmt.Errorf("naming an object in files needs its namespace: -n NAMESPACE")
	}
	namespace, _, err := o.kube.ToRawKubeConfigLoader().Namespace()
	return namespace, err
}

// diagnosis is what the selected checks said.
type diagnosis struct {
	input
	results []checks.Result
}

// diagnose is the pipeline up to the findings.
func (o *scanOptions) diagnose(ctx context.Context, streams genericiooptions.IOStreams) (diagnosis, error) {
	in, err := o.read(ctx, streams)
	if err != nil {
		return diagnosis{}, err
	}
	o.sayScope(streams, in)
	if err := o.lookUp(ctx, streams, in); err != nil {
		return diagnosis{}, err
	}
	return o.judge(ctx, in)
}

// judge asks the selected checks, and looks again at what is missing.
func (o *scanOptions) judge(ctx context.Context, in input) (diagnosis, error) {
	selected, later := o.known(in)
	results := append(checks.Run(in.snapshot, selected, o.params), later...)
	if in.confirm != nil {
		var err error
		if in.snapshot, results, err = checks.Confirm(ctx, in.snapshot, results, o.params, *in.confirm); err != nil {
			return diagnosis{}, err
		}
	}
	results = checks.Correlate(o.selection.Narrow(in.snapshot, results))
	return diagnosis{in, checks.Waive(in.snapshot, results, o.waivers, o.ofWaivers, o.selection)}, nil
}

func (o *scanOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	if o.watch {
		return o.watching(ctx, streams)
	}
	r, err := o.report(ctx, streams)
	if err != nil {
		return err
	}
	if err := write(o.outs, r, streams, o.color, o.failOn); err != nil {
		return err
	}
	return verdict(r, o.failOn, o.allowIncomplete)
}

// report scans files, a cluster, or several.
func (o *scanOptions) report(ctx context.Context, streams genericiooptions.IOStreams) (*report.Report, error) {
	var r *report.Report
	names, err := o.manyContexts()
	switch {
	case err != nil:
	case names != nil:
		r, err = o.scanMany(ctx, streams, names)
	default:
		r, err = o.scanOne(ctx, streams)
	}
	if err == nil && o.before != nil {
		compare(r, o.before, streams)
	}
	return r, err
}

// scanOne scans files or one cluster.
func (o *scanOptions) scanOne(ctx context.Context, streams genericiooptions.IOStreams) (*report.Report, error) {
	started := time.Now()
	d, err := o.diagnose(ctx, streams)
	if err != nil {
		return nil, err
	}
	return o.build(d, started, streams), nil
}

// build makes the report of what the checks said.
func (o *scanOptions) build(d diagnosis, started time.Time, streams genericiooptions.IOStreams) *report.Report {
	r := report.Build(d.snapshot, tool(), d.source, o.scope(d.snapshot), d.results)
	if o.showSuppressed {
		r.ShowSuppressed()
	}
	if d.source.Type == "files" {
		r.Locate(new(collect.FieldLines).Of)
	}
	r.Metrics = report.Measure(d.snapshot, o.params.MaxObjectSize)
	if !o.offline {
		r.Metrics.DurationMilliseconds = int(time.Since(started).Milliseconds())
	}
	if o.cost {
		r.Cost = costOf(d.input, time.Since(started))
		sayCost(streams, r.Cost)
	}
	return r
}

// verdict is the exit code of a report.
func verdict(r *report.Report, failOn string, allowIncomplete bool) error {
	if r.Failed() {
		return &codeError{code: exitFailure}
	}
	switch r.Verdict(failOn, allowIncomplete) {
	case report.VerdictNoGo:
		return &codeError{code: exitFindings}
	case report.VerdictIncomplete:
		return &codeError{code: exitIncomplete}
	default:
		return nil
	}
}
