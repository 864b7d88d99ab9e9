package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// goneWords are about drivers that are gone, are going, or are there although they should not be.
func goneWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.Deletion:
		return Phrase{deletion(d), []command.Command{command.Do("search the API server's audit log for who deleted it: verb "+
			"delete, resource pods, name %s", c.Subject.Name)}}, true
	case mechanism.PodPruned:
		return podPruned(&d), true
	case mechanism.NodeNotReady:
		return notReadyWords(d), true
	case mechanism.DriverNotFound:
		return notFoundWords(c, d), true
	case mechanism.DriverUnseen:
		return Phrase{Says: fmt.Sprintf("%s, but no driver pod %q was seen", d.State, c.Subject.Name)}, true
	case mechanism.DriverGone:
		return Phrase{Says: driverGone(d)}, true
	case mechanism.StillRuns:
		says := fmt.Sprintf("marked %s (%s), but driver pod %s runs%s with %s", d.State, sentence(d.Says), c.Subject.Name, lasting(d.For),
			phrase.Counted(d.Executors, "executor"))
		if d.Created > 0 {
			says += fmt.Sprintf("; it was created%s after the operator gave up", said(d.Created, " ", ""))
		}
		return Phrase{says, []command.Command{command.Do("follow the driver's log: the job may well succeed").On("logs", c.Subject),
			command.Do("do not submit it again while this driver runs: both would write")}}, true
	default:
		return Phrase{}, false
	}
}

func deletion(d mechanism.Deletion) string {
	switch d.NodeIs {
	case mechanism.NodeLeftService:
		return fmt.Sprintf("the driver was ended (SIGTERM) when node %s left service: %s", d.Node, sentence(d.Says))
	case mechanism.NodeDrains:
		return fmt.Sprintf("the driver was ended (SIGTERM), and its node %s is being drained: it is cordoned or not ready", d.Node)
	case mechanism.NodeStays:
		return fmt.Sprintf("the driver pod was deleted while it ran (SIGTERM); node %s is ready and not cordoned, and no event tells of "+
			"an eviction: a user or a controller most likely did it", d.Node)
	}
	says := "the driver pod was deleted while it ran (SIGTERM)"
	if d.Code != 0 {
		says = fmt.Sprintf("the driver pod was deleted while it ran (SIGTERM, exit code %d)", d.Code)
	}
	switch d.By {
	case mechanism.WithApplication:
		says += "; the application itself is being deleted"
	case mechanism.ToSuspend:
		says += ": the operator deleted it to suspend the application"
	case mechanism.ToRestart:
		says += fmt.Sprintf(": the operator restarts the job because its spec was changed (generation %d)", d.Generation)
	case mechanism.Directly:
		says += "; the pod has no condition DisruptionTarget, so a user or a controller deleted it directly"
	default:
		says += "; the pod's conditions are gone, so a user, a drain and an eviction look alike"
	}
	if d.Preempted {
		says += "; a preemption cannot be excluded, as it has a priority class"
	}
	return says
}

func notReadyWords(d mechanism.NodeNotReady) Phrase {
	who := mainName(d.Server)
	if !d.Seen {
		return Phrase{fmt.Sprintf("node %s of the %s has been NotReady%s; the %s is lost unless the node comes back", d.Node, who,
			lasting(d.For), who), []command.Command{command.Do("check node %s", d.Node).With("kubectl describe node %s", d.Node)}}
	}
	state := "still runs there by its status"
	if d.Deleting {
		state = "is stuck terminating (marked for deletion)"
	}
	return Phrase{fmt.Sprintf("node %s of the %s has been NotReady%s (%s); the %s %s", d.Node, who, lasting(d.For), sentence(d.Says), who,
		state), []command.Command{command.Do("repair node %s, or delete the Node so that the pod is removed", d.Node).With(
		"kubectl describe node %s", d.Node)}}
}

func notFoundWords(c *cause.Cause, d mechanism.DriverNotFound) Phrase {
	pod := c.Subject.Name
	if d.TooSoon {
		return Phrase{fmt.Sprintf("marked %s because the operator did not find driver pod %q %s after it was submitted, before any container "+
			"of it ran: it did not know of the pod yet, or something deleted it at once", d.State, pod, d.After), []command.Command{
			command.Do("submit it again, and ask the audit log of the API server who deletes pods of drivers if it happens again")}}
	}
	says := fmt.Sprintf("marked %s because driver pod %q was gone when the operator looked; the operator did not see how the driver "+
		"ended, the job may have succeeded", d.State, pod)
	if d.Stopped > 0 {
		says += fmt.Sprintf("; its executors were stopped%s before, when the run was over", said(d.Stopped, " ", ""))
	}
	if c.Class == cause.Unknown {
		return Phrase{says, []command.Command{command.Do("look at what the job writes to see whether it succeeded, and search the API "+
			"server's audit log for who deleted pod %s", pod)}}
	}
	return Phrase{says, []command.Command{command.Do("look into what the job writes for its result")}}
}

func driverGone(d mechanism.DriverGone) string {
	switch {
	case d.Says != "":
		return sentence(d.Says) + "; the driver's pod and its log are gone"
	case d.Held:
		return "the driver's pod, its log and its events are gone; it is in PENDING_RERUN, and nothing that was seen says why the operator " +
			"does not go on"
	default:
		return "the driver's pod, its log and its events are gone"
	}
}
