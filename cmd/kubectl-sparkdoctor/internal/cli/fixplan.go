package cli

import (
	"context"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// readPlan reads the plan file, if there is one. It runs before anything is asked of the cluster: a mistake in the file needs none.
func (o *fixOptions) readPlan(ctx context.Context) (plan.Plan, error) {
	if o.plan == "" {
		return plan.Plan{}, nil
	}
	in, err := input.Open(ctx, o.plan)
	if err != nil {
		return plan.Plan{}, err
	}
	defer func() { _ = in.Close() }()
	p, err := plan.ReadPlan(in)
	switch {
	case is[*fix.Refused](err):
		return plan.Plan{}, refusal("%s: %v", o.plan, err)
	case err != nil:
		return plan.Plan{}, fmt.Errorf("%s %w", o.plan, err)
	}
	return p, nil
}
