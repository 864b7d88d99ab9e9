package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ofRuns says how the operator, or a schedule, starts one run after the other, or does not.
func ofRuns(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.RunRepeats:
		return Phrase{Says: fmt.Sprintf("the operator runs it again after each success, as restartPolicy Always asks: attempt %d, %s",
			d.Attempt, phrase.Counted(d.Completed, "success")+" recorded of late"),
			Do: []command.Command{command.Do("set spec.restartPolicy.type to OnFailure, or to Never, if it is to run once")}}, true
	case mechanism.ScheduleWaits:
		return Phrase{Says: fmt.Sprintf("schedule %s has started nothing for %s, while %s or more were due: concurrencyPolicy Forbid waits "+
			"for this run, which takes %s already", d.Schedule, age(d.Late), phrase.Counted(d.Missed, "run"), age(d.For)),
			Do: endRun(c, d)}, true
	default:
		return Phrase{}, false
	}
}

// endRun is what to do about a run that a schedule waits for. What is at work is not to be ended.
func endRun(c *cause.Cause, d mechanism.ScheduleWaits) []command.Command {
	if d.AtWork {
		return []command.Command{command.Do("give the run more executors or less to do, or start it less often: its tasks finish, " +
			"and the schedule goes on when it ends")}
	}
	return []command.Command{
		command.Do("find out why the run does not end: a stream ends by itself only with trigger availableNow"),
		command.Do("end it, and the schedule goes on").With("kubectl -n %s delete sparkapplication %s", c.Subject.Namespace, c.Subject.Name),
	}
}
