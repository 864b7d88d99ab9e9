package logs

import (
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// lostSays is what became of executors.
func lostSays(losses []loss, why lossReason) string {
	seen := map[string]bool{}
	for _, l := range losses {
		seen[l.executor] = true
	}
	if code := exited(losses); why == unexplained && code != "" {
		if len(seen) > 1 {
			return strconv.Itoa(len(seen)) + " executors ended" + code + "; what they ran into is in their own logs, not in this one"
		}
		return "executor " + losses[0].executor + " ended" + code + "; what it ran into is in its own log, not in this one"
	}
	if len(seen) > 1 {
		return strconv.Itoa(len(seen)) + " executors " + why.said(true)
	}
	if len(seen) == 1 {
		return "executor " + losses[0].executor + " " + why.said(false)
	}
	return "an executor " + why.said(false)
}

// message is what a candidate says, with where it happened.
func (c *candidate) message(role string) string {
	said := c.verdict.says
	if f := c.verdict.frame; f != nil && c.verdict.strength >= plausible && !strings.Contains(said, f.place()) && len(c.losses) == 0 {
		said += " at " + f.place()
	}
	switch {
	case len(c.losses) > 0:
		if c.tried != nil {
			said += "; " + c.attempts()
		}
	case c.executor != "" && c.tried != nil:
		said += " (executor " + c.executor + "; " + c.attempts() + ")"
	case c.executor != "":
		said += " (executor " + c.executor + ")"
	case c.tried != nil:
		said += " (" + c.attempts() + ")"
	case role != "":
		said += " (" + role + ")"
	}
	return said
}

func (c *candidate) attempts() string {
	return "task " + c.tried[0] + " of stage " + c.tried[1] + " failed " + c.tried[2] + " times"
}

// forRole names the settings of the process that failed, where the catalogue names those of both.
func (c *candidate) forRole(role string) []command.Command {
	of := driverRole
	switch {
	case role == executorRole || c.executor != "" && c.executor != driverRole:
		of = executorRole
	case role == "":
		return c.verdict.next
	}
	out := make([]command.Command, 0, len(c.verdict.next))
	for _, one := range c.verdict.next {
		one.Text = strings.ReplaceAll(one.Text, "driver.memory or executor.memory", of+".memory")
		out = append(out, one)
	}
	return out
}

// steps is what to do. Exceptions of the application's code are for its authors: their frame says where to look.
func (c *candidate) steps(role string) []command.Command {
	if len(c.verdict.next) > 0 {
		return c.forRole(role)
	}
	why := unexplained
	if len(c.losses) > 0 {
		why = c.losses[0].why
	}
	switch why {
	case oomKilled, killed:
		return []command.Command{command.Do("raise executor.memoryOverhead or executor.memory, or give each task less data")}
	case heapExhausted:
		return []command.Command{command.Do("raise executor.memory, or give each task less data")}
	case decommissioned, evicted, deletedPod, terminated:
		return []command.Command{command.Do("keep executors on nodes that stay, or raise spark.task.maxFailures and enable " +
			"spark.decommission.enabled")}
	case noLocalDir:
		return []command.Command{command.Do("give executors a writable volume named spark-local-dir-1")}
	case noHeartbeat:
		return []command.Command{command.Do("look at garbage collection and CPU throttling of the driver at that time, then raise " +
			"driver.memory or driver.cores, and spark.executor.heartbeat.maxFailures")}
	case silent:
		return []command.Command{command.Do("read the log of such an executor, and the events of its pod and node, for the minutes before")}
	case unexplained:
	}
	if c.verdict.class == cause.CodeFailed && c.verdict.frame != nil {
		f := c.verdict.frame
		return []command.Command{command.Do("fix the code or the data that it reads at %s", f.place())}
	}
	return nil
}

func crashSteps() []command.Command {
	return []command.Command{
		command.Do("use the library that the problematic frame names in a version for the C library of the image (glibc or musl)"),
		command.Do("keep the report: -XX:ErrorFile on a volume that outlives the pod"),
	}
}

// described is an exception within a sentence: its class without the package, and what it says.
func described(l *link) string {
	message := gist(strings.Join(strings.Fields(l.message), " "))
	class := l.class
	if !l.python || strings.HasPrefix(class, "pyspark.") {
		class = class[strings.LastIndexByte(class, '.')+1:]
	}
	switch {
	case class == "" || strings.HasPrefix(message, class):
		return shortened(message, maxSaid)
	case message == "":
		return class
	default:
		return shortened(class+": "+message, maxSaid)
	}
}
