package cli

import (
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/terminal"
)

// scanFlags are what the user typed.
type scanFlags struct {
	showFlags
	kube            *genericclioptions.ConfigFlags
	files           []string
	disk            fs.FS // where files are; nil: on this machine, as is the configuration
	recursive       bool
	exclude         []string
	complete        bool
	asOf            string
	allNamespaces   bool
	selector        string
	scope           string
	checks          []string
	skip            []string
	ignore          []string
	config          string
	signatures      []string
	showSuppressed  bool
	baseline        string
	allowIncomplete bool
	allowEmpty      bool
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
	waits           bool
	wait            time.Duration // 0: until it ends
	probe           bool
	logs            bool
	params          check.Params
	flags           *pflag.FlagSet // which tells those that were given
	catalogue       []check.Check  // that can be selected; nil: those of a scan
}

// newScanFlags are those of a command that reads the files of a disk; nil: of this machine.
func newScanFlags(disk fs.FS) *scanFlags {
	return &scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams(), disk: disk}
}

// needsFiles reports whether a flag was given that says how to take files.
func (f *scanFlags) needsFiles() bool {
	return f.complete || f.recursive || f.asOf != "" || len(f.exclude) > 0
}

// add registers the flags of scan.
func (f *scanFlags) add(fs *pflag.FlagSet) {
	f.addJudging(fs)
	fs.StringSliceVar(&f.contexts, "contexts", nil, "scan these kubeconfig contexts in parallel, into one report")
	fs.BoolVar(&f.allContexts, "all-contexts", false,
		"scan every kubeconfig context; clusters without a Spark Operator are listed only")
	fs.StringVar(&f.scope, "scope", scopeCluster,
		"cluster|namespace: namespace looks only at that of -n or of the context, and what you may not read beyond it leaves the exit code at 0")
	f.addSignatures("file or directory of your own signatures of log lines, for the case file of one application; repeatable")
	fs.BoolVarP(&f.watch, "watch", "w", false, "rescan at --interval and print only new and resolved findings")
	fs.DurationVar(&f.interval, "interval", 30*time.Second, "time between two scans of --watch")
	fs.StringVar(&f.until, "until", "",
		"clean: rescan until no finding is at or above --fail-on and every check ran on all its data, then exit 0")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Minute, "give up on --until after this time (0: never)")
}

// addJudging registers the flags of every command that reports what the checks say.
func (f *scanFlags) addJudging(fs *pflag.FlagSet) {
	f.addReading(fs)
	f.addFiles(fs)
	f.addShowing(fs)
	fs.StringSliceVar(&f.checks, "checks", nil,
		"run these checks only: ids, slugs, patterns such as 'SD2*', or areas ("+strings.Join(check.Areas(), ", ")+")")
	fs.StringSliceVar(&f.skip, "skip-checks", nil, "do not run these checks (named as in --checks)")
	fs.BoolVar(&f.showSuppressed, "show-suppressed", false, "list suppressed findings after the others")
	fs.StringVar(&f.baseline, "baseline", "",
		"report of an earlier scan (-o json=FILE); only findings that are new since then count for the exit code")
	fs.StringVar(&f.failOn, "fail-on", "error", "exit 1 for findings at or above this severity: error|warning|info|none")
	fs.BoolVar(&f.allowIncomplete, "allow-incomplete", false, "exit 0 instead of 3 when a check lacked permissions or data")
	fs.BoolVar(&f.cost, "cost", false, "print requests, bytes, memory and time of the scan to stderr and into the report")
}

// showFlags say how a report is written.
type showFlags struct {
	outputs                             []string
	failOn, color, minSeverity, groupBy string
}

func (f *showFlags) addShowing(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, outputUsage())
	fs.StringVar(&f.minSeverity, "min-severity", "",
		"leave out findings below this severity in table, wide, markdown and html: error|warning|info; counts, verdict and exit code stay")
	fs.StringVar(&f.groupBy, "group-by", terminal.ByCheck, "how the table groups findings: "+strings.Join(terminal.Groupings(), "|"))
	fs.StringVar(&f.color, "color", "auto", "auto|always|never")
}

// style is that of files: a terminal adds its own.
func (f *showFlags) style() terminal.Style {
	return terminal.Style{FailOn: f.failOn, MinSeverity: f.minSeverity, GroupBy: f.groupBy}
}

// addFiles registers the flags of every command that judges files instead of a cluster.
func (f *scanFlags) addFiles(fs *pflag.FlagSet) {
	fs.StringSliceVarP(&f.files, "filename", "f", nil,
		"file, directory, URL or - to check instead of a cluster: YAML, JSON, Lists, .gz, .tar.gz, or an archive of snapshot")
	fs.BoolVarP(&f.recursive, "recursive", "R", false, "process the directory used in -f recursively")
	fs.StringArrayVar(&f.exclude, "exclude", nil,
		"leave out files of the directories of -f: a pattern of their path below it, of their name, or of a directory; repeatable")
	fs.BoolVar(&f.complete, "complete", false, "treat the input as a full dump: anything not in it does not exist")
	fs.StringVar(&f.asOf, "as-of", "", "RFC 3339 time at which the files were dumped (default: the latest timestamp in them)")
}

func (f *scanFlags) addConfig(fs *pflag.FlagSet) {
	fs.StringVar(&f.config, "config", "",
		"configuration file (default: .sparkdoctor.yaml here or above, up to the repository's root or the home directory)")
}

func (f *scanFlags) addSignatures(usage string) {
	f.flags.StringArrayVar(&f.signatures, "signatures", nil, usage)
}

// addReading registers the flags of every command that reads a cluster to judge it.
func (f *scanFlags) addReading(fs *pflag.FlagSet) {
	f.addCluster(fs)
	fs.StringVarP(&f.selector, "selector", "l", "", "label selector: report only on matching Spark objects and their pods")
	fs.StringArrayVar(&f.ignore, "ignore", nil,
		"suppress findings: CHECK[=NAMESPACE/NAME][: reason (until 2026-12-31)]; names may be patterns; repeatable")
}

// addCluster registers the flags that say what is read, and what decides whether it is looked at again.
func (f *scanFlags) addCluster(fs *pflag.FlagSet) {
	f.flags = fs
	// kubectl waits for ever by default; a scan of a server that says nothing should end by itself.
	*f.kube.Timeout = "1m"
	f.kube.AddFlags(fs)
	fs.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "report on every namespace (the default)")
	fs.BoolVar(&f.allowEmpty, "allow-empty", false, "exit 0 instead of 2 when the namespace, selector or name matches nothing")
	f.addConfig(fs)
	f.addPacing(fs)
	fs.BoolVar(&f.probe, "probe", false,
		"connect to every ready webhook replica and verify its TLS certificate (needs create on pods/portforward)")
	fs.BoolVar(&f.logs, "logs", false, "read the operator's logs and quote the lines that explain a finding (needs get on pods/log)")
	fs.DurationVar(&f.params.CertWarn, "cert-warn", f.params.CertWarn, "warn when a certificate expires within this time")
	fs.DurationVar(&f.params.SettleAfter, "confirm-after", f.params.SettleAfter,
		"recheck after this time what looks missing, in case a controller is catching up (0: no recheck)")
	fs.DurationVar(&f.params.StuckAfter, "stuck-after", f.params.StuckAfter, "time after which a terminating object is stuck")
	fs.DurationVar(&f.params.NewAfter, "new-after", f.params.NewAfter,
		"age up to which an application or a certificate is new, and its pods or its CA bundle may still be missing")
	fs.DurationVar(&f.params.FinishedAfter, "finished-after", f.params.FinishedAfter,
		"age at which a finished application counts as left over, and fix SD6008=NAMESPACE may delete it")
	fs.IntVar(&f.params.PileUp, "pile-up", f.params.PileUp, "report a namespace with at least this many leftover applications")
	fs.IntVar(&f.params.Restarts, "restarts", f.params.Restarts, "report an operator container with at least this many restarts")
	fs.IntVar(&f.params.Backlog, "backlog", f.params.Backlog, "report a healthy operator with at least this many waiting applications")
	fs.IntVar(&f.params.LostExecutors, "lost-executors", f.params.LostExecutors,
		"report an application with at least this many lost executors")
	fs.IntVar(&f.params.OOMExecutors, "oom-executors", f.params.OOMExecutors,
		"report an application with at least this many OOMKilled executors")
	fs.DurationVar(&f.params.SubmittedAfter, "submitted-after", f.params.SubmittedAfter,
		"time a submitted application may wait for its driver, or a driver for its executors")
	fs.DurationVar(&f.params.TransitionAfter, "transition-after", f.params.TransitionAfter,
		"time the operator may take from one application state to the next")
	fs.DurationVar(&f.params.FailedWithin, "failed-within", f.params.FailedWithin,
		"how long ago an application may have failed to be reported")
	fs.IntVar(&f.params.MaxObjectSize, "max-object-size", f.params.MaxObjectSize,
		"etcd's request size limit in bytes (its --max-request-bytes)")
}

// addPacing registers the flags that say how fast a cluster is read.
func (f *scanFlags) addPacing(fs *pflag.FlagSet) {
	fs.Int64Var(&f.chunkSize, "chunk-size", 0, "objects per page of a list request (0: about 16 MiB per page)")
	fs.Float32Var(&f.qps, "qps", 50, "requests per second; API Priority and Fairness applies as well")
	fs.IntVar(&f.burst, "burst", 100, "requests sent at once before --qps applies")
}
