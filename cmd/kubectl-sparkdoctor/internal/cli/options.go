package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/screen"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// scanOptions are what the scan needs.
type scanOptions struct {
	scanFlags
	selected []check.Check
	outs     []output
	subjects scan.Subjects
	asOf     time.Time
	offline  bool

	configFile   string // empty: there is none
	notRead      string // a file that is called nearly like it; empty: there is none
	severities   map[string]check.Severity
	suppressions []check.SuppressionRule
	taught       *catalog.Set   // signatures that are not built in
	before       *report.Report // what to compare with; nil: nothing

	preview *screen.Screen // shows what is known while the rest is confirmed; nil: nothing does

	connection *apiserver.Connection   // nil until the cluster is asked
	others     map[string]*scanOptions // the same for other contexts, once they are asked
}

// options checks what was typed, all of it before anything is read.
func (f *scanFlags) options(ctx context.Context, args []string) (*scanOptions, error) {
	o := &scanOptions{scanFlags: *f, offline: len(f.files) > 0}
	for _, step := range []func() error{
		func() error { return o.configure(ctx) },
		o.selectChecks,
		o.readSuppressions,
		func() error { return o.readBaseline(ctx) },
		func() (err error) { o.outs, err = parseOutputs(o.outputs); return err },
		o.checkChoices,
		o.checkFiles,
		o.readAsOf,
		o.checkNumbers,
		func() error { return o.checkContexts(args) },
		o.checkWatching,
		func() error { return o.selectSubjects(args) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// checkFiles refuses flags that are about files without any, or about a cluster with them.
func (o *scanOptions) checkFiles() error {
	switch {
	case !o.offline && o.needsFiles():
		return errors.New("--complete, --as-of, --exclude and -R need -f")
	case o.offline && (o.probe || o.logs):
		return errors.New("--probe and --logs need a cluster and cannot be combined with -f")
	default:
		return nil
	}
}

// readAsOf reads --as-of.
func (o *scanOptions) readAsOf() (err error) {
	if o.scanFlags.asOf == "" {
		return nil
	}
	if o.asOf, err = time.Parse(time.RFC3339, o.scanFlags.asOf); err != nil {
		return fmt.Errorf("--as-of %q is not an RFC 3339 time, such as 2026-11-21T03:00:00Z", o.scanFlags.asOf)
	}
	return nil
}

// checkNumbers refuses thresholds and rates that are out of range.
func (o *scanOptions) checkNumbers() error {
	p := o.params
	for _, rule := range []struct {
		broken bool
		says   string
	}{
		{o.qps <= 0 || o.burst < 1, "--qps must be above 0, --burst at least 1"},
		{p.MaxObjectSize <= 0 || min(p.StuckAfter, p.NewAfter, p.SettleAfter, p.CertWarn) < 0 || o.chunkSize < 0,
			"--max-object-size must be above 0, --stuck-after, --new-after, --confirm-after, --cert-warn and --chunk-size not below"},
		{min(p.Restarts, p.Backlog, p.LostExecutors, p.OOMExecutors) < 1,
			"--restarts, --backlog, --lost-executors and --oom-executors must be above 0"},
		{min(p.FinishedAfter, p.FailedWithin) < 0 || p.PileUp < 1,
			"--finished-after and --failed-within must not be below 0, --pile-up must be above 0"},
		{min(p.SubmittedAfter, p.TransitionAfter) < 0, "--submitted-after and --transition-after must not be below 0"},
	} {
		if rule.broken {
			return errors.New(rule.says)
		}
	}
	return nil
}

// selectSubjects reads -n, -A, -l and the TYPE/NAME arguments.
func (o *scanOptions) selectSubjects(args []string) error {
	namespace := *o.kube.Namespace
	switch o.scope {
	case "", scopeCluster:
	case report.ScopeNamespace:
		var err error
		if namespace, err = o.ownNamespace(); err != nil {
			return err
		}
		o.subjects.Level = report.ScopeNamespace
	default:
		return fmt.Errorf("--scope is %q%s", o.scope, spelling.Choose(o.scope, []string{"cluster", "namespace"}))
	}
	if namespace != "" && !o.allNamespaces {
		o.subjects.Namespaces = []string{namespace}
	}
	if o.selector != "" {
		if _, err := labels.Parse(o.selector); err != nil {
			return fmt.Errorf("-l %q: %w", o.selector, err)
		}
		o.subjects.Selector = o.selector
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
	for _, arg := range typedNames(args) {
		key, ok := check.ParseObject(arg, namespace)
		if !ok {
			return fmt.Errorf("%q is not TYPE/NAME of a kind that checks look at, such as sparkapplication/etl", arg)
		}
		o.subjects.Objects = append(o.subjects.Objects, key)
	}
	return nil
}

// scopeCluster is the default of --scope: whatever the checks need.
const scopeCluster = "cluster"

// ownNamespace is that of --scope namespace.
func (o *scanOptions) ownNamespace() (string, error) {
	given := *o.kube.Namespace
	switch {
	case o.allNamespaces:
		return "", fmt.Errorf("--scope namespace and -A cannot be combined")
	case given != "":
		return given, nil
	case len(o.contexts) > 0 || o.allContexts:
		return "", fmt.Errorf("--scope namespace needs -n NAMESPACE where several clusters are scanned")
	case o.offline:
		return "", fmt.Errorf("--scope namespace needs -n NAMESPACE: files have no current one")
	default:
		return o.currentNamespace()
	}
}

// typedNames makes "TYPE NAME NAME" the same as "TYPE/NAME TYPE/NAME", as kubectl does.
func typedNames(args []string) []string {
	if len(args) < 2 || slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "/") }) {
		return args
	}
	var out []string
	for _, name := range args[1:] {
		out = append(out, args[0]+"/"+name)
	}
	return out
}

// currentNamespace is that of the context; files have none, so it must be named.
func (o *scanOptions) currentNamespace() (string, error) {
	if o.offline {
		return "", fmt.Errorf("naming an object in files needs its namespace: -n NAMESPACE")
	}
	if err := checkKubeconfig(o.kube); err != nil {
		return "", err
	}
	namespace, _, err := o.kube.ToRawKubeConfigLoader().Namespace()
	return namespace, err
}

// library are the options of the library.
func (o *scanOptions) library(streams genericiooptions.IOStreams) scan.Options {
	asked := o.asked()
	if o.subjects.Level != "" {
		asked.Namespace = o.subjects.Namespaces[0]
	}
	return scan.Options{
		Source: o.source(streams), Subjects: o.subjects, Checks: o.selected, Params: o.params, Tool: tool(),
		Suppressions: o.suppressions, ShowSuppressed: o.showSuppressed, AllowEmpty: o.allowEmpty, Cost: o.cost,
		Asked: asked, Confirming: o.confirming(streams),
		Signatures: o.taught, Observer: &talk{streams: streams, configFile: o.configFile, notRead: o.notRead},
	}
}

func (o *scanOptions) source(streams genericiooptions.IOStreams) scan.Source {
	if o.offline {
		return scan.Files{Paths: o.files, FS: o.disk, Recursive: o.recursive, Exclude: o.exclude, Stdin: streams.In,
			Complete: o.complete, AsOf: o.asOf}
	}
	kubeContext, _ := o.contextName()
	namespace, _, _ := o.kube.ToRawKubeConfigLoader().Namespace()
	return scan.Cluster{
		Connect: o.connect, Context: kubeContext, Namespace: namespace,
		ChunkSize: o.chunkSize, QPS: o.qps, Burst: o.burst, Probe: o.probe, Logs: o.logs,
	}
}

func (o *scanOptions) contextName() (string, error) {
	if *o.kube.Context != "" {
		return *o.kube.Context, nil
	}
	raw, err := o.kube.ToRawKubeConfigLoader().RawConfig()
	return raw.CurrentContext, err
}

// connect prepares the connection that kubectl's flags describe.
func connect(kube *genericclioptions.ConfigFlags) (*apiserver.Connection, error) {
	if err := checkKubeconfig(kube); err != nil {
		return nil, err
	}
	config, err := kube.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.UserAgent = "kubectl-sparkdoctor/" + tool().Version
	config.WarningHandler = rest.NoWarnings{}
	return apiserver.Connect(config)
}

// connect returns the connection that all scans of this command share.
func (o *scanOptions) connect() (*apiserver.Connection, error) {
	if o.connection != nil {
		return o.connection, nil
	}
	conn, err := connect(o.kube)
	if err != nil {
		return nil, err
	}
	o.connection = conn
	return conn, nil
}
