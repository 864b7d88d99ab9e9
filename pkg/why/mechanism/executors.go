package mechanism

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// atWork reports whether the application runs: by the operator's status, or, of a SparkConnect, by its pod.
func (v *View) atWork() bool {
	return v.State == "RUNNING" || v.IsConnect() && v.driverRuns()
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
