package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const gateExample = `  # To which release can the operator of this cluster be upgraded?
  kubectl sparkdoctor gate

  # The breaks on the way to one, and the runbook
  kubectl sparkdoctor gate --to 2.5.2

  # An early warning: what the release after the newest one will bring, as far as it is known
  kubectl sparkdoctor gate --to next

  # The same question for several clusters
  kubectl sparkdoctor gate --contexts prod-eu,prod-us

  # With the manifests that Helm will install
  helm template spark-operator spark-operator/spark-operator --version 2.5.2 -n spark-operator -f values.yaml --include-crds > target.yaml
  kubectl sparkdoctor gate --to 2.5.2 --target-manifests target.yaml

  # With the values of the release, which settle most of what is likely
  helm get values spark-operator -n spark-operator -o yaml | kubectl sparkdoctor gate --to 2.5.2 --helm-values -

  # The same from what Helm keeps in the cluster, with its state: whether an upgrade failed or is pending
  kubectl sparkdoctor gate --to 2.5.2 --helm-release

  # In a pipeline: the applications of a repository, and a comment for the pull request
  kubectl sparkdoctor gate --from 2.3.0 --to 2.5.2 -f manifests/ -R -o markdown=gate.md`

// gateFlags are what the user typed.
type gateFlags struct {
	scanFlags
	from, to, operator, target, values string
	release                            bool
}

// gateOptions are what the gate needs.
type gateOptions struct {
	*scanOptions
	from     operator.Name // zero if the cluster says it
	to       operator.Version
	operator string // NAMESPACE/NAME of the controller's Deployment; empty: there is only one
	target   string // file of rendered manifests; empty: none
	values   string // file of values; empty: none
	release  bool   // read the Helm release
}

// isTarget says where a release belongs that was given without its flag.
func isTarget(argument string) string {
	if _, err := operator.TargetNamed(argument); err != nil {
		return ""
	}
	return ", did you mean --to " + argument + "?"
}

func newGate(streams genericiooptions.IOStreams) *cobra.Command {
	f := &gateFlags{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true), params: check.DefaultParams()}}
	cmd := &cobra.Command{
		Use:   "gate [--to VERSION]",
		Short: "Check whether the operator can be upgraded, and print the steps",
		Long: `Says go or no-go for an upgrade of the operator: what in this cluster, or in -f files, breaks between the installed
release and the target, and what to do before, during and after it. It knows the releases by itself and changes nothing.

Without --to it prints a plan: the verdict on every release that the operator can be upgraded to, and the one to take. With --contexts
or --all-contexts it prints a matrix of clusters and releases.

Exit codes: 0 go; 1 no-go: findings at or above --fail-on; 2 usage, an unknown target, or failure to run;
3 incomplete: a check could not read everything it needs.`,
		Example: gateExample,
		Args:    help.NoArguments(isTarget),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd.Context())
			if err != nil {
				return usageError(cmd, err)
			}
			return o.run(cmd.Context(), streams)
		},
	}
	fs := cmd.Flags()
	f.addJudging(fs)
	fs.StringVar(&f.to, "to", "", "the release to upgrade to, such as 2.5.2, or next for what is not released yet; "+
		"without it, gate checks every release")
	fs.StringSliceVar(&f.contexts, "contexts", nil, "ask in these kubeconfig contexts, and print a matrix of clusters and releases")
	fs.BoolVar(&f.allContexts, "all-contexts", false,
		"ask in every kubeconfig context; clusters without a Spark Operator are listed only")
	fs.StringVar(&f.from, "from", "", "the release that is installed, where its Deployment is missing or does not say; "+
		"1.x by chart (1.4.6) or application (v1beta2-1.6.2-3.5.0)")
	fs.StringVar(&f.operator, "operator", "", "NAMESPACE/DEPLOYMENT of the controller that is upgraded, where there are several")
	fs.StringVar(&f.target, "target-manifests", "", "file of what will be installed: the output of helm template --include-crds")
	fs.StringVar(&f.values, "helm-values", "", "file with the values of the release, or -: the output of helm get values")
	fs.BoolVar(&f.release, "helm-release", false,
		"read the newest revision of the Helm release: its values, chart and state (needs to list and get Secrets in its namespace)")
	return cmd
}

// options checks what was typed.
func (f *gateFlags) options(ctx context.Context) (*gateOptions, error) {
	g := &gateOptions{operator: f.operator, target: f.target, values: f.values, release: f.release}
	if err := g.name(f.from, f.to); err != nil {
		return nil, err
	}
	var err error
	f.catalogue = checks.OfGate()
	namespace, name, both := strings.Cut(f.operator, "/")
	switch {
	case f.operator != "" && (!both || namespace == "" || name == ""):
		return nil, fmt.Errorf("--operator is %q, not NAMESPACE/DEPLOYMENT, such as spark-operator/spark-operator-controller", f.operator)
	case f.target != "" && f.values != "":
		return nil, errors.New("pass --target-manifests or --helm-values: the manifests are rendered with the values")
	case f.release && f.values != "":
		return nil, errors.New("pass --helm-release or --helm-values: the release has its values")
	case f.release && len(f.files) > 0:
		return nil, errors.New("--helm-release reads a cluster, and cannot be combined with -f: pass --helm-values")
	case slices.Contains(f.files, "-") && (f.target == "-" || f.values == "-"):
		return nil, errors.New("only one of -f, --target-manifests and --helm-values can come from standard input")
	}
	if g.scanOptions, err = f.scanFlags.options(ctx, nil); err != nil {
		return nil, err
	}
	return g, g.checkPlan()
}

// name reads the releases that were typed.
func (g *gateOptions) name(from, to string) error {
	if to != "" {
		var err error
		if g.to, err = operator.TargetNamed(to); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
	}
	if from == "" {
		return nil
	}
	var err error
	if g.from, err = operator.ReleaseNamed(from); err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	if to != "" {
		_, err = operator.Path(g.from.Application, g.to)
	}
	return err
}

// run asks the library and reports.
func (g *gateOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	if g.plans() {
		return g.plan(ctx, streams)
	}
	r, err := scan.Gate(ctx, scan.GateOptions{
		Options: g.library(streams), From: g.from, To: g.to, Controller: g.operator, Manifests: g.target, Values: g.values,
		Release: g.release, Stdin: streams.In,
	})
	if err != nil {
		return err
	}
	r.Gate.Only = append(r.Gate.Only, g.only()...)
	if r.Cost != nil {
		sayCost(streams, r.Cost)
	}
	if g.before != nil {
		compare(r, g.before, streams)
	}
	r.Decide(g.failOn, g.allowIncomplete)
	if err := write(g.outs, r, streams, &g.showFlags); err != nil {
		return err
	}
	return verdict(r, g.failOn, g.allowIncomplete)
}

// only says to which checks the flags narrow the question, so that nobody takes a go for that of all.
func (g *gateOptions) only() []string {
	switch {
	case len(g.checks) > 0:
		return []string{"checks " + strings.Join(g.checks, ", ")}
	case len(g.skip) > 0:
		return []string{"checks other than " + strings.Join(g.skip, ", ")}
	default:
		return nil
	}
}

// releases are those that a gate knows, newest first, and last what is not released.
func releases(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []string
	for _, v := range slices.Backward(operator.Releases()) {
		out = append(out, v.String())
	}
	out = append(out, operator.Next().String()+"\tunreleased")
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// controllers offers those of the cluster, or of -f files, as NAMESPACE/DEPLOYMENT with their versions.
func controllers(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	var out []string
	for _, in := range operator.Find(deploymentsFor(ctx, cmd)) {
		if in.Controller != nil {
			out = append(out, in.Controller.Namespace+"/"+in.Controller.Name+"\t"+in.Stated)
		}
	}
	return starting(out, typed), cobra.ShellCompDirectiveNoFileComp
}

// deploymentsFor reads those that a command line is about. Who cannot be asked has none: a shell has no place for an error.
func deploymentsFor(ctx context.Context, cmd *cobra.Command) []snapshot.Deployment {
	if files, err := cmd.Flags().GetStringSlice("filename"); err == nil && len(files) > 0 {
		recursive, _ := cmd.Flags().GetBool("recursive")
		if slices.Contains(files, "-") {
			return nil
		}
		s, _, err := manifests.Read(ctx, manifests.Options{Paths: files, Recursive: recursive, Now: time.Now()})
		if err != nil {
			return nil
		}
		return s.Deployments()
	}
	conn, err := connect(connection(cmd))
	if err != nil {
		return nil
	}
	s, _, err := collect.Cluster(ctx, conn,
		collect.ClusterOptions{Needs: []snapshot.Need{{View: snapshot.Deployments, Scope: snapshot.Everywhere}}, Now: time.Now})
	if err != nil {
		return nil
	}
	return s.Deployments()
}
