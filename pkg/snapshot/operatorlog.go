package snapshot

import "time"

// Sign names what a line of the operator's own log tells. The texts by which the releases say it are in pkg/operator.
type Sign string

// The signs.
const (
	CertificateRefused  Sign = "certificate refused"   // a client ended the TLS handshake because of the certificate served
	CallFailed          Sign = "call failed"           // the API server's own words about a webhook that it could not call
	StartFailed         Sign = "start failed"          // the webhook's process gave up
	BundleNotWritten    Sign = "caBundle not written"  // the webhook may not write, or not lead
	ApplicationNotFound Sign = "application not found" // the webhook answered with an error, because it did not know the application
	HandlerPanicked     Sign = "handler panicked"      // the webhook broke a call off
	RequestTooLarge     Sign = "request too large"     // an object was refused for its size
	RunNotStarted       Sign = "run not started"       // the controller could not create the run of a schedule
)

// PodLogs is the resource that is read for logs.
const PodLogs = "pods/log"

// OperatorLog is what the log of one of the operator's containers tells, since the container started or as far back as
// was read. It is only asked for where the user wants it, and holds nothing but lines that are signs, without secrets.
type OperatorLog struct {
	Object    // the pod
	Container string
	Entries   []LogEntry // in order of sign and subject
}

// LogEntry is the lines of one sign about one subject. The times are those at which the kubelet received them.
type LogEntry struct {
	Sign        Sign
	About       string // "namespace/name" of an application, or the name of a webhook; empty where the line names none
	First, Last time.Time
	Count       int
	Text        string // of the last line, shortened
}

// Within reports whether lines may have been written between two times.
func (e LogEntry) Within(from, to time.Time) bool { return !e.Last.Before(from) && !e.First.After(to) }
