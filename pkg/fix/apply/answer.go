package apply

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// answer is what the error of a request says about what happened.
type answer int

const (
	carriedOut answer = iota
	moved             // the object is not as the step was resolved for: look again
	unanswered        // it may have been carried out: look again
	tooBusy           // it was not carried out, and may be later
	denied            // the server said no for good
)

// answerOf reads an error. A test of a JSON patch that does not hold is 422 without more, as is a patch that makes an
// object invalid (k8s.io/apiserver pkg/endpoints/handlers/patch.go): who looks again can tell.
func answerOf(err error) answer {
	var status apierrors.APIStatus
	var spec *respecced
	var other *altered
	var record *unrecorded
	var table *forbidden
	var elsewhere *apiserver.Redirect
	switch {
	case err == nil:
		return carriedOut
	case errors.As(err, &spec), errors.As(err, &other), errors.As(err, &record), errors.As(err, &table):
		return denied
	case errors.As(err, &elsewhere) && !elsewhere.Seen:
		return denied
	case apierrors.IsConflict(err), apierrors.IsNotFound(err), apierrors.IsGone(err), isUnprocessable(err):
		return moved
	case apierrors.IsTooManyRequests(err):
		return tooBusy
	case !errors.As(err, &status), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsUnexpectedServerError(err):
		return unanswered
	case status.Status().Code >= 500:
		return unanswered
	default:
		return denied
	}
}

// isUnprocessable is a test that does not hold, or what makes an object invalid.
func isUnprocessable(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code == 422
}

// endOf is how the record names it.
func endOf(a answer) plan.End {
	switch a {
	case carriedOut:
		return plan.Written
	case unanswered:
		return plan.Unknown
	default:
		return plan.Failed
	}
}

// maxAttempts bounds how often an object is looked at again because it moved.
const maxAttempts = 5

// pause waits before the next attempt, longer each time, or as long as the server asks.
func pause(ctx context.Context, attempt int, err error) error {
	d := 200 * time.Millisecond << attempt
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		d = min(time.Duration(seconds)*time.Second, 30*time.Second)
	}
	return sleep(ctx, d)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
