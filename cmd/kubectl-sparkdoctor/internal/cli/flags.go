package cli

import (
	"time"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

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
	ignore          []string
	config          string
	showSuppressed  bool
	baseline        string
	failOn          string
	allowIncomplete bool
	allowEmpty      bool
	color           string
	chunkSize       int64
	qps             float32
	burst           int
	cost            bool
	contexts        []string
	allContexts     bool
	watch           bool
	interval        time.Duration
	until           string
	timeout         time.Duration
	probe           bool
	logs            bool
	params          check.Params
	flags           *pflag.FlagSet // which tells those that were given
	catalogue       []check.Check  // that can be selected; nil: those of a scan
}

// add registers the flags of scan.
func (f *scanFlags) add(fs *pflag.FlagSet) {
	f.addJudging(fs)
	fs.StringSliceVar(&f.contexts, "contexts", nil, "scan these contexts of the kubeconfig side by side, into one report")
	fs.BoolVar(&f.allContexts, "all-contexts", false,
		"scan every context of the kubeconfig; clusters without a Spark Operator are only listed")
	fs.BoolVarP(&f.watch, "watch", "w", false, "scan again and again, and write only what is new or resolved")
	fs.DurationVar(&f.interval, "interval", 30*time.Second, "how long --watch waits between scans")
	fs.StringVar(&f.until, "until", "", "clean: watch until nothing is at or above --fail-on and every check could look, then exit 0")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Minute, "how long --until may take (0: for ever)")
}

// addJudging registers the flags of every command that reports what the checks say.
func (f *scanFlags) addJudging(fs *pflag.FlagSet) {
	f.addReading(fs)
	f.addFiles(fs)
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, outputUsage())
	fs.StringSliceVar(&f.checks, "checks", nil, "run these checks only (ids or slugs)")
	fs.StringSliceVar(&f.skip, "skip-checks", nil, "do not run these checks (ids or slugs)")
	fs.BoolVar(&f.showSuppressed, "show-suppressed", false, "show the findings that somebody accepts, behind the others")
	fs.StringVar(&f.baseline, "baseline", "", "report of an earlier scan (-o json=FILE): only what is new since then fails")
	fs.StringVar(&f.failOn, "fail-on", "error", "exit 1 for findings at or above this severity: error|warning|info|none")
	fs.BoolVar(&f.allowIncomplete, "allow-incomplete", false, "do not exit 3 when a check could not look at everything")
	fs.BoolVar(&f.cost, "cost", false, "say what the scan took, on stderr and in the report: requests, bytes, memory, seconds")
	fs.StringVar(&f.color, "color", "auto", "auto|always|never")
}

// addFiles registers the flags of every command that judges files instead of a cluster.
func (f *scanFlags) addFiles(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.files, "filename", "f", nil,
		"file, directory, URL or - to judge instead of a cluster: YAML, JSON, Lists, .gz, .tar.gz, or an archive of snapshot")
	fs.BoolVarP(&f.recursive, "recursive", "R", false, "process the directories of -f recursively")
	fs.BoolVar(&f.complete, "complete", false, "the files are everything there is: what is not in them does not exist")
	fs.StringVar(&f.asOf, "as-of", "", "RFC 3339 time at which the files show the cluster (default: the latest time in them)")
}

// addReading registers the flags of every command that reads a cluster to judge it.
func (f *scanFlags) addReading(fs *pflag.FlagSet) {
	f.addCluster(fs)
	fs.StringVarP(&f.selector, "selector", "l", "", "label query: only findings about Spark objects that match, and their parts")
	fs.StringArrayVar(&f.ignore, "ignore", nil,
		"accept findings: CHECK[=NAMESPACE/NAME][: reason (until 2026-12-31)], names may be patterns; may be repeated")
}

// addCluster registers the flags that say what is read, and what decides whether it is looked at again.
func (f *scanFlags) addCluster(fs *pflag.FlagSet) {
	f.flags = fs
	// kubectl waits for ever by default; a scan of a server that says nothing should end by itself.
	*f.kube.Timeout = "1m"
	f.kube.AddFlags(fs)
	fs.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "findings about every namespace; the default")
	fs.BoolVar(&f.allowEmpty, "allow-empty", false, "do not exit 2 when the namespace, selector or name matches nothing")
	fs.StringVar(&f.config, "config", "",
		"configuration file (default: .sparkdoctor.yaml here or above, up to the repository's root or the home directory)")
	fs.Int64Var(&f.chunkSize, "chunk-size", 0, "items of a page when listing (0: as many as make up 16 MiB)")
	fs.Float32Var(&f.qps, "qps", 50, "requests a second; the API server's own priority and fairness counts as well")
	fs.IntVar(&f.burst, "burst", 100, "requests at once before --qps counts")
	fs.BoolVar(&f.probe, "probe", false,
		"greet each ready replica of the webhook through a port-forward and compare the certificate that it serves "+
			"(needs create on pods/portforward)")
	fs.BoolVar(&f.logs, "logs", false, "read the logs of the operator's pods and quote what they say of a finding (needs get on pods/log)")
	fs.DurationVar(&f.params.CertWarn, "cert-warn", f.params.CertWarn, "how long before its end a certificate is worth a warning")
	fs.DurationVar(&f.params.SettleAfter, "confirm-after", f.params.SettleAfter,
		"how long a controller may take: the garbage collector with an object whose owner is gone, or a rollout of the webhook")
	fs.DurationVar(&f.params.StuckAfter, "stuck-after", f.params.StuckAfter, "how long an object may be terminating")
	fs.DurationVar(&f.params.NewAfter, "new-after", f.params.NewAfter,
		"how long an application, or a webhook's certificate, counts as new, so that its parts may be missing")
	fs.DurationVar(&f.params.FinishedAfter, "finished-after", f.params.FinishedAfter,
		"how long ago an application must have ended to count as left lying about, and to be deleted by fix SD6008=NAMESPACE")
	fs.IntVar(&f.params.PileUp, "pile-up", f.params.PileUp, "how many of those in one namespace are too many")
	fs.IntVar(&f.params.Restarts, "restarts", f.params.Restarts, "how many restarts of a container of the operator are too many")
	fs.IntVar(&f.params.Backlog, "backlog", f.params.Backlog, "how many applications that wait for an operator that works are too many")
	fs.IntVar(&f.params.LostExecutors, "lost-executors", f.params.LostExecutors, "how many lost executors of an application are too many")
	fs.IntVar(&f.params.OOMExecutors, "oom-executors", f.params.OOMExecutors,
		"how many executors of an application that ran out of memory are too many")
	fs.DurationVar(&f.params.SubmittedAfter, "submitted-after", f.params.SubmittedAfter,
		"how long a submitted application may wait for its driver, or a driver for its executors")
	fs.DurationVar(&f.params.TransitionAfter, "transition-after", f.params.TransitionAfter,
		"how long the operator may take from one state of an application to the next")
	fs.IntVar(&f.params.MaxObjectSize, "max-object-size", f.params.MaxObjectSize,
		"etcd's limit for one request in bytes (--max-request-bytes of etcd)")
}
