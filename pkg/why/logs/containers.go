package logs

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// outcome is how a container ended, as its status says it.
type outcome int

const (
	unknownEnd outcome = iota
	running
	succeeded // exit code 0
	failed
	signaled // 137, 143: something else ended it
)

func podsByName(e *app.Evidence) map[string]*corev1.Pod {
	pods := map[string]*corev1.Pod{}
	for i := range e.Pods {
		pods[e.Pods[i].Namespace+"/"+e.Pods[i].Name] = &e.Pods[i]
	}
	return pods
}

// ordered sorts logs without regard to the order in which they were read: drivers, the latest pod first, the running container before
// the previous one, then by name.
func ordered(logs []app.Log, pods map[string]*corev1.Pod) []app.Log {
	logs = slices.Clone(logs)
	created := func(l app.Log) time.Time {
		if pod := pods[l.Namespace+"/"+l.Pod]; pod != nil {
			return pod.CreationTimestamp.Time
		}
		return time.Time{}
	}
	rank := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(logs, func(a, b app.Log) int {
		if n := rank(a.Role == executorRole) - rank(b.Role == executorRole); n != 0 {
			return n
		}
		if n := rank(a.Role != driverRole) - rank(b.Role != driverRole); n != 0 {
			return n
		}
		if n := created(b).Compare(created(a)); n != 0 {
			return n
		}
		if n := rank(a.Previous) - rank(b.Previous); n != 0 {
			return n
		}
		return strings.Compare(a.Namespace+"/"+a.Pod+"/"+a.Container+a.Tail, b.Namespace+"/"+b.Pod+"/"+b.Container+b.Tail)
	})
	return logs
}

// ofSidecar reports whether the log is of a container beside Spark's in its pod: what fails there is no failure of the application.
func ofSidecar(log *app.Log, pods map[string]*corev1.Pod) bool {
	pod := pods[log.Namespace+"/"+log.Pod]
	if pod == nil || strings.HasPrefix(log.Container, "spark-kubernetes-") {
		return false
	}
	of := func(name string) bool {
		return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
	}
	ofSpark := of("spark-kubernetes-driver") || of("spark-kubernetes-executor")
	return ofSpark && of(log.Container)
}

// initial reports whether the log is of an init container.
func initial(log *app.Log, pods map[string]*corev1.Pod) bool {
	pod := pods[log.Namespace+"/"+log.Pod]
	return pod != nil && slices.ContainsFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == log.Container })
}

// earlier reports whether the log is of a run before the latest: why that one ended is not why this one did.
func earlier(log *app.Log, pods map[string]*corev1.Pod) bool {
	pod := pods[log.Namespace+"/"+log.Pod]
	if pod == nil {
		return false
	}
	const run, app, role = "spark-app-selector", "sparkoperator.k8s.io/app-name", "spark-role"
	for _, other := range pods {
		if other.Labels[role] == driverRole && other.Labels[app] != "" && other.Labels[app] == pod.Labels[app] &&
			other.Namespace == pod.Namespace && other.Labels[run] != pod.Labels[run] &&
			other.CreationTimestamp.After(pod.CreationTimestamp.Time) {
			return true
		}
	}
	return false
}

// endOf is how the container of a log ended.
func endOf(log *app.Log, pods map[string]*corev1.Pod, app *app.Application) outcome {
	pod := pods[log.Namespace+"/"+log.Pod]
	if pod == nil {
		if log.Role == executorRole {
			return unknownEnd
		}
		return applicationEnd(app)
	}
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if status.Name != log.Container {
			continue
		}
		state := status.State
		if log.Previous {
			state = status.LastTerminationState
		}
		return endOfState(state)
	}
	return unknownEnd
}

func endOfState(state corev1.ContainerState) outcome {
	switch {
	case state.Running != nil:
		return running
	case state.Terminated == nil:
		return unknownEnd
	case state.Terminated.ExitCode == 0:
		return succeeded
	case state.Terminated.ExitCode == 137 || state.Terminated.ExitCode == 143:
		return signaled
	default:
		return failed
	}
}

// applicationEnd is what the operator says of the driver. FAILED tells nothing that the log must agree with.
func applicationEnd(app *app.Application) outcome {
	if app == nil {
		return unknownEnd
	}
	switch app.Status.State {
	case "COMPLETED", "SUCCEEDING":
		return succeeded
	case "RUNNING":
		return running
	default:
		return unknownEnd
	}
}
