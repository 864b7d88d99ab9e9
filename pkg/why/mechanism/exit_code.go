package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ExitCode is a driver of whose end no more is known than its exit code, and what its process left as its termination message. It is an
// effect: a log says why, or nothing does.
type ExitCode struct {
	Server bool      // it was the server of Spark Connect, not a driver
	Log    ServerLog // of a server
	Code   int
	Reason string // as the kubelet wrote it
	Says   string // by the process
	Plain  bool   // of a pod that Spark did not make
	Node   string // on which it ran; empty: not known
	Gone   bool   // the operator recorded it; the pod and its log are gone
}

// Mechanism names what was found.
func (ExitCode) Mechanism() cause.ID { return "exit-code" }

func exitCode(d *exited) cause.Cause {
	says := strings.TrimSpace(d.as.Message)
	exited := ExitCode{Code: d.end.Code, Reason: d.as.Reason, Says: says, Plain: app.RoleOf(d.pod) == "",
		Node: d.pod.Spec.NodeName}
	c := d.likely(cause.Unknown, cause.ByContainer, exited, ofCode(d.end.Code))
	c.Effect = true
	if tellsOfMemory(says) {
		c.Topics |= cause.Memory
	}
	return *c
}

// ExitMeaning is what an exit code says by itself, as a rule.
type ExitMeaning int

// What exit codes mean.
const (
	OtherExit      ExitMeaning = iota // whatever the process made of it
	NeverRan                          // the runtime could not start the container, and made up the code
	BySignal                          // SIGKILL or SIGTERM, by the convention of shells
	CommandMissing                    // a command is missing or does not run (POSIX, 2.8.2 Exit Status for Commands)
	ClassMissing                      // spark-submit did not find the main class
)

// MeaningOf tells what it means, with the reason that the kubelet wrote. Any program may use these codes, too: 101 is spark-submit's
// (core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.5, CLASS_NOT_FOUND_EXIT_STATUS).
func MeaningOf(code int, reason string) ExitMeaning {
	switch {
	case reason == "StartError", reason == "ContainerCannotRun", reason == "RunContainerError":
		return NeverRan
	case code == 137, code == 143:
		return BySignal
	case code == 126, code == 127:
		return CommandMissing
	case code == 101:
		return ClassMissing
	default:
		return OtherExit
	}
}

// Exit is whether the container of Spark ended, and how by its exit code.
type Exit int

// How it ended.
const (
	NotEnded Exit = iota
	EndedWell
	EndedBadly
	EndUnknown // the kubelet lost it: its exit code is not that of a process
)

// ExitOf is how the container of Spark in a pod ended.
func ExitOf(p *corev1.Pod) Exit {
	c := app.Container(p)
	switch {
	case c == nil || c.State.Terminated == nil:
		return NotEnded
	case c.State.Terminated.Reason == StatusUnknown:
		return EndUnknown
	case c.State.Terminated.ExitCode == 0:
		return EndedWell
	default:
		return EndedBadly
	}
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
