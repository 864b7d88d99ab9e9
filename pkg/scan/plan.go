package scan

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// PlanOptions say what is asked of each operator: GateOptions with To for one target, without it for every reachable release.
type PlanOptions struct {
	GateOptions
	FailOn          string // severity from which a finding is a no-go
	AllowIncomplete bool
}

// Plan asks the gate of every operator of a source, of each release that it can be upgraded to. The source is read once.
func Plan(ctx context.Context, o PlanOptions) ([]report.PlanRow, time.Time, error) {
	r, err := o.start(checks.OfGate)
	if err != nil {
		return nil, time.Time{}, err
	}
	values, err := o.readValues(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	in, err := r.look(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	names, err := o.planned(in.snapshot)
	if err != nil {
		return nil, time.Time{}, err
	}
	var rows []report.PlanRow
	for _, name := range names {
		o.Controller = name
		row, err := o.row(ctx, r, in, values)
		if err != nil {
			return nil, time.Time{}, err
		}
		rows = append(rows, row)
	}
	return rows, in.snapshot.TakenAt, nil
}

// planned are the controllers of a source, or the one that was asked for; an empty name where a flag says what is installed.
func (o PlanOptions) planned(s *snapshot.Snapshot) ([]string, error) {
	if o.Controller != "" || o.From != (operator.Name{}) {
		in, err := o.installation(operator.Find(s.Deployments()))
		if err != nil || in == nil {
			return []string{""}, err
		}
		return []string{controllerName(in)}, nil
	}
	var names []string
	for _, in := range operator.Find(s.Deployments()) {
		if in.Controller != nil {
			names = append(names, controllerName(&in))
		}
	}
	if len(names) == 0 {
		return nil, errNoOperator()
	}
	return names, nil
}

// row asks about one operator.
func (o PlanOptions) row(ctx context.Context, r *run, in input, values helm.Values) (report.PlanRow, error) {
	row := report.PlanRow{Controller: o.Controller, Targets: []report.PlanTarget{}}
	found, err := o.installation(operator.Find(in.snapshot.Deployments()))
	if err != nil {
		return row, err
	}
	if found != nil && !found.Recognised && o.From == (operator.Name{}) {
		row.Installed = found.Stated
		row.Unknown(unknownRelease(found))
		return row, nil
	}
	from, err := o.from(found)
	if err != nil {
		return row, err
	}
	row.Installed = from.String()
	for _, to := range o.targets(from.Application) {
		o.To = to
		u, err := o.upgrade(ctx, in, nil, values)
		if err != nil {
			return row, err
		}
		one := *r
		one.Params.Upgrade = u
		d, err := one.judge(ctx, in)
		if err != nil {
			return row, err
		}
		r.settled = one.settled
		out := d.Report()
		out.Gate = report.GateOf(u, d.Results)
		out.Decide(o.FailOn, o.AllowIncomplete)
		row.Targets = append(row.Targets, out.PlanTarget(o.FailOn))
	}
	row.Choose()
	return row, nil
}

// targets are the releases that are asked about.
func (o PlanOptions) targets(from operator.Version) []operator.Version {
	all := operator.Reachable(from)
	if o.To.IsZero() {
		return all
	}
	return slices.DeleteFunc(all, func(v operator.Version) bool { return v != o.To })
}

// unknownRelease says why an installed build is not judged.
func unknownRelease(in *operator.Installation) string {
	if in.Newer() {
		return fmt.Sprintf("the installed release is newer than what this build knows (%s); a newer build may know where to go: %s",
			operator.Known(), operator.NewerBuilds)
	}
	return "this build does not know the installed version; pass --from with the release it is based on"
}
