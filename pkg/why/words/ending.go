package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// mostOfLine is how many bytes of a line stand beside a verdict.
const mostOfLine = 900

// Complaint is an error that was survived: its line, its exception, and the frame of the application.
func Complaint(c *logs.Complaint) string {
	if c.Root == (logs.Throwable{}) {
		return c.Line
	}
	says := c.Line + ": " + throwable(c.Root)
	if c.Frame != (logs.Place{}) {
		says += " at " + c.Frame.String()
	}
	return logs.Shortened(says, mostOfLine)
}

// OfEnd is why a pod or its process ended, in a few words.
func OfEnd(w mechanism.EndReason) string {
	switch w.Kind {
	case mechanism.OOMKilled:
		return "OOMKilled"
	case mechanism.Evicted:
		return "evicted by the kubelet"
	case mechanism.Preempted:
		return "preempted"
	case mechanism.Drained:
		return "node drain"
	case mechanism.Descheduled:
		return "evicted by the descheduler"
	case mechanism.NodeLost:
		return "node lost"
	case mechanism.JVMMemory:
		return "out of memory in the JVM (exit code 52)"
	case mechanism.Deadline:
		return "deadline"
	case mechanism.Exited:
		return fmt.Sprintf("exited with %d", w.Code)
	case mechanism.Rejected:
		return "rejected by the kubelet"
	case mechanism.Terminated:
		return "terminated"
	case mechanism.Unstarted:
		return "could not be started"
	default:
		return w.Word
	}
}
