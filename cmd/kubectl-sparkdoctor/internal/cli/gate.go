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

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const gateExample = `  # May the operator of this cluster be upgraded?
  kubectl sparkdoctor gate --to 2.5.2

  # With what will be installed, as Helm renders it
  helm template spark-operator spark-operator/spark-operator --version 2.5.2 -n spark-operator -f values.yaml --include-crds > target.yaml
  kubectl sparkdoctor gate --to 2.5.2 --target-manifests target.yaml

  # In a pipeline: the applications of a repository, and a comment for the pull request
  kubectl sparkdoctor gate --from 2.3.0 --to 2.5.2 -f manifests/ -R -o markdown=gate.md`

// gateFlags are what the user typed.
type gateFlags struct {
	scanFlags
	from, to, operator, target string
}

// gateOptions are what the gate needs.
type gateOptions struct {
	*scanOptions
	from, to operator.Version // from is zero if the cluster says it
	operator string           // NAMESPACE/NAME of the controller's Deployment; empty: there is only one
	target   string           // file of rendered manifests; empty: none
}

func newGate(streams genericiooptions.IOStreams) *cobra.Command {
	f := &gateFlags{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true), params: checks.DefaultParams()}}
	cmd := &cobra.Command{
		Use:   "gate --to VERSION",
		Short: "Say whether the operator can be upgraded, and what to do for that",
		Long: `Says go or no-go for an upgrade of the operator: what in this cluster, or in -f files, breaks on the way from the installed
release to the target, and who must do what before, during and after it. It knows the releases by itself and changes nothing.

Exit codes: 0 go; 1 no-go: findings at or above --fail-on; 2 usage, a target that cannot be judged, or failure to run;
3 incomplete: a check could not look at everything it needs.`,
		Example: gateExample,
		Args:    cobra.NoArgs,
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
	fs.StringVar(&f.to, "to", "", "the release to upgrade to, such as 2.5.2 (required)")
	fs.StringVar(&f.from, "from", "", "the release that is installed, where its Deployment is not there or does not say")
	fs.StringVar(&f.operator, "operator", "", "NAMESPACE/DEPLOYMENT of the controller that is upgraded, where there are several")
	fs.StringVar(&f.target, "target-manifests", "", "file of what will be installed: the output of helm template --include-crds")
	return cmd
}

// options checks what was typed.
func (f *gateFlags) options(ctx context.Context) (*gateOptions, error) {
	if f.to == "" {
		return nil, fmt.Errorf("--to is missing: the release to upgrade to; the newest that is known is %s", operator.Newest())
	}
	g := &gateOptions{operator: f.operator, target: f.target}
	var err error
	if g.to, err = operator.ReleaseNamed(f.to); err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	if f.from != "" {
		if g.from, err = operator.ReleaseNamed(f.from); err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
		if _, err := operator.Path(g.from, g.to); err != nil {
			return nil, err
		}
	}
	f.catalogue = checks.OfGate()
	if slices.Contains(f.files, "-") && f.target == "-" {
		return nil, errors.New("only one of -f and --target-manifests can come from standard input")
	}
	g.scanOptions, err = f.scanFlags.options(ctx, nil)
	return g, err
}

// run reads, judges and reports.
func (g *gateOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	started := time.Now()
	target, err := g.readTarget(ctx, streams)
	if err != nil {
		return err
	}
	in, err := g.read(ctx, streams)
	if err != nil {
		return err
	}
	g.sayScope(streams, in)
	if err := g.lookUp(ctx, streams, in); err != nil {
		return err
	}
	upgrade, err := g.upgrade(ctx, in.snapshot, target)
	if err != nil {
		return err
	}
	g.params.Upgrade = upgrade
	d, err := g.judge(ctx, in)
	if err != nil {
		return err
	}
	r := g.build(d, started, streams)
	r.Gate = report.GateOf(upgrade, d.results)
	r.Gate.Only = g.only()
	if g.before != nil {
		compare(r, g.before, streams)
	}
	r.Decide(g.failOn, g.allowIncomplete)
	if err := write(g.outs, r, streams, g.color, g.failOn); err != nil {
		return err
	}
	return verdict(r, g.failOn, g.allowIncomplete)
}

// upgrade finds what is upgraded, and the way to the target.
func (g *gateOptions) upgrade(ctx context.Context, s *snapshot.Snapshot, target *target) (*checks.Upgrade, error) {
	in, err := g.installation(operator.Find(s.Deployments()))
	if err != nil {
		return nil, err
	}
	u := &checks.Upgrade{From: g.from, To: g.to, Installation: in}
	switch {
	case in == nil && g.from.IsZero():
		return nil, errors.New("no operator was seen: say with --from which release is installed")
	case in != nil && !in.Recognised && g.from.IsZero():
		return nil, fmt.Errorf("the operator %s states version %q, which is no release that this build knows: say with --from which one it is like", controllerName(in), in.Stated)
	case in != nil && in.Recognised && !g.from.IsZero() && g.from != in.Version:
		return nil, fmt.Errorf("--from says %s, but the operator %s is %s", g.from, controllerName(in), in.Version)
	case g.from.IsZero():
		u.From = in.Version
	}
	if u.Target, err = target.in(ctx, checks.ReleaseNamespace(u)); err != nil {
		return nil, err
	}
	u.Others = checks.OthersInRelease(s, u)
	u.Hops, err = operator.Path(u.From, u.To)
	return u, err
}

// only says to which part the flags narrow the question, so that nobody takes a go for the whole cluster's.
func (g *gateOptions) only() []string {
	var out []string
	for _, ns := range g.selection.Namespaces {
		out = append(out, "namespace "+ns)
	}
	if g.selector != "" {
		out = append(out, "what has labels "+g.selector)
	}
	switch {
	case len(g.checks) > 0:
		out = append(out, "checks "+strings.Join(g.checks, ", "))
	case len(g.skip) > 0:
		out = append(out, "checks other than "+strings.Join(g.skip, ", "))
	}
	return out
}

// installation chooses what is upgraded; nil if there is none.
func (g *gateOptions) installation(found []operator.Installation) (*operator.Installation, error) {
	found = slices.DeleteFunc(found, func(in operator.Installation) bool { return in.Controller == nil })
	var names []string
	for i := range found {
		names = append(names, controllerName(&found[i]))
		if g.operator == names[i] {
			return &found[i], nil
		}
	}
	switch {
	case g.operator != "" && len(found) == 0:
		return nil, fmt.Errorf("--operator %s: no operator was seen", g.operator)
	case g.operator != "":
		return nil, fmt.Errorf("--operator %s: the controllers that were seen are %s", g.operator, strings.Join(names, ", "))
	case len(found) > 1:
		return nil, fmt.Errorf("there are several operators: say with --operator which one is upgraded, %s", strings.Join(names, " or "))
	case len(found) == 0:
		return nil, nil
	default:
		return &found[0], nil
	}
}

func controllerName(in *operator.Installation) string {
	return in.Controller.Namespace + "/" + in.Controller.Name
}
