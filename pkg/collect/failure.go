package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// errNotServed says that the API server does not know a kind.
var errNotServed = errors.New("not served")

// errCutShort says that an answer ended in the middle.
var errCutShort = errors.New("the answer was cut short")

// errSlow says that an answer was on its way when the time of a request was up.
var errSlow = errors.New("timed out while the answer arrived (--request-timeout)")

// errTooMany and errLongPage say that a listing holds more than any cluster has.
var (
	errTooMany  = fmt.Errorf("gave up after %d objects, more than sparkdoctor reads in one listing", maxItems)
	errLongPage = fmt.Errorf("gave up on a page of more than %d MiB", maxPageBytes>>20)
)

// reasonOf says in a few words why something could not be read; it ends up in reports.
func reasonOf(err error) string {
	err = apiserver.Named(err)
	var status apierrors.APIStatus
	var netErr net.Error
	switch {
	case apierrors.IsForbidden(err):
		return snapshot.Forbidden
	case apierrors.IsUnauthorized(err):
		return "unauthorized"
	case apierrors.IsTooManyRequests(err):
		return "the API server answered 429 Too Many Requests until the retries were used up"
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return "the listing expired (410 Gone) before its last page"
	case errors.As(err, &netErr) && netErr.Timeout(), errors.Is(err, context.DeadlineExceeded),
		apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		return "timed out"
	case errors.Is(err, errCutShort):
		return errCutShort.Error()
	case errors.Is(err, errSlow):
		return errSlow.Error()
	case errors.As(err, &status):
		return oneLine(status.Status().Message)
	default:
		return oneLine(unwrapURL(err).Error())
	}
}

// obstacleOf is what kind of error it is.
func obstacleOf(err error) snapshot.Obstacle {
	var netErr net.Error
	switch {
	case apierrors.IsForbidden(err):
		return snapshot.Refused
	case apierrors.IsUnauthorized(err):
		return snapshot.LoggedIn
	case apierrors.IsTooManyRequests(err):
		return snapshot.Busy
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return snapshot.Expired
	case errors.As(err, &netErr) && netErr.Timeout(), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errSlow),
		apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		return snapshot.TimedOut
	case errors.Is(err, errCutShort):
		return snapshot.CutShort
	default:
		return ""
	}
}

// UnreachableError says that nothing answered at the address of an API server.
type UnreachableError struct {
	Host   string
	Reason string // of the connection that failed; empty: it timed out
}

func (e *UnreachableError) Error() string {
	if e.Reason == "" {
		return "unable to connect to the server " + e.Host + ": timed out"
	}
	return "the connection to the server " + e.Host + " failed: " + e.Reason + " - did you specify the right host or port?"
}

// Explain words an error that keeps a scan from running at all, the way kubectl does.
func Explain(err error, host string) error {
	err = apiserver.Named(err)
	var netErr net.Error
	var op *net.OpError
	switch {
	case apierrors.IsUnauthorized(err):
		return errors.New("you must be logged in to the server (Unauthorized): the token may have expired")
	case apierrors.IsForbidden(err):
		return errors.New("error from server (Forbidden): not allowed to discover what it serves " +
			"(get /api and /apis; ClusterRole system:discovery)")
	case errors.As(err, &netErr) && netErr.Timeout():
		return &UnreachableError{Host: host}
	case errors.As(err, &op) && op.Op == "dial":
		return &UnreachableError{Host: host, Reason: oneLine(op.Err.Error())}
	default:
		return fmt.Errorf("unable to read from the server %s: %s", host, oneLine(unwrapURL(err).Error()))
	}
}

func unwrapURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// undecodable names an object of a listing that could not be decoded, as far as its metadata tells; its namespace is that of the
// listing where it names none.
func undecodable(resource, namespace string, record snapshot.Record, err error) snapshot.Unseen {
	u := snapshot.Unseen{Verb: snapshot.DecodeVerb, Resource: resource, Namespace: namespace, Reason: err.Error()}
	if app, ok := record.(*snapshot.SparkApplication); ok {
		u.Namespace, u.Name = cmp.Or(app.Namespace, namespace), app.Name
	}
	return u
}
