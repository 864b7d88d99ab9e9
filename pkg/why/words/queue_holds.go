package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
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
	reopen := command.Do("ask the owner of the ClusterQueue why it is stopped, or set its spec.stopPolicy to None")
	says := fmt.Sprintf("Kueue holds the application suspended in queue %s until its quota has room: %s", d.Queue, said)
	if d.Never {
		next = command.Do("raise spec.capability of queue %s, or ask for fewer executors", d.Queue).On("describe", c.Subject)
	}
	switch {
	case d.Hold == mechanism.HeldEvicted:
		says = fmt.Sprintf("Kueue evicted the application from queue %s (%s): %s", d.Queue, d.Reason, said)
	case d.Hold == mechanism.HeldDrained:
		says, next = fmt.Sprintf("Kueue evicted the application from queue %s (%s): %s", d.Queue, d.Reason, said), reopen
	case d.Hold == mechanism.HeldAsGroup:
		says = fmt.Sprintf("the batch scheduler holds the application in queue %s back (%s): %s", d.Queue, d.Reason, said)
	case d.Hold == mechanism.HeldStopped:
		says = fmt.Sprintf("Kueue holds the application suspended in queue %s: %s (stopPolicy)", d.Queue, said)
		next = reopen
	case d.Hold == mechanism.HeldInvalid:
		says = fmt.Sprintf("Kueue cannot admit the application to queue %s: %s", d.Queue, said) + closedWords(&d.Closed)
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

// closedWords say why a queue takes nothing, by its own condition.
func closedWords(d *mechanism.Closed) string {
	switch {
	case d.Reason == "":
		return ""
	case len(d.Missing) > 0:
		return fmt.Sprintf(" (%s), since it refers to %s, which %s", d.Reason, flavors(d.Missing),
			phrase.Verb(len(d.Missing), "does not exist", "do not exist"))
	default:
		return fmt.Sprintf(" (%s): %s", d.Reason, sentence(d.Said))
	}
}

func flavors(names []string) string {
	return phrase.Verb(len(names), "ResourceFlavor ", "ResourceFlavors ") + strings.Join(names, ", ")
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
	case len(d.Closed.Missing) > 0:
		return command.Do("create %s, or let spec.resourceGroups of ClusterQueue %s name one that exists",
			flavors(d.Closed.Missing), d.Named).With("kubectl describe clusterqueue %s", d.Named)
	case d.Inactive == "ClusterQueue":
		return command.Do("resolve what the conditions of the ClusterQueue say: it takes nothing, whatever its quota is").
			With("kubectl describe clusterqueue %s", d.Named)
	case d.Inactive != "":
		return command.Do("resolve what the conditions of the %s say: it takes nothing, whatever its quota is", d.Inactive).
			With("kubectl -n %s describe localqueue %s", in, d.Queue)
	default:
		return command.Do("resolve what Kueue says: more quota does not help").On("describe", c.Subject)
	}
}
