package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const scanExample = `  # Everything the operator runs, in every namespace
  kubectl sparkdoctor scan

  # What concerns one application
  kubectl sparkdoctor scan sparkapplication/etl -n team-a

  # A dump instead of a cluster
  kubectl get sparkapplications,pods,events -A -o yaml | kubectl sparkdoctor scan -f -

  # In CI: fail on warnings too, keep a JSON report beside the table
  kubectl sparkdoctor scan -f manifests/ -R --fail-on warning -o json=report.json`

// scanFlags are what the user typed.
type scanFlags struct {
	kube            *genericclioptions.ConfigFlags
	files           []string
	recursive       bool
	complete        bool
	asOf            string
	allNamespaces   bool
	selector        string
	outputs         []string
	checks          []string
	skip            []string
	failOn          string
	allowIncomplete bool
	color           string
	chunkSize       int64
	probe           bool
	params          checks.Params
}

// scanOptions are what the scan needs.
type scanOptions struct {
	scanFlags
	selected   []checks.Check
	outs       []output
	namespaces []string // nil: all
	asOf       time.Time
	selection  checks.Selection
	offline    bool
}

func newScan(streams genericiooptions.IOStreams) *cobra.Command {
	f := &scanFlags{kube: genericclioptions.NewConfigFlags(true), params: checks.DefaultParams()}
	cmd := &cobra.Command{
		Use:     "scan [TYPE/NAME ...]",
		Short:   "Run the checks on the cluster, or on files",
		Long:    "Runs the checks on the cluster of the current context, or on -f files, and reports what is wrong.\n\nExit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage or failure to run; 3 a check could not look at everything it needs.",
		Example: scanExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(args)
			if err != nil {
				return usageError(cmd, err)
			}
			return o.run(cmd.Context(), streams)
		},
	}
	fs := cmd.Flags()
	// kubectl waits for ever by default; a scan of a server that says nothing should end by itself.
	*f.kube.Timeout = "1m"
	f.kube.AddFlags(fs)
	fs.StringArrayVarP(&f.files, "filename", "f", nil, "file, directory, URL or - to judge instead of a cluster: YAML, JSON, Lists, .gz, .tar.gz")
	fs.BoolVarP(&f.recursive, "recursive", "R", false, "process the directories of -f recursively")
	fs.BoolVar(&f.complete, "complete", false, "the files are everything there is: what is not in them does not exist")
	fs.StringVar(&f.asOf, "as-of", "", "RFC 3339 time at which the files show the cluster (default: the latest time in them)")
	fs.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "findings about every namespace; the default")
	fs.StringVarP(&f.selector, "selector", "l", "", "label query: only findings about Spark objects that match, and their parts")
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, "output format, or FORMAT=FILE; may be repeated: "+strings.Join(slices.Concat(report.Formats(), []string{"jsonpath=EXPR", "go-template=EXPR"}), "|"))
	fs.StringSliceVar(&f.checks, "checks", nil, "run these checks only (ids or slugs)")
	fs.StringSliceVar(&f.skip, "skip-checks", nil, "do not run these checks (ids or slugs)")
	fs.StringVar(&f.failOn, "fail-on", "error", "exit 1 for findings at or above this severity: error|warning|info|none")
	fs.BoolVar(&f.allowIncomplete, "allow-incomplete", false, "do not exit 3 when a check could not look at everything")
	fs.StringVar(&f.color, "color", "auto", "auto|always|never")
	fs.Int64Var(&f.chunkSize, "chunk-size", 0, "items of a page when listing (0: as many as make up 16 MiB)")
	fs.BoolVar(&f.probe, "probe", false, "greet each ready replica of the webhook through a port-forward and compare the certificate that it serves (needs create on pods/portforward)")
	fs.DurationVar(&f.params.CertWarn, "cert-warn", f.params.CertWarn, "how long before its end a certificate is worth a warning")
	fs.DurationVar(&f.params.SettleAfter, "confirm-after", f.params.SettleAfter, "how long a controller may take: the garbage collector with an object whose owner is gone, or a rollout of the webhook")
	fs.DurationVar(&f.params.StuckAfter, "stuck-after", f.params.StuckAfter, "how long an object may be terminating")
	fs.DurationVar(&f.params.NewAfter, "new-after", f.params.NewAfter, "how long an application, or a webhook's certificate, counts as new, so that its parts may be missing")
	fs.IntVar(&f.params.MaxObjectSize, "max-object-size", f.params.MaxObjectSize, "etcd's limit for one request in bytes (--max-request-bytes of etcd)")
	return cmd
}

// options checks what was typed, all of it before anything is read.
func (f *scanFlags) options(args []string) (*scanOptions, error) {
	o := &scanOptions{scanFlags: *f, offline: len(f.files) > 0}
	var err error
	if o.selected, err = checks.Select(checks.All(), f.checks, f.skip); err != nil {
		return nil, err
	}
	if o.outs, err = parseOutputs(f.outputs); err != nil {
		return nil, err
	}
	for _, choice := range []struct {
		flag, value string
		allowed     []string
	}{{"fail-on", f.failOn, []string{"error", "warning", "info", "none"}}, {"color", f.color, []string{"auto", "always", "never"}}} {
		if !slices.Contains(choice.allowed, choice.value) {
			return nil, fmt.Errorf("--%s is %q, use one of %s", choice.flag, choice.value, strings.Join(choice.allowed, ", "))
		}
	}
	if !o.offline && (f.complete || f.asOf != "" || f.recursive) {
		return nil, fmt.Errorf("--complete, --as-of and -R go with -f")
	}
	if o.offline && f.probe {
		return nil, fmt.Errorf("--probe asks a cluster and does not go with -f")
	}
	if f.asOf != "" {
		if o.asOf, err = time.Parse(time.RFC3339, f.asOf); err != nil {
			return nil, fmt.Errorf("--as-of %q is no RFC 3339 time, such as 2026-11-21T03:00:00Z", f.asOf)
		}
	}
	if f.params.MaxObjectSize <= 0 || f.params.StuckAfter < 0 || f.params.NewAfter < 0 || f.params.SettleAfter < 0 || f.params.CertWarn < 0 || f.chunkSize < 0 {
		return nil, fmt.Errorf("--max-object-size must be above 0, --stuck-after, --new-after, --confirm-after, --cert-warn and --chunk-size not below")
	}
	return o, o.selectSubjects(args)
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

func (o *scanOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	in, err := o.read(ctx, streams)
	if err != nil {
		return err
	}
	o.sayScope(streams, in)
	results := checks.Run(in.snapshot, o.selected, o.params)
	if in.confirm != nil {
		if in.snapshot, results, err = checks.Confirm(ctx, in.snapshot, results, o.params, *in.confirm); err != nil {
			return err
		}
	}
	results = checks.Correlate(o.selection.Narrow(in.snapshot, results))
	r := report.Build(in.snapshot, tool(), in.source, o.scope(in.snapshot), results)
	if err := o.exists(in.snapshot); err != nil {
		return err
	}
	if err := write(o.outs, r, streams, o.color); err != nil {
		return err
	}
	return o.verdict(r)
}

// exists makes a named object that is not there an error: "no findings" would be a lie.
func (o *scanOptions) exists(s *snapshot.Snapshot) error {
	for _, key := range o.selection.Objects {
		if !s.Has(key) {
			return fmt.Errorf("%s %s/%s not found", strings.ToLower(key.Kind), key.Namespace, key.Name)
		}
	}
	return nil
}

func (o *scanOptions) verdict(r *report.Report) error {
	switch {
	case o.failOn != "none" && r.AtLeast(o.failOn) > 0:
		return &codeError{code: exitFindings}
	case r.Incomplete() && !o.allowIncomplete:
		return &codeError{code: exitIncomplete}
	default:
		return nil
	}
}
