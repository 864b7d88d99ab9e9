package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ExitCode is a driver of whose end no more is known than its exit code, and what its process left as its termination message. It is an
// effect: a log says why, or nothing does.
type ExitCode struct {
	Code   int
	Reason string // as the kubelet wrote it
	Says   string // by the process
	Gone   bool   // the operator recorded it; the pod and its log are gone
}

// Mechanism names what was found.
func (ExitCode) Mechanism() cause.ID { return "exit-code" }

func exitCode(d *exited) cause.Cause {
	says := strings.TrimSpace(d.as.Message)
	c := d.likely(cause.Unknown, cause.ByContainer, ExitCode{Code: d.end.Code, Reason: d.as.Reason, Says: says}, ofCode(d.end.Code))
	c.Effect = true
	if tellsOfMemory(says) {
		c.Topics |= cause.Memory
	}
	return *c
}

// ofCode is what an exit code may be about: 137 is SIGKILL, by which limits of memory are kept, 52 is SparkExitCode.OOM.
func ofCode(code int) cause.Topics {
	switch code {
	case 52:
		return cause.Exit52
	case 137:
		return cause.OwnLimit | cause.Killed
	default:
		return 0
	}
}

// tellsOfMemory reports whether the last words of a process are about memory.
func tellsOfMemory(says string) bool {
	lower := strings.ToLower(says)
	return slices.ContainsFunc([]string{"memory", "heap", "gc ", "metaspace"}, func(word string) bool { return strings.Contains(lower, word) })
}
