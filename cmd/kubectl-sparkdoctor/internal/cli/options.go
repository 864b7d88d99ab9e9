package cli

import (
	"context"
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
	var err error
	if err := o.configure(ctx); err != nil {
		return nil, err
	}
	if err := o.selectChecks(); err != nil {
		return nil, err
	}
	if err := o.readSuppressions(); err != nil {
		return nil, err
	}
	if err := o.readBaseline(ctx); err != nil {
		return nil, err
	}
	if o.outs, err = parseOutputs(f.outputs); err != nil {
		return nil, err
	}
	if err := o.checkChoices(); err != nil {
		return nil, err
	}
	if !o.offline && f.needsFiles() {
		return nil, fmt.Errorf("--complete, --as-of and -R need -f")
	}
	if o.offline && (f.probe || f.logs) {
		return nil, fmt.Errorf("--probe and --logs need a cluster and cannot be combined with -f")
	}
	if f.asOf != "" {
		if o.asOf, err = time.Parse(time.RFC3339, f.asOf); err != nil {
			return nil, fmt.Errorf("--as-of %q is not an RFC 3339 time, such as 2026-11-21T03:00:00Z", f.asOf)
		}
	}
	if f.qps <= 0 || f.burst < 1 {
		return nil, fmt.Errorf("--qps must be above 0, --burst at least 1")
	}
	if p := o.params; p.MaxObjectSize <= 0 || p.StuckAfter < 0 || p.NewAfter < 0 || p.SettleAfter < 0 || p.CertWarn < 0 || f.chunkSize < 0 {
		return nil, fmt.Errorf("--max-object-size must be above 0, " +
			"--stuck-after, --new-after, --confirm-after, --cert-warn and --chunk-size not below")
	}
	if p := o.params; min(p.Restarts, p.Backlog, p.LostExecutors, p.OOMExecutors) < 1 {
		return nil, fmt.Errorf("--restarts, --backlog, --lost-executors and --oom-executors must be above 0")
	}
	if o.params.FinishedAfter < 0 || o.params.FailedWithin < 0 || o.params.PileUp < 1 {
		return nil, fmt.Errorf("--finished-after and --failed-within must not be below 0, --pile-up must be above 0")
	}
	if p := o.params; p.SubmittedAfter < 0 || p.TransitionAfter < 0 {
		return nil, fmt.Errorf("--submitted-after and --transition-after must not be below 0")
	}
	if err := o.checkContexts(args); err != nil {
		return nil, err
	}
	if err := o.checkWatching(); err != nil {
		return nil, err
	}
	return o, o.selectSubjects(args)
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
		Signatures: o.taught, Observer: &talk{streams: streams, configFile: o.configFile},
	}
}

func (o *scanOptions) source(streams genericiooptions.IOStreams) scan.Source {
	if o.offline {
		return scan.Files{Paths: o.files, Recursive: o.recursive, Stdin: streams.In, Complete: o.complete, AsOf: o.asOf}
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
