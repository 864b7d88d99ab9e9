package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes, the same for every output format.
const (
	exitClean      = 0
	exitFindings   = 1 // findings at or above --fail-on
	exitFailure    = 2 // usage, or failure to run
	exitIncomplete = 3 // a selected check could not look, or only in part
	exitRefused    = 4 // of fix and undo: refused, declined or stale
	// ExitInterrupted is for Ctrl-C, and for SIGTERM but for serve.
	ExitInterrupted = 130
)

// ErrTerminated is why a context ended on SIGTERM, with which a container is asked to end.
var ErrTerminated = errors.New("terminated")

// codeError ends a command with a code. Without a message nothing is printed.
type codeError struct {
	code    int
	message string
}

func (e *codeError) Error() string { return e.message }

// noOperatorError says that a cluster has nothing to do with the operator.
type noOperatorError codeError

func (e *noOperatorError) Error() string { return e.message }
func (e *noOperatorError) Unwrap() error { return (*codeError)(e) }

func exitOf(err error) (int, string) {
	var coded *codeError
	switch {
	case err == nil:
		return exitClean, ""
	case errors.As(err, &coded):
		return coded.code, coded.message
	default:
		return exitFailure, "error: " + err.Error()
	}
}

func usageError(cmd *cobra.Command, err error) error {
	return &codeError{exitFailure, fmt.Sprintf("error: %v\nSee '%s -h' for help and examples", err, cmd.CommandPath())}
}

func interrupted(err error) error {
	var coded *codeError
	if errors.As(err, &coded) && (coded.code == ExitInterrupted || coded.code == exitClean) {
		return err
	}
	return &codeError{ExitInterrupted, "interrupted"}
}
