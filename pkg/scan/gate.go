package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// GateOptions say which upgrade is asked about. Checks are those of a gate by default.
type GateOptions struct {
	Options
	From       operator.Name // zero if the source says it
	To         operator.Version
	Controller string // NAMESPACE/NAME of the Deployment that is upgraded; empty: there is only one
	Manifests  string // file of what will be installed, or - for Stdin; empty: only the chart's defaults are known
	Values     string // file of values, or - for Stdin; empty: not given. Manifests say more
	Release    bool   // read the newest revision of the Helm release from the Secrets of its namespace
	Stdin      io.Reader
}

// Gate reports what an upgrade of the operator breaks. What is a no-go is for Report.Decide to say.
func Gate(ctx context.Context, o GateOptions) (*report.Report, error) {
	r, err := o.start(checks.OfGate)
	if err != nil {
		return nil, err
	}
	target, err := o.readTarget(ctx)
	if err != nil {
		return nil, err
	}
	values, err := o.readValues(ctx)
	if err != nil {
		return nil, err
	}
	if target != nil {
		r.schemas = target.schemas
	}
	in, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	upgrade, err := o.upgrade(ctx, in, target, values)
	if err != nil {
		return nil, err
	}
	r.Params.Upgrade = upgrade
	d, err := r.judge(ctx, in)
	if err != nil {
		return nil, err
	}
	out := d.Report()
	out.Gate = report.GateOf(upgrade, d.Results)
	out.Gate.Only = r.only()
	return out, nil
}

// only says to which subjects the question is narrowed, so that a go for these is not taken for one of the whole cluster.
func (r *run) only() []string {
	var out []string
	for _, ns := range r.selection.Namespaces {
		out = append(out, "namespace "+ns)
	}
	if r.Subjects.Selector != "" {
		out = append(out, "what has labels "+r.Subjects.Selector)
	}
	return out
}

// upgrade finds what is upgraded, and the way to the target.
func (o GateOptions) upgrade(ctx context.Context, read input, target *target, values helm.Values) (*check.Upgrade, error) {
	s, plain := read.snapshot, read.source.Type == "files"
	in, err := o.installation(operator.Find(s.Deployments()))
	if err != nil {
		return nil, err
	}
	from, err := o.from(in)
	if err != nil {
		return nil, err
	}
	u := &check.Upgrade{From: from.Application, Chart: from.Chart, To: o.To, Installation: in}
	u.Applications = in == nil && plain && target == nil && values == nil && len(s.SparkApplications())+len(s.ScheduledSparkApplications()) > 0
	if u.Target, err = target.in(ctx, upgrade.ReleaseNamespace(u)); err != nil {
		return nil, err
	}
	if u.Release, err = o.readRelease(ctx, in); err != nil {
		return nil, err
	}
	u.Others = upgrade.OthersInRelease(s, u)
	switch {
	case u.Release != nil && u.Target == nil:
		upgrade.Give(s, u, u.Release.OfOperator(), true)
	case values != nil && !values.Has(upgrade.OperatorChart) && operator.ForeignValues(values, u.Umbrella()):
		u.ForeignValues = true
		o.note("--helm-values: no value is one of the operator's chart: of an umbrella chart they are below %s, or the alias of that "+
			"dependency; gate takes the operator's values for unknown", upgrade.OperatorChart)
	case values != nil:
		mine := values.Below(upgrade.OperatorChart)
		// The values of an umbrella chart that set nothing for the operator's are about its other charts.
		ofOperator := !u.Umbrella() || values.Has(upgrade.OperatorChart)
		if upgrade.Give(s, u, mine, ofOperator) {
			o.note("--helm-values: these are computed values (helm get values --all); those that equal the defaults of %s count as not set",
				u.Installed())
		}
	}
	u.Hops, err = operator.Path(u.From, u.To)
	return u, err
}

// from is the installed release: what the Deployment states, or what the user says where it states none.
func (o GateOptions) from(in *operator.Installation) (operator.Name, error) {
	given := o.From != operator.Name{}
	switch {
	case in == nil && !given:
		return operator.Name{}, errNoOperator()
	case in != nil && !in.Recognised && !given && in.Newer():
		return operator.Name{}, fmt.Errorf("the operator %s is %s, which is newer than what this build knows (%s); a newer build may know "+
			"it: %s", controllerName(in), in.Stated, operator.Known(), operator.NewerBuilds)
	case in != nil && !in.Recognised && !given:
		return operator.Name{}, fmt.Errorf("the operator %s reports version %q, which this build does not know; "+
			"pass --from with the release it is based on", controllerName(in), in.Stated)
	case in != nil && in.Recognised && given && !in.Release().Agrees(o.From):
		return operator.Name{}, fmt.Errorf("--from says %s, but the operator %s is %s", o.From, controllerName(in), in.Release())
	case in != nil && in.Recognised:
		return in.Release(), nil
	default:
		return o.From, nil
	}
}

func errNoOperator() error {
	return errors.New("no operator found; pass --from with the installed release")
}

// installation chooses what is upgraded; nil if there is none.
func (o GateOptions) installation(found []operator.Installation) (*operator.Installation, error) {
	found = slices.DeleteFunc(found, func(in operator.Installation) bool { return in.Controller == nil })
	var names []string
	for i := range found {
		names = append(names, controllerName(&found[i]))
		if o.Controller == names[i] {
			return &found[i], nil
		}
	}
	switch {
	case o.Controller != "" && len(found) == 0:
		return nil, fmt.Errorf("--operator %s: no operator found", o.Controller)
	case o.Controller != "":
		return nil, fmt.Errorf("--operator %s: not found; the controllers found are %s", o.Controller, strings.Join(names, ", "))
	case len(found) > 1:
		return nil, fmt.Errorf("several operators found; pass --operator with one of %s", strings.Join(names, " or "))
	case len(found) == 0:
		return nil, nil
	default:
		return &found[0], nil
	}
}

func controllerName(in *operator.Installation) string {
	return in.Controller.Namespace + "/" + in.Controller.Name
}
