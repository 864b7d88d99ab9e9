package why

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// behindTrigger adds to a running application that its stream falls behind. That is no failure: it may catch up.
func (l driverLog) behindTrigger(v *mechanism.View, c *cause.Cause) {
	c.Message += "; a batch of its stream took longer than its trigger: " + l.Late
	c.Evidence = append(c.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver), Value: l.Late,
		At: l.LateAt})
	c.Next = append(c.Next, command.Do("if it does not catch up: give it more executors, read less at once (maxOffsetsPerTrigger, "+
		"maxFilesPerTrigger), or allow a longer trigger"))
}

// waits matches the words of a driver that gave up for the time that something took (core/src/main/scala/org/apache/spark/util/
// ThreadUtils.scala@v3.5.5, sql/core/src/main/scala/org/apache/spark/sql/execution/exchange/BroadcastExchangeExec.scala@v3.5.5).
var waits = regexp.MustCompile(`Could not execute broadcast in \d+ secs|Futures timed out after \[|\bTimeoutException\b`)

// waitedInVain is why a run that is over had no executors, where its driver complained of that until it gave up for the time: that follows.
func (l driverLog) waitedInVain(v *mechanism.View, byLogs []cause.Cause) []cause.Cause {
	if !l.Seen || l.Starved == "" || !l.Unreached || v.DriverRuns() {
		return nil
	}
	of := func(c cause.Cause) bool {
		return stands(&c) && c.Trust == cause.ByDriverLog && waits.MatchString(c.Message)
	}
	at := slices.IndexFunc(byLogs, of)
	if at < 0 {
		return nil
	}
	out := inWords(v.Unstarted())
	gaveUp, _, _ := strings.Cut(byLogs[at].Message, ": ")
	for i := range out {
		byLogs[at].Effect = true
		out[i].Message += "; the driver got no executor and gave up: " + gaveUp
		out[i].Evidence = append(out[i].Evidence, byLogs[at].Evidence...)
	}
	return out
}
