package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// queueWords are about applications that a queue holds back.
func queueWords(c *cause.Cause) (Phrase, bool) {
	d, is := c.Detail.(mechanism.QueueHolds)
	if !is {
		return Phrase{}, false
	}
	said := sentence(d.Said)
	next := command.Do("wait, raise the quota of queue %s, or ask for fewer executors", d.Queue).On("describe", c.Subject)
	says := fmt.Sprintf("Kueue holds the application suspended in queue %s until its quota has room: %s", d.Queue, said)
	if d.Never {
		next = command.Do("raise spec.capability of queue %s, or ask for fewer executors", d.Queue).On("describe", c.Subject)
	}
	switch {
	case d.Hold == mechanism.HeldEvicted:
		says = fmt.Sprintf("Kueue evicted the application from queue %s (%s): %s", d.Queue, d.Reason, said)
	case d.Hold == mechanism.HeldAsGroup:
		says = fmt.Sprintf("the batch scheduler holds the application in queue %s back (%s): %s", d.Queue, d.Reason, said)
	case d.Hold == mechanism.HeldStopped:
		says = fmt.Sprintf("Kueue holds the application suspended in queue %s: %s (stopPolicy)", d.Queue, said)
		next = command.Do("ask the owner of the ClusterQueue why it is stopped, or set its spec.stopPolicy to None")
	case d.Hold == mechanism.HeldInvalid:
		says = fmt.Sprintf("Kueue cannot admit the application to queue %s: %s", d.Queue, said)
		if d.Gated {
			says += "; the driver pod keeps its scheduling gate (SchedulingGated)"
		}
		next = inadmissible(c, &d)
	case d.Preempted:
		says = fmt.Sprintf("Kueue preempted the application (%s) and holds it suspended in queue %s until its quota has room: %s",
			sentence(d.ForWhat), d.Queue, said)
	}
	return Phrase{Says: says, Do: []command.Command{next}}, true
}

// inadmissible is what to do about a queue that lets nothing in, whatever its quota has room for.
func inadmissible(c *cause.Cause, d *mechanism.QueueHolds) command.Command {
	in := c.Subject.Namespace
	label := "label kueue.x-k8s.io/queue-name"
	if d.Label != "" {
		label += " of " + d.Label
	}
	switch {
	case d.Absent == "LocalQueue":
		return command.Do("name a LocalQueue that exists in %s, or create LocalQueue %s in namespace %s", label, d.Queue, in).
			With("kubectl -n %s get localqueues", in)
	case d.Absent == "ClusterQueue":
		return command.Do("correct spec.clusterQueue of LocalQueue %s, or create that ClusterQueue", d.Queue).
			With("kubectl -n %s describe localqueue %s", in, d.Queue)
	case d.Inactive != "":
		return command.Do("resolve what the conditions of the %s say: it takes nothing, whatever its quota is", d.Inactive).
			With("kubectl -n %s describe localqueue %s", in, d.Queue)
	default:
		return command.Do("resolve what Kueue says: more quota does not help").On("describe", c.Subject)
	}
}
