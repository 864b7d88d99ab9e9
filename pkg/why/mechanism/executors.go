package mechanism

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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
		c.Message = fmt.Sprintf("%s of %d could not be started: %s", n, total, sentence(first.Message))
		unstartable(first.Message, &c)
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

// complete reports whether as many executors run as were asked for.
func (v *View) complete() bool {
	return v.Running() > 0 && v.Running() >= v.Asked() && len(v.pendingExecutors()) == 0
}

func (v *View) pendingExecutors() []*corev1.Pod {
	var out []*corev1.Pod
	for _, p := range v.Executors {
		if p.Status.Phase == corev1.PodPending && p.DeletionTimestamp == nil {
			out = append(out, p)
		}
	}
	return out
}

// starting reports whether executors that do not run yet were created within the last two minutes.
func (v *View) starting() bool {
	list := v.pendingExecutors()
	return len(list) > 0 && !slices.ContainsFunc(list, func(p *corev1.Pod) bool { return v.Now.Sub(p.CreationTimestamp.Time) > 2*time.Minute })
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

// executorsPending is why executors of a driver that runs have not started. With some of them at work the job is slow, without any it
// waits.
func executorsPending(v *View) []cause.Cause {
	if !v.driverRuns() {
		return nil
	}
	waiting := v.pendingExecutors()
	var out []cause.Cause
	running, total := v.Running(), max(v.Asked(), v.Running()+len(waiting))
	for _, pods := range v.alike(waiting) {
		c, _ := pending(v, pods[0], fmt.Sprintf("%d of %d executors", len(pods), total))
		c.Message = strings.Replace(c.Message, "executors is ", "executors are ", 1)
		c.Message = strings.Replace(c.Message, "it asks for ", "each asks for ", 1)
		if running > 0 {
			// What holds them back is said by the message; the job goes on with the others.
			goes := "the job goes on"
			if v.IsConnect() {
				goes = "queries go on"
			}
			c.Message = fmt.Sprintf("%d of %d executors run and %s without the rest: %s", running, total, goes, c.Message)
			// Room may come free. A volume that cannot be attached, or an image that cannot be pulled, does not heal by waiting.
			if c.Class == cause.Scheduling || c.Class == cause.Quota || c.Class == cause.Storage && pods[0].Spec.NodeName == "" {
				c.Class = cause.SlowButProgressing
			}
		}
		out = append(out, c)
	}
	return out
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

// alike groups pods that wait for the same reason, in their order. One that was created a moment ago is left out.
func (v *View) alike(waiting []*corev1.Pod) (groups [][]*corev1.Pod) {
	at := map[string]int{}
	for _, p := range waiting {
		c, is := pending(v, p, "executor")
		if !is || c.Class == cause.SlowButProgressing {
			continue
		}
		key := string(c.Class) + cmp.Or(c.Alike, strings.ReplaceAll(c.Message, p.Name, ""))
		i, seen := at[key]
		if !seen {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}
