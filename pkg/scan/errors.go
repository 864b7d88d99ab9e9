package scan

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// EmptyError says that the subjects do not exist: "no findings" about nothing would look like health.
type EmptyError struct{ message string }

func (e *EmptyError) Error() string { return e.message }

func empty(format string, args ...any) error { return &EmptyError{fmt.Sprintf(format, args...)} }

// NoOperatorError says that a cluster has nothing to do with the operator.
type NoOperatorError struct{ Server string }

func (e *NoOperatorError) Error() string {
	return "no Spark Operator found in " + e.Server + ": neither its CRDs nor its Deployments are there (is this the right context?)"
}

// InterruptedError says which views were not read to their end when the context ended.
type InterruptedError struct {
	Needed int // how many views the checks need
	Unread []snapshot.View
	Err    error // of the context
}

func (e *InterruptedError) Error() string {
	if len(e.Unread) == 0 {
		return "interrupted; nothing was judged\nnot looked at: what the listings name (owners, confirmations)"
	}
	var names []string
	for _, v := range e.Unread[:min(len(e.Unread), shownUnread)] {
		resource, _, _ := strings.Cut(string(v), ".") // a line has no place for groups
		names = append(names, resource)
	}
	missing := strings.Join(names, ", ")
	if more := len(e.Unread) - len(names); more > 0 {
		missing += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("interrupted after %d of %d kinds of objects were read; nothing was judged\nnot looked at: %s",
		e.Needed-len(e.Unread), e.Needed, missing)
}

// shownUnread is how many views the line about an interruption names.
const shownUnread = 2

// Unwrap returns the error of the context.
func (e *InterruptedError) Unwrap() error { return e.Err }

// fewNames is how many names a line for people has at most.
const fewNames = 10

// few lists names, of hundreds the first ten.
func few(names []string) string {
	if len(names) <= fewNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:fewNames], ", "), len(names)-fewNames)
}
