package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// who are the pods that have not started, as the subject of a sentence, after what is said of those that run.
func who(w mechanism.Waiting) string {
	if w.Who.Role == cause.ExecutorRole {
		return others(w.Others) + fmt.Sprintf("%d of %d executors", w.Who.N, w.Who.Of)
	}
	return "the " + driver(w.Who.Server)
}

// driver is what the driver is called: Spark Connect has a server.
func driver(server bool) string {
	if server {
		return "server"
	}
	return "driver"
}

// others begins a sentence about executors that do not run with those that do.
func others(o mechanism.Others) string {
	if o.Running == 0 {
		return ""
	}
	if o.Stalled > 0 {
		return fmt.Sprintf("no task has finished for %s, with %d of %d executors: ", age(o.Stalled), o.Running, o.Of)
	}
	goes := "the job goes on"
	if o.Serve {
		goes = "queries go on"
	}
	return fmt.Sprintf("%d of %d executors run and %s without the rest: ", o.Running, o.Of, goes)
}

// are is the verb that goes with who: in the perfect, where it is known for how long.
func are(w mechanism.Waiting) string {
	several, lasts := w.Who.Role == cause.ExecutorRole, isKnown(w.For)
	switch {
	case several && lasts:
		return " have been "
	case several:
		return " are "
	case lasts:
		return " has been "
	default:
		return " is "
	}
}

// asks is what each of these pods wants.
func asks(w mechanism.Waiting) string {
	if w.Who.Role == cause.ExecutorRole {
		return "each asks for "
	}
	return "it asks for "
}

// cannot is that pods do not start, or did not while their run lasted.
func cannot(w mechanism.Waiting) string {
	if w.Over {
		return " could not start"
	}
	return " cannot start"
}

// pendingFor begins the sentence about pods that wait for a place.
func pendingFor(w mechanism.Waiting) string { return who(w) + are(w) + "pending" + lasting(w.For) }

func restarts(n int) string { return phrase.Counted(n, "restart") }
