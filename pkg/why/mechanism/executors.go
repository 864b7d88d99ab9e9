package mechanism

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// maxFailures is after how many failures of one task Spark gives up the job (spark.task.maxFailures, docs/configuration.md@v3.5.5).
const maxFailures = 4

// executorsLost are the reasons why executors ended, one cause each.
func executorsLost(v *View) []cause.Cause {
	groups := map[string][]End{}
	var whys []string
	for _, e := range v.Ends {
		if groups[e.Why] == nil {
			whys = append(whys, e.Why)
		}
		groups[e.Why] = append(groups[e.Why], e)
	}
	out := make([]cause.Cause, 0, len(whys))
	for _, why := range whys {
		out = append(out, v.lost(why, groups[why]))
	}
	return out
}

// lost is one reason. While the application runs and has what it asked for, it recovered from losses that came from outside; its own
// appetite will end the next executors, too.
func (v *View) lost(why string, of []End) cause.Cause {
	n, first := facts.Counted(len(of), "executor"), of[0]
	total := max(len(v.Names()), len(of))
	c := cause.Cause{Class: cause.ClusterKilled, Subject: first.Pod, At: first.At, Trust: first.Trust, Certainty: check.Likely}
	for i, e := range of {
		if i < maxFailures {
			c.Evidence = append(c.Evidence, e.Proof)
		}
	}
	if len(of) >= maxFailures || v.atWork() {
		c.Certainty = check.Proven
	}
	switch why {
	case OOMKilled:
		their, them := "their", "them"
		if len(of) == 1 {
			their, them = "its", "it"
		}
		c.Message = fmt.Sprintf("%s of %d exceeded %s memory limit and the kernel killed %s (OOMKilled, 137): limit %s", n, total, their, them,
			v.limitText(v.pod(first.Pod.Name), "executor"))
		if d := v.inMemory(v.pod(first.Pod.Name)); d != "" {
			c.Message += "; " + d
		}
		c.Next = []command.Command{command.Do("raise executor.memoryOverhead, or lower the heap, off-heap or Python memory that shares the " +
			"limit"),
			command.Do("use more partitions or fewer executor.cores, so that each task holds less")}
	case Evicted:
		c.Message = fmt.Sprintf("the kubelet evicted %s of %d (Evicted): %s", n, total, sentence(first.Message))
		c.Next = []command.Command{EvictionNext("executor", first.Message)}
	case Preempted:
		c.Message = fmt.Sprintf("the scheduler preempted %s of %d for pods of higher priority%s: %s", n, total, v.priority("executor"),
			sentence(first.Message))
		c.Next = []command.Command{PriorityNext("executor")}
	case Drained, Descheduled, NodeLost, Deadline, Rejected:
		c.Message = fmt.Sprintf("%s of %d lost (%s): %s", n, total, why, sentence(first.Message))
		c.Next = []command.Command{v.decommissionNext()}
	case Unstarted:
		u := executorsUnstarted(len(of), total, first)
		c.Class, c.Role, c.Topics, c.Effect, c.Detail = u.Class, u.Role, u.Topics, u.Effect, u.Detail
		c.Certainty = max(c.Certainty, u.Certainty)
	case JVMMemory:
		c.Class = cause.Configuration
		c.Message = fmt.Sprintf("%s of %d ended with exit code 52: their JVM was out of memory (OutOfMemoryError) at executor.memory %s", n,
			total,
			human(v.heap("executor")))
		c.Next = []command.Command{command.Do("raise executor.memory, or use more partitions; the log of an executor names the memory that was " +
			"full: heap, metaspace, direct memory or threads")}
	default:
		c.Class, c.Effect, c.Certainty = cause.Unknown, true, check.Likely
		c.Message = fmt.Sprintf("%s of %d %s; the exit code alone does not say why", n, total, why)
		c.Next = []command.Command{v.logOfOne(of)}
	}
	own := slices.Contains([]string{OOMKilled, Evicted, JVMMemory, Unstarted}, why)
	switch {
	case v.succeeded():
		c.Effect = true
	case !own && len(of) < maxFailures, own && v.ExitedByItself() && max(len(of), v.failed()-v.Asked()) < maxFailures:
		c.Effect = true // Spark runs the tasks again elsewhere: a few losses end no job
	case v.atWork() && (!own || len(of) < 3) && v.complete():
		c.Effect = true
	}
	return c
}

// ExitedByItself reports whether the driver's process chose its exit code: then its log says why.
func (v *View) ExitedByItself() bool {
	if v.Driver == nil {
		code, reason, told := NewMessages().DriverEnd(v.Message) // as the operator recorded it
		return told && reason != "OOMKilled" && byItself(code)
	}
	t := Termination(v.Driver)
	return t != nil && t.Reason != "OOMKilled" && byItself(int(t.ExitCode)) && v.Driver.Status.Reason == ""
}

// byItself reports whether an exit code is neither success nor a signal's.
func byItself(code int) bool { return code != 0 && code < 129 }

// decommissionNext is how executors outlive nodes that leave (docs/configuration.md@v3.5.5, spark.decommission.enabled).
func (v *View) decommissionNext() command.Command {
	if v.conf("spark.decommission.enabled") == "true" {
		return command.Do("give executors the time to move their blocks (executor.terminationGracePeriodSeconds), or run them on nodes that stay")
	}
	return command.Do("set spark.decommission.enabled and spark.storage.decommission.shuffleBlocks.enabled for nodes that leave")
}

// atWork reports whether the application runs: by the operator's status, or, of a SparkConnect, by its pod.
func (v *View) atWork() bool {
	return v.State == "RUNNING" || v.IsConnect() && v.driverRuns()
}

func (v *View) heap(role string) int64 {
	heap, ok := mebibytes(v.setting(role, "memory", "spark."+role+".memory"))
	if !ok {
		return 1024
	}
	return heap
}

// Names are those of all executors of the run that are known, gone or not.
func (v *View) Names() map[string]string {
	out := map[string]string{}
	if v.Application != nil {
		if status, is := v.Application.Object["status"].(map[string]any); is {
			states, _ := status["executorState"].(map[string]any)
			for name, state := range states {
				out[name], _ = state.(string)
			}
		}
	}
	for _, p := range v.Executors {
		if out[p.Name] == "" {
			out[p.Name] = strings.ToUpper(string(p.Status.Phase))
		}
	}
	return out
}

// Running is how many executors run: by their pods, and by the status where not all pods were seen.
func (v *View) Running() int {
	n := 0
	partial := v.Partial != nil && v.Partial("pods")
	for name, state := range v.Names() {
		p := v.pod(name)
		switch {
		case p != nil && p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil, p == nil && partial && state == "RUNNING":
			n++
		}
	}
	if partial {
		n = max(n, v.recordedExecutors("running"))
	}
	return n
}

// pod is a pod of the application by name; nil: it is gone.
func (v *View) pod(name string) *corev1.Pod {
	for i := range v.Pods {
		if v.Pods[i].Name == name {
			return &v.Pods[i]
		}
	}
	return nil
}

// logOfOne reads the log of one of the executors that ended, if the pod of any is left. Spark's containers are not restarted.
func (v *View) logOfOne(of []End) command.Command {
	for _, e := range slices.Backward(of) {
		if v.pod(e.Pod.Name) != nil {
			return command.Do("read the log of an executor that failed").On("logs", e.Pod)
		}
	}
	return command.Do("%s, run it again, and read the log of an executor that failed", v.KeepExecutors())
}

// KeepExecutors is what lets the logs of executors outlive them.
func (v *View) KeepExecutors() string {
	const setting = "spark.kubernetes.executor.deleteOnTermination"
	if v.Settings()[setting] == "false" {
		return "collect the logs of pods (" + setting + " is false, so it was not Spark that deleted them)"
	}
	return "set " + setting + " to false"
}
