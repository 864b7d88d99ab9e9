package why

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// registers is how long a process of an executor takes to report to the driver, at most, where nothing is in its way.
const registers = 2 * time.Minute

// starves reports whether a job gets no executors, by the last that the log says of it. Spark complains every 15 seconds
// (spark.starvation.timeout); without its lines of level INFO, only a fresh complaint says that no executor came since.
func (l driverLog) starves(v *mechanism.View) bool {
	return l.seen && l.Starved != "" && (l.Info || v.Now.Sub(l.StarvedAt) < registers)
}

// late reports whether a stream took longer for its last batches than its trigger allows.
func (l driverLog) late(v *mechanism.View) bool {
	return l.seen && l.Late != "" && v.DriverRuns() && v.Now.Sub(l.LateAt) < lateFor
}

// lateFor is how long a stream counts as late after it said so: a batch may take minutes.
const lateFor = 15 * time.Minute

// behindTrigger adds to a running application that its stream falls behind. That is no failure: it may catch up.
func (l driverLog) behindTrigger(v *mechanism.View, c *cause.Cause) {
	c.Message += "; a batch of its stream took longer than its trigger: " + l.Late
	c.Evidence = append(c.Evidence, cause.Proof{Object: mechanism.Ref(v.Driver), Field: "log " + mechanism.MainName(v.Driver), Value: l.Late,
		At: l.LateAt})
	c.Next = append(c.Next, command.Do("if it does not catch up: give it more executors, read less at once (maxOffsetsPerTrigger, "+
		"maxFilesPerTrigger), or allow a longer trigger"))
}

// unregistered is about executors whose processes run for minutes while none has reached the driver.
func (l driverLog) unregistered(v *mechanism.View) []cause.Cause {
	if !l.starves(v) || !l.Unreached || !v.DriverRuns() {
		return nil
	}
	n, longest := v.RunningSince(registers)
	if n == 0 {
		return nil
	}
	pod := mechanism.Ref(v.Driver)
	return []cause.Cause{{Class: cause.Network, Certainty: check.Likely, Subject: pod, At: l.StarvedAt, Trust: cause.ByCondition,
		Message: fmt.Sprintf("%s %s for %s, and none has registered with the driver: most likely they cannot connect to its ports 7078 and 7079",
			facts.Counted(n, "executor"), map[bool]string{true: "runs", false: "run"}[n == 1], duration.HumanDuration(longest)),
		Evidence: []cause.Proof{{Object: pod, Field: "log " + mechanism.MainName(v.Driver), Value: l.Starved, At: l.StarvedAt}},
		Next: []command.Command{command.Do("read the log of an executor: it says whom it cannot reach"),
			command.Do("check the headless Service of the driver and DNS, then NetworkPolicies and a service mesh for ports 7078 and 7079 " +
				"(Istio: traffic.sidecar.istio.io/excludeInboundPorts)")}}}
}

// refused is about a job that gets none of the executors that run, by what the driver complains of.
func (l driverLog) refused(v *mechanism.View) []cause.Cause {
	if !l.starves(v) || l.Unreached || !v.DriverRuns() || v.Running() == 0 {
		return nil
	}
	pod := mechanism.Ref(v.Driver)
	return []cause.Cause{{Class: cause.Unknown, Effect: true, Subject: pod, At: l.StarvedAt, Trust: cause.ByContainer,
		Message: fmt.Sprintf("%s and registered, but a job gets no task started on them: %s", facts.CountedAre(v.Running(), "executor")+" there",
			l.Starved),
		Evidence: []cause.Proof{{Object: pod, Field: "log " + mechanism.MainName(v.Driver), Value: l.Starved, At: l.StarvedAt}},
		Next: []command.Command{command.Do("compare spark.task.cpus and spark.task.resource.* with what an executor has, and see whether " +
			"another job has all of its slots")}}}
}

// waits matches the words of a driver that gave up for the time that something took (core/src/main/scala/org/apache/spark/util/
// ThreadUtils.scala@v3.5.5, sql/core/src/main/scala/org/apache/spark/sql/execution/exchange/BroadcastExchangeExec.scala@v3.5.5).
var waits = regexp.MustCompile(`Could not execute broadcast in \d+ secs|Futures timed out after \[|\bTimeoutException\b`)

// waitedInVain is why a run that is over had no executors, where its driver complained of that until it gave up for the time: that follows.
func (l driverLog) waitedInVain(v *mechanism.View, byLogs []cause.Cause) []cause.Cause {
	if !l.seen || l.Starved == "" || !l.Unreached || v.DriverRuns() {
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
