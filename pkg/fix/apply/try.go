package apply

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// respecced is the error of a write that would change an application's spec along with what it is for.
type respecced struct{ object string }

func (e *respecced) Error() string {
	return fmt.Sprintf("the operator's webhook would change the spec of %s along with it, and the operator would stop the job and submit "+
		"it again", e.object)
}

// altered is the error of a write that was carried out otherwise than it was sent.
type altered struct {
	object string
	fields []string
	spec   bool
}

func (e *altered) Error() string {
	fields := strings.Join(e.fields, ", ")
	if e.spec {
		return fmt.Sprintf("the spec of %s changed with the write (%s): an admission webhook changed it on the write alone, or another client "+
			"did at that moment, and the operator stops the job and submits it again", e.object, fields)
	}
	return fmt.Sprintf("the API server took the write of %s and answered with other values (%s): an admission webhook changed them", e.object,
		fields)
}

// alteredBy holds the answer to a write against what was sent.
func alteredBy(s fix.Step, fresh fix.Fresh, answer *fix.Object) error {
	if fields := s.Respecced(fresh.Object(s.Target), answer); len(fields) > 0 {
		return &altered{s.Target.String(), fields, true}
	}
	if fields := s.Unlike(answer); len(fields) > 0 {
		return &altered{s.Target.String(), fields, false}
	}
	return nil
}

// unrecorded is the error of a record that cannot be written: nothing more is sent.
type unrecorded struct{ error }

// forbidden is the error of a step that the table does not allow: it is never sent.
type forbidden struct{ error }

// try has the server carry a step out without keeping it. What the webhooks of the operator make of the write is seen
// only that way: a metadata patch passes its defaulting webhook too (internal/webhook/sparkapplication_defaulter.go@v2.5.2).
func (c *Client) try(ctx context.Context, s fix.Step, fresh fix.Fresh) error {
	after, err := c.send(ctx, s, true)
	if err != nil || !s.OnSparkObject() {
		return err
	}
	if len(s.Respecced(fresh.Object(s.Target), after)) > 0 {
		return &respecced{s.Target.String()}
	}
	return nil
}

// Preflight has the server try, before anything is written, those steps of a plan that admission may change, or refuse
// for lack of a permission that no access review tells of. It returns what it said of each fix that it would not take.
// Fixes that wait for others are not tried.
func (r *Runner) Preflight(ctx context.Context, p plan.Plan) map[int]error {
	out := map[int]error{}
	for _, f := range p.Applicable() {
		if len(f.After) > 0 || !slices.ContainsFunc(f.Steps, tried) {
			continue
		}
		if err := r.preflight(ctx, f); err != nil {
			out[f.ID] = err
		}
	}
	return out
}

// tried reports whether a step goes with dryRun first.
func tried(s fix.Step) bool { return s.OnSparkObject() || s.ChangesOwners() }

func (r *Runner) preflight(ctx context.Context, f plan.Fix) error {
	intent := f.Intent(false)
	fresh, err := r.Client.Fetch(ctx, fix.TraitsOf(intent).Reads)
	if err != nil {
		return nil //nolint:nilerr // told when it is applied, as is what follows
	}
	steps, err := fix.Resolve(intent, fresh)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	for _, s := range steps {
		if err := r.Client.try(ctx, s, fresh); answerOf(err) == denied {
			return err
		}
	}
	return nil
}

// Forbids reports whether an error says that the user may not, rather than that nobody may: a webhook that denies answers
// 403, too (k8s.io/apiserver pkg/admission/plugin/webhook/errors/statuserror.go).
func Forbids(err error) bool {
	return apierrors.IsForbidden(err) && !strings.Contains(err.Error(), "admission webhook")
}
