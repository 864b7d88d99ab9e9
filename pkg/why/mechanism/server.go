package mechanism

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// serverPending is about a server whose pod has not started.
func serverPending(v *View) []cause.Cause {
	if v.Driver == nil {
		return nil
	}
	if end, down := v.serverEnd(); down && end.Why != Unstarted {
		return nil // the kubelet says CrashLoopBackOff of a container that ended, and how it ended is said elsewhere
	}
	if c, is := pending(v, v.Driver, Who{Role: cause.DriverRole, Server: true}); is {
		return []cause.Cause{c}
	}
	return nil
}

// A server that restarted so often, the last time so lately, is not up: it runs until it ends the next time. The kubelet waits at most five
// minutes between restarts, and begins anew with a container that ran for ten
// (kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy).
const (
	manyRestarts = 3
	settled      = 10 * time.Minute
)

// serverEnd is how the server ended, if it is down: its container does not run, or runs between two ends.
func (v *View) serverEnd() (End, bool) {
	p := v.Driver
	if p == nil {
		return End{}, false
	}
	end, ended := podEnd(p)
	if t := Termination(p); !ended && t != nil {
		end, ended = End{Pod: podRef(p), Why: Exited + " with 0", Message: t.Message, At: t.FinishedAt.UTC(), Proof: cause.Proof{
			Object: podRef(p), Field: "status.containerStatuses[" + MainName(p) + "]", At: t.FinishedAt.UTC(),
			Value: t.Reason + " (exit code 0)"}}, true
	}
	c := Container(p)
	if !ended || c == nil || c.State.Running == nil || p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil {
		return end, ended
	}
	if d := condition(p, corev1.DisruptionTarget); d != nil && d.Status == corev1.ConditionTrue {
		return end, true
	}
	return end, c.RestartCount >= manyRestarts && v.Now.Sub(c.State.Running.StartedAt.Time) < settled
}

// serverEnded is why the server is down.
func serverEnded(v *View) []cause.Cause {
	p := v.Driver
	if p == nil {
		return nil
	}
	if one, failed := initFailed(v, p); failed {
		return []cause.Cause{one}
	}
	end, down := v.serverEnd()
	if !down {
		return lingering(v, p)
	}
	c := cause.Cause{Class: cause.ClusterKilled, Subject: end.Pod, At: end.At, Trust: end.Trust, Evidence: []cause.Proof{end.Proof}}
	message := strings.TrimSpace(cmp.Or(end.Message, p.Status.Message))
	switch end.Why {
	case OOMKilled:
		c.Message = "server exceeded its memory limit and the kernel killed it (OOMKilled, 137): " + v.serverLimit(p)
		c.Next = []command.Command{command.Do("raise the memory limit of container %s in spec.server.template, or lower the heap "+
			"(spec.server.memory): the JVM needs more than its heap, as a rule 10 %% and at least 384 MiB", MainName(p))}
	case Evicted:
		c.Message = fmt.Sprintf("the kubelet evicted the server from node %s (Evicted): %s", p.Spec.NodeName, sentence(message))
		c.Next = []command.Command{command.Do("request for container %s in spec.server.template what it uses, so that the kubelet evicts others "+
			"first", MainName(p))}
	case Preempted:
		c.Message = "the scheduler preempted the server for a pod of higher priority: " + sentence(message)
		c.Next = []command.Command{command.Do("set spec.server.template.spec.priorityClassName to a class of higher priority, or leave " +
			"room for both")}
	case Drained, NodeLost:
		c.Message = fmt.Sprintf("the server was lost with node %s (%s): %s", p.Spec.NodeName, end.Why, sentence(message))
		c.Next = []command.Command{command.Do("run the server on nodes that stay, or protect it with a PodDisruptionBudget")}
	case Deadline:
		c.Message = "the server ran longer than activeDeadlineSeconds in spec.server.template allow (DeadlineExceeded)"
		c.Next = []command.Command{command.Do("remove activeDeadlineSeconds from spec.server.template")}
	case Rejected:
		c.Class = cause.Scheduling
		c.Message = fmt.Sprintf("the kubelet of node %s rejected the server (%s): %s", p.Spec.NodeName, p.Status.Reason, sentence(message))
	default:
		c = v.serverExited(p, end)
	}
	v.downtime(p, &c)
	return []cause.Cause{c}
}

// serverExited is about a server whose process ended by itself or by a signal that the pod does not explain: as a rule its log says why.
func (v *View) serverExited(p *corev1.Pod, end End) cause.Cause {
	t := Termination(p)
	c := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Subject: end.Pod, At: end.At, Effect: true,
		Evidence: []cause.Proof{end.Proof}}
	logs := command.Do("read the log of the server").With("kubectl -n %s logs %s -c %s", p.Namespace, p.Name, MainName(p))
	if s := Container(p); s != nil && s.State.Terminated == nil {
		logs = command.Do("read what the server logged before it ended").With("kubectl -n %s logs %s -c %s --previous", p.Namespace, p.Name,
			MainName(p))
	}
	c.Next = []command.Command{logs}
	if t == nil {
		c.Message = "the server ended, and its pod does not say how"
		return c
	}
	if start := startError(v, p, t); start != nil {
		start.At, start.Evidence = end.At, append(c.Evidence, start.Evidence...)
		return *start
	}
	if v.probeKilled(p, end, &c) {
		return c
	}
	switch t.ExitCode {
	case 126, 127:
		c.Class, c.Effect, c.Trust = cause.Image, false, cause.BySpec
		c.Message = fmt.Sprintf("server exited with exit code %d: image %s has no $SPARK_HOME/sbin/start-connect-server.sh that runs", t.ExitCode,
			MainImage(p))
		c.Next = append([]command.Command{command.Do("use an image of Spark 3.4 or later in %s, with bash and SPARK_HOME", v.imageField(p))},
			c.Next...)
	case 101:
		// CLASS_NOT_FOUND_EXIT_STATUS of core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.5. Before 4.0 the server is a
		// package of its own (docs/spark-connect-overview.md@v3.5.5 and @v4.0.0).
		c.Class, c.Effect, c.Trust = cause.Dependency, false, cause.BySpec
		c.Message = fmt.Sprintf("server exited with exit code 101: spark-submit did not find the class of the Spark Connect server in image %s",
			MainImage(p))
		class := command.Do("use an image of Spark as it is released: since 4.0 it holds the server")
		if version := v.text("spec", "sparkVersion"); strings.HasPrefix(version, "3.") {
			class = command.Do("add org.apache.spark:spark-connect_2.12:%s to spark.jars.packages in spec.sparkConf (_2.13 for an image with "+
				"Scala 2.13), or its jar to the image", version)
		}
		c.Next = append([]command.Command{class}, c.Next...)
	case 137, 143:
		c.Message = fmt.Sprintf("server was ended by a signal (exit code %d), and nothing at its pod says whose", t.ExitCode)
	default:
		c.Message = fmt.Sprintf("server exited with exit code %d (%s); the exit code alone does not say why", t.ExitCode, t.Reason)
		if m := strings.TrimSpace(t.Message); m != "" {
			c.Message = fmt.Sprintf("server exited with exit code %d: %s", t.ExitCode, sentence(m))
		}
	}
	return c
}

// probeKilled is about a server that the kubelet ends because a probe of the template fails.
func (v *View) probeKilled(p *corev1.Pod, end End, c *cause.Cause) bool {
	killing := v.eventsOn("Pod", p.Name, "Killing")
	for _, e := range v.eventsOn("Pod", p.Name, "Unhealthy") {
		probe, _, found := strings.Cut(e.Message, " probe failed")
		if !found || probe != "Liveness" && probe != "Startup" || len(killing) == 0 || end.Code <= 128 {
			continue
		}
		c.Class, c.Certainty, c.Effect, c.Trust = cause.Configuration, check.Proven, false, cause.ByEvent
		c.Message = fmt.Sprintf("the kubelet killed the server because its %s probe failed (%d): %s", strings.ToLower(probe), end.Code,
			sentence(e.Message))
		c.Evidence = append(c.Evidence, cause.Proof{Object: end.Pod, Field: "event Unhealthy", Value: e.Message, At: e.Last})
		c.Next = []command.Command{command.Do("point the %s probe in spec.server.template at port %s, which the server opens when it is up, and "+
			"give it more time", strings.ToLower(probe), v.grpcPort())}
		return true
	}
	return false
}

// downtime says how often the server restarted, and whether it will come back: the kubelet restarts containers as the pod's restartPolicy
// says, none of a pod that ended, and the operator creates a pod only where none is (createOrUpdateServerPod in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
func (v *View) downtime(p *corev1.Pod, c *cause.Cause) {
	typed := c.Detail != nil // which says so itself
	if s := Container(p); s != nil && s.RestartCount > 0 {
		if !typed {
			c.Message += "; it restarted " + times(int(s.RestartCount))
			if s.State.Running != nil {
				c.Message += fmt.Sprintf(", last %s", ago(v, s.State.Running.StartedAt.Time))
			}
		}
		c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "status.containerStatuses[" + MainName(p) + "].restartCount",
			Value: fmt.Sprint(s.RestartCount)})
	}
	if p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded {
		if !typed {
			c.Message += fmt.Sprintf("; the pod ended (%s), and the operator replaces none that is still there", p.Status.Phase)
		}
		c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "status.phase", Value: string(p.Status.Phase)})
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// serverLimit is the memory limit of the server's container. The operator passes spec.server.memory as the heap only: the limit is what the
// template says (driverConfOption in internal/controller/sparkconnect/options.go, mutateServerPod in reconciler.go@v2.5.2).
func (v *View) serverLimit(p *corev1.Pod) string {
	heap := "1g (the default)"
	for _, from := range []struct{ field, value string }{
		{"spec.server.memory", v.text("spec", "server", "memory")}, {"spark.driver.memory", v.conf("spark.driver.memory")},
	} {
		if from.value != "" {
			heap = from.value + " (" + from.field + ")"
			break
		}
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if q, has := c.Resources.Limits[corev1.ResourceMemory]; has && c.Name == MainName(p) {
			return fmt.Sprintf("limit %s, of which the heap may take %s", q.String(), heap)
		}
	}
	return fmt.Sprintf("its container has no limit of its own; the heap may take %s", heap)
}

// serverUnready is about a server that runs and whose pod is not ready.
func serverUnready(v *View) []cause.Cause {
	p := v.Driver
	if p == nil || !v.driverRuns() || p.DeletionTimestamp != nil {
		return nil
	}
	ready := condition(p, corev1.PodReady)
	if ready == nil || ready.Status == corev1.ConditionTrue {
		return nil
	}
	if _, down := v.serverEnd(); down {
		return nil
	}
	up := v.Now.Sub(v.serverStart())
	c := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Trust: cause.ByPod, Subject: podRef(p),
		At: ready.LastTransitionTime.UTC(), Message: fmt.Sprintf("the server runs for %s and its pod is not ready: %s",
			duration.HumanDuration(up), sentence(ready.Message)),
		Evidence: []cause.Proof{{Object: podRef(p), Field: "status.conditions[Ready]", At: ready.LastTransitionTime.UTC(),
			Value: strings.TrimSuffix(ready.Reason+": "+ready.Message, ": ")}},
		Next: []command.Command{command.Do("look at what its probes and its other containers say").On("describe", podRef(p))},
	}
	for _, s := range p.Status.ContainerStatuses {
		if s.Name != MainName(p) && !s.Ready && (s.State.Waiting != nil || s.State.Terminated != nil) {
			c.Class, c.Effect, c.Trust = cause.Configuration, false, cause.ByContainer
			c.Message = fmt.Sprintf("the server runs, but its pod is not ready because sidecar %s does not run", s.Name)
			c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(p), Field: "status.containerStatuses[" + s.Name + "]", Value: stateText(&s)})
			c.Next = []command.Command{command.Do("repair the sidecar").With("kubectl -n %s logs %s -c %s", p.Namespace, p.Name, s.Name)}
			return []cause.Cause{c}
		}
	}
	for _, e := range v.eventsOn("Pod", p.Name, "Unhealthy") {
		if !strings.HasPrefix(e.Message, "Readiness probe failed") && !strings.HasPrefix(e.Message, "Startup probe failed") ||
			e.Last.Before(v.serverStart()) {
			continue
		}
		c.Trust, c.Evidence = cause.ByEvent, append(c.Evidence, cause.Proof{Object: podRef(p), Field: "event Unhealthy", Value: e.Message,
			At: e.Last})
		c.Message = fmt.Sprintf("the server runs for %s, but its pod is not ready: %s", duration.HumanDuration(up), sentence(e.Message))
		if line := v.listens(); line.Value != "" {
			c.Class, c.Effect = cause.Configuration, false
			c.Message += "; the server does listen by its log, so the probe asks for something else"
			c.Evidence = append(c.Evidence, line)
			c.Next = []command.Command{command.Do("point the readiness probe in spec.server.template at port %s", v.grpcPort())}
		}
	}
	if c.Effect && up < 2*time.Minute {
		c.Class, c.Effect, c.Message = cause.RunningNormally, false, fmt.Sprintf("the server started %s ago and is not ready yet",
			duration.HumanDuration(up))
	}
	return []cause.Cause{c}
}

func stateText(s *corev1.ContainerStatus) string {
	if w := s.State.Waiting; w != nil {
		return strings.TrimSuffix(w.Reason+": "+w.Message, ": ")
	}
	if t := s.State.Terminated; t != nil {
		return fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode)
	}
	return "running"
}

// serverStart is when the process that runs now started; zero: none runs.
func (v *View) serverStart() time.Time {
	if v.Driver != nil {
		if c := Container(v.Driver); c != nil && c.State.Running != nil {
			return c.State.Running.StartedAt.UTC()
		}
	}
	return time.Time{}
}
