package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const fixExample = `  # What would be repaired, and how: nothing is written
  kubectl sparkdoctor fix --dry-run

  # Repair all that is safe, after a look at the diff
  kubectl sparkdoctor fix

  # One check, one object
  kubectl sparkdoctor fix SD2001=team-a/etl

  # Restart the webhook, too, and let its calls fail closed
  kubectl sparkdoctor fix SD1005 SD1001 --max-risk disruptive --probe

  # Review a plan first, apply exactly that one later
  kubectl sparkdoctor fix -o yaml > plan.yaml
  kubectl sparkdoctor fix --plan plan.yaml --yes`

const fixLong = `Repairs what the checks find. Shows what it would write, field by field, and asks. Every write tests that the object
is as it was shown; what has moved is left alone. Afterwards the checks run again.

Only safe fixes are planned; --max-risk allows others. Before the first write a record is made, with which
"kubectl sparkdoctor undo" takes back what can be taken back.

Exit codes: 0 all that was selected is resolved, or there was nothing to do; 1 something failed, could not be verified
or remains; 2 usage or failure to run; 4 refused, declined or stale.`

// fixFlags are what the user typed.
type fixFlags struct {
	scanFlags
	writeFlags
	maxRisk    string
	finalizers []string
	output     string
	plan       string
}

// writeFlags are those of fix and undo.
type writeFlags struct {
	dryRun    string
	yes       bool
	recordDir string
	manager   string
}

func (f *writeFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.dryRun, "dry-run", "none", "none|client|server: client shows what would be written, server also has the API server try it")
	fs.Lookup("dry-run").NoOptDefVal = "client"
	fs.BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	fs.StringVar(&f.recordDir, "record-dir", "", "where the record for undo is written (default $XDG_STATE_HOME/kubectl-sparkdoctor, else ~/.local/state/kubectl-sparkdoctor)")
	fs.StringVar(&f.manager, "field-manager", "kubectl-sparkdoctor", "field manager of what is written")
}

// check validates, and finds the directory for records.
func (f *writeFlags) check() error {
	if !slices.Contains([]string{"none", "client", "server"}, f.dryRun) {
		return fmt.Errorf("--dry-run is %q, use one of none, client, server", f.dryRun)
	}
	if f.recordDir != "" {
		return nil
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("--record-dir is needed: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	f.recordDir = filepath.Join(state, "kubectl-sparkdoctor")
	return nil
}

// fixOptions are what the fix needs.
type fixOptions struct {
	fixFlags
	scan   *scanOptions
	picks  []pick
	limits fix.Limits
}

func newFix(streams genericiooptions.IOStreams) *cobra.Command {
	f := &fixFlags{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true), params: checks.DefaultParams()}}
	cmd := &cobra.Command{
		ValidArgsFunction: checkIDs,
		Use:               "fix [CHECK | CHECK=NAMESPACE/NAME | CHECK=NAME | FINDING ...]",
		Short:             "Repair what the checks find",
		Long:              fixLong,
		Example:           fixExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.fixOptions(cmd.Context(), args)
			if err != nil {
				return usageError(cmd, err)
			}
			return o.run(cmd.Context(), streams)
		},
	}
	fs := cmd.Flags()
	f.addReading(fs)
	f.writeFlags.add(fs)
	fs.StringVar(&f.maxRisk, "max-risk", "safe", "safe|disruptive|destructive: what the plan may contain")
	fs.StringArrayVar(&f.finalizers, "finalizer", nil, "remove this finalizer although its controller is not proven to be absent; may be repeated")
	fs.IntVar(&f.params.KeepExecutors, "keep-executors", f.params.KeepExecutors, "how many of the newest entries of executors that ended stay in status.executorState")
	fs.StringVarP(&f.output, "output", "o", "", "yaml|json: write the plan, and apply nothing")
	fs.StringVar(&f.plan, "plan", "", "file with a plan that -o yaml wrote: apply exactly that")
	return cmd
}

func (f *fixFlags) fixOptions(ctx context.Context, args []string) (*fixOptions, error) {
	f.failOn, f.color = "none", "auto"
	o := &fixOptions{}
	if err := f.check(); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"", "yaml", "json"}, f.output) {
		return nil, fmt.Errorf("-o is %q, use yaml or json", f.output)
	}
	if err := o.limits.MaxRisk.UnmarshalText([]byte(f.maxRisk)); err != nil {
		return nil, fmt.Errorf("--max-risk: %w", err)
	}
	if f.params.KeepExecutors < 0 {
		return nil, fmt.Errorf("--keep-executors must not be below 0")
	}
	o.limits.Finalizers = f.finalizers
	if f.plan != "" && (len(args) > 0 || f.output != "") {
		return nil, fmt.Errorf("--plan says what is applied, and goes with neither arguments nor -o")
	}
	var err error
	if o.picks, err = parsePicks(args); err != nil {
		return nil, err
	}
	for _, p := range o.picks {
		f.scanFlags.checks = append(f.scanFlags.checks, p.check)
	}
	if len(f.scanFlags.checks) > 0 {
		// Whether a write can pass the webhooks is part of every plan.
		f.scanFlags.checks = append(f.scanFlags.checks, checks.AdmissionChecks()...)
	}
	if o.scan, err = f.options(ctx, nil); err != nil {
		return nil, err
	}
	o.fixFlags = *f
	return o, nil
}

// pick is an argument: a check, one object of it, or a finding by its fingerprint.
type pick struct {
	check           string // id
	namespace, name string // empty: any
	finding         string
}

// parsePicks reads the arguments.
func parsePicks(args []string) ([]pick, error) {
	fingerprint := regexp.MustCompile(`^(sd[0-9]{4})-[0-9a-f]{12}$`)
	var out []pick
	for _, arg := range args {
		if m := fingerprint.FindStringSubmatch(arg); m != nil {
			out = append(out, pick{check: strings.ToUpper(m[1]), finding: arg})
			continue
		}
		id, object, named := strings.Cut(arg, "=")
		if c, err := checks.Lookup(checks.OfUpgrades(), id); err == nil {
			return nil, fmt.Errorf("%s is about an upgrade, and only gate asks it: what to do is in its runbook", c.ID)
		}
		check, err := checks.Lookup(checks.All(), id)
		if err != nil {
			return nil, err
		}
		p := pick{check: check.ID, name: object}
		if namespace, name, both := strings.Cut(object, "/"); both {
			p.namespace, p.name = namespace, name
		}
		if named && (p.name == "" || strings.Contains(p.name, "/")) {
			return nil, fmt.Errorf("%q is neither CHECK, CHECK=NAME nor CHECK=NAMESPACE/NAME", arg)
		}
		out = append(out, p)
	}
	return out, nil
}

// names reports whether the argument names an object.
func (p pick) names(r snapshot.Ref) bool {
	return p.name == r.Name && (p.namespace == "" || p.namespace == r.Namespace)
}

// picked reports whether a finding is selected, and whether its object was named.
func picked(picks []pick, f *checks.Finding) (selected, named bool) {
	if len(picks) == 0 {
		return true, false
	}
	for _, p := range picks {
		switch {
		case p.check != f.Check:
		case p.finding != "":
			if p.finding == f.Fingerprint() {
				return true, true
			}
		case p.name == "":
			selected = true
		case slices.ContainsFunc(append([]snapshot.Ref{f.Object}, f.Objects...), p.names):
			return true, true
		}
	}
	return selected, false
}

// chosen keeps of the wishes for a selected finding those that the arguments are about, and says which of them they name.
// Who names one of several objects of a finding, and not the finding's own, means that one.
func chosen(picks []pick, f *checks.Finding, all []fix.Candidate) []fix.Candidate {
	whole, every := len(picks) == 0, false
	named := make([]bool, len(all))
	for _, p := range picks {
		switch {
		case p.check != f.Check:
		case p.finding != "":
			every = every || p.finding == f.Fingerprint()
		case p.name == "":
			whole = true
		case p.names(f.Object) && f.Cause == "": // else it is the first of many applications
			every = true
		default:
			found := false
			for i, c := range all {
				if p.names(fix.TraitsOf(c.Intent).Target) {
					named[i], found = true, true
				}
			}
			// What is done to another object may repair the one that is named.
			every = every || !found && slices.ContainsFunc(f.Objects, p.names)
		}
	}
	out := make([]fix.Candidate, 0, len(all))
	for i, c := range all {
		if c.Named = every || named[i]; c.Named || whole {
			out = append(out, c)
		}
	}
	return out
}
