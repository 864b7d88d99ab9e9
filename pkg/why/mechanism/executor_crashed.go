package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// lostPeer matches what a process says whose peer went away in the middle: errno ECONNRESET is 104, EPIPE 32 (bminor/glibc
// sysdeps/gnu/errlist.h@glibc-2.36).
var lostPeer = lazyregexp.New(`(?i)(?:socket|connection|network|peer|pipe|broken|recv|send)\b.*(?:reset|closed|refused|lost|broken|` +
	`error|fail)|(?:reset|closed|refused|lost) .*(?:connection|peer|socket)`)

// peerMissed is how long after the crash of an executor another may take to miss it.
const peerMissed = 5 * time.Minute

// ExecutorCrashed reports whether the log of an executor has the report of a JVM that crashed.
func ExecutorCrashed(c *cause.Cause) bool {
	f, _ := c.Detail.(logs.Failure)
	_, crashed := f.Meaning.(logs.JVMCrashed)
	return crashed && c.Trust == cause.ByExecutorLog && !c.At.IsZero()
}

// MissesPeer reports whether a log tells of a connection that broke soon after a time.
func MissesPeer(c *cause.Cause, crash time.Time) bool {
	f, is := c.Detail.(logs.Failure)
	if !is || c.At.IsZero() {
		return false
	}
	after := c.At.Sub(crash)
	soon := after >= 0 && after <= peerMissed
	return soon && lostPeer.MatchString(f.Root.Class+": "+f.Root.Message)
}
