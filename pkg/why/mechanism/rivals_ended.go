package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// nodeRanOut: where memory of a node as a whole runs out, the kernel kills a process in any container, and with cgroup v2 counts that as a
// kill of its group: the kubelet then writes OOMKilled although no limit was reached. Its own word for the node is the event SystemOOM
// (kubernetes pkg/kubelet/oom/oom_watcher_linux.go@v1.36.3). A container without a limit has none to exceed.
func nodeRanOut() Rival {
	return Rival{Rival: cause.Rival{ID: "node-ran-out", Is: "its node ran out of memory as a whole"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			node := v.nodeOf(c.Subject.Name)
			for _, e := range v.eventsOn("Node", node, "SystemOOM") {
				if c.At.IsZero() || e.Last.Sub(c.At).Abs() < around {
					return cause.Present
				}
			}
			p := v.Pod(c.Subject.Name)
			if p == nil {
				return cause.RuledOut // Spark sets a limit for each of its pods, and the operator copied the kubelet's word
			}
			return ifSeen(!hasMemoryLimit(p, c))
		}}
}

// around is how far from the end of a pod what befell its node counts.
const around = 5 * time.Minute

// hasMemoryLimit reports whether the container that a cause is about has a limit of memory, or all of its pod have one together.
func hasMemoryLimit(p *corev1.Pod, c *cause.Cause) bool {
	of := slices.Concat(p.Spec.InitContainers, p.Spec.Containers)
	name := c.InitContainer
	if name == "" {
		name = app.MainName(p)
	}
	limited := func(l corev1.ResourceList) bool { _, has := l[corev1.ResourceMemory]; return has }
	if p.Spec.Resources != nil && limited(p.Spec.Resources.Limits) {
		return true
	}
	// A pod that is shown without resources does not tell that it has none.
	bare := !slices.ContainsFunc(of, func(one corev1.Container) bool { return len(one.Resources.Limits)+len(one.Resources.Requests) > 0 })
	return bare || slices.ContainsFunc(of, func(one corev1.Container) bool { return one.Name == name && limited(one.Resources.Limits) })
}

// evictedToo: a pod may be evicted while its other containers run on.
func evictedToo() Rival {
	return Rival{Rival: cause.Rival{ID: "evicted", Is: "the kubelet evicted the pod"},
		Both: "what the kubelet wrote of the container stands: one that is evicted gets signals, after which it writes Error",
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := v.Pod(c.Subject.Name)
			marked := p != nil && p.Status.Reason == "Evicted"
			return ifSeen(marked || len(v.eventsOn("Pod", c.Subject.Name, "Evicted")) > 0)
		}}
}

// endedBefore: who evicts a pod writes the condition first and ends its containers then. One that ended before had ended already.
func endedBefore() Rival {
	return Rival{Rival: cause.Rival{ID: "ended-before", Is: "its process had ended before"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := v.Pod(c.Subject.Name)
			if p == nil {
				return cause.RuledOut // an event tells of the removal, and a pod that has ended is not removed for room
			}
			t, d := app.Termination(p), condition(p, corev1.DisruptionTarget)
			return ifSeen(t != nil && d != nil && !d.LastTransitionTime.IsZero() && t.FinishedAt.Before(&d.LastTransitionTime) &&
				p.Status.Reason == "")
		}}
}

// podDeleted: a plain delete sends the same signal, and marks the pod.
func podDeleted() Rival {
	return Rival{Rival: cause.Rival{ID: "pod-deleted", Is: "the pod was deleted"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := v.Pod(c.Subject.Name)
			if p == nil {
				return cause.NotSeen
			}
			return ifSeen(p.DeletionTimestamp != nil)
		}}
}

// kubeletStopped: the kubelet says of one that it does not start again only that it stops it, whatever for (kubernetes
// pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer@v1.36.3). It stops one for a probe right after that has failed.
func kubeletStopped() Rival {
	return Rival{Rival: cause.Rival{ID: "stopped-otherwise", Is: "the kubelet stopped the container for another reason"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			unhealthy := v.eventsOn("Pod", c.Subject.Name, "Unhealthy")
			for _, e := range v.eventsOn("Pod", c.Subject.Name, "Killing") {
				right := len(unhealthy) > 0 && e.Last.Sub(unhealthy[len(unhealthy)-1].Last).Abs() < time.Minute
				if right || strings.Contains(e.Message, "liveness probe") || strings.Contains(e.Message, "startup probe") {
					return cause.RuledOut
				}
			}
			return cause.NotSeen
		}}
}

// earlierPod: names of drivers come back. Events about pods that were there before the last submission are left out (Look), where its time
// is known.
func earlierPod() Rival {
	return Rival{Rival: cause.Rival{ID: "earlier-pod", Is: "it befell the pod of an earlier run, which had the same name"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			if v.Submitted.IsZero() && !v.IsConnect() && v.Attempts > 1 {
				return cause.NotSeen
			}
			return cause.RuledOut
		}}
}

func needsOfEnds() map[cause.ID]Needs {
	const kubelet = "the kubelet wrote the reason into the status of the pod itself"
	removed := []Rival{endedBefore(), earlierPod()}
	oom := Needs{Rivals: []Rival{nodeRanOut(), evictedToo()},
		Because: "the kubelet writes OOMKilled for nothing but a kill for memory: who evicts, preempts or deletes a pod sends " +
			"signals, after which it writes Error"}
	probe := Needs{Rivals: []Rival{podDeleted(), kubeletStopped()}, Because: "evictions and memory are asked before, at the pod"}
	return map[cause.ID]Needs{
		"oom-killed": oom, "server-oom-killed": oom,
		"init-container": {Rivals: []Rival{nodeRanOut()}, Because: "only OOMKilled is proven, which the kubelet wrote of this container; " +
			"another exit code is likely at most"},
		"evicted":   {Rivals: []Rival{earlierPod()}, Because: kubelet + ", or into its event"},
		"preempted": {Rivals: removed, Because: "the scheduler says so in the condition or the event"},
		"drained":   {Rivals: removed}, "descheduled": {Rivals: removed}, "node-lost": {Rivals: removed},
		"deadline-exceeded":   {Because: kubelet},
		"rejected":            {Because: kubelet + ", and no container of it ever ran"},
		"gang-timed-out":      {Because: "its scheduler wrote the reason into the status, and no container of it ever ran"},
		"turned-away":         {Because: "its scheduler wrote the reason into the status, and no container of it ever ran"},
		"liveness-probe":      probe,
		"start-failed":        {Because: "the runtime said why the container could not be started, and the kubelet wrote it into its status"},
		"mount-failed":        {Because: "the runtime said which mount it refused, and the kubelet wrote it into the status of the container"},
		"no-main-class":       {Guess: "an exit code alone does not tell what printed it"},
		"no-entrypoint":       {Guess: "an exit code alone does not tell what was not found"},
		"exit-code":           {Guess: "an exit code alone does not tell why"},
		"container-lost":      {Guess: "the kubelet lost the container, and its end was not seen"},
		"driver-gone":         {Guess: "nothing of the driver is left: who deleted it, and why, was not seen"},
		"driver-unseen":       {Guess: "the driver may be there and not in what was read"},
		"pod-deleted":         {Guess: "who deleted a pod is not in the API"},
		"executor-exits":      {Guess: "exit codes of executors do not tell why"},
		"jvm-out-of-memory":   {Because: "the exit code 52 is Spark's own for an OutOfMemoryError that nothing caught"},
		"executors-unstarted": {Because: "the runtime said why the containers could not be started"},
		"node-out-of-memory":  {Guess: "that a node ran out of memory does not say which process the kernel took for it"},
		"node-not-ready":      {Rivals: []Rival{nodeReady()}, Because: "a pod that ended has another mechanism"},
		"driver-not-found":    {Guess: "that the operator does not find a pod does not say that it is gone"},
		"workers-killed":      {Guess: "the kernel names processes, not the application"},
		"losses-told":         {Guess: "what the driver was told of losses is beside the verdict"},
	}
}

// nodeReady: a node that answers again lets its pods go on.
func nodeReady() Rival {
	return Rival{Rival: cause.Rival{ID: "node-ready-again", Is: "the node answers again"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			return ifSeen(slices.ContainsFunc(v.eventsOn("Node", v.nodeOf(c.Subject.Name), "NodeReady"), func(e app.Event) bool {
				return e.Last.After(c.At)
			}))
		}}
}
