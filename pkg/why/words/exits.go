package words

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// exitWords are about drivers and executors that ended by themselves, or by what their own pod or its node did.
func (t Terms) exitWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.LivenessProbe:
		return probeWords(d), true
	case mechanism.NodeOutOfMemory:
		return Phrase{fmt.Sprintf("the kernel killed the driver's process with signal 9 (137) when node %s ran out of memory", d.Node),
			[]command.Command{command.Do("request as much memory as the driver uses, so that the node does not overcommit")}}, true
	case mechanism.ContainerLost:
		return Phrase{fmt.Sprintf("the kubelet of node %s lost the container of the driver (%s; the exit code %d stands for one that it does "+
			"not know), as it does when the node restarts or the pod is removed from it: %s", d.Node, mechanism.StatusUnknown, d.Code,
			sentence(d.Says)), []command.Command{command.Do("see what happened to node %s", d.Node).With("kubectl describe node %s", d.Node)}}, true
	case mechanism.NoEntrypoint:
		return Phrase{fmt.Sprintf("driver exited with exit code %d: its entrypoint is missing in image %s or cannot run", d.Code, d.Image),
			[]command.Command{command.Do("use an image for Spark on Kubernetes, with /opt/entrypoint.sh")}}, true
	case mechanism.NoMainClass:
		return Phrase{"driver exited with exit code 101: spark-submit did not find the main class " + d.Class,
			[]command.Command{t.do("correct {spec.mainClass} or {spec.mainApplicationFile}")}}, true
	case mechanism.ExitCode:
		p := Phrase{Says: exitCode(d)}
		switch {
		case d.Code == 143 && !d.Server:
			p.Do = []command.Command{whoEnded(c.Subject, d.Node)}
		case d.Code == 137 && !d.Server && !d.Gone && d.Says == "":
			p.Do = []command.Command{whoKilled(d.Node, c.At)}
		}
		if d.Server {
			p.Do = []command.Command{readServerLog(c, d.Log)}
		}
		return p, true
	case mechanism.TurnedAway:
		return turnedAwayWords(c.Subject, &d), true
	case mechanism.GangTimedOut:
		return gangWords(&d), true
	case mechanism.InitContainer:
		return initWords(c.Subject, d), true
	case mechanism.JVMOutOfMemory:
		return Phrase{fmt.Sprintf("%s ended with exit code 52: their JVM was out of memory (OutOfMemoryError) at executor.memory %s", of(d.Lost),
			mebibytes(d.Heap)), []command.Command{t.do("raise {executor.memory}, or use more partitions; the log of an executor names the " +
			"memory that was full: heap, metaspace, direct memory or threads")}}, true
	case mechanism.ExecutorExits:
		return Phrase{fmt.Sprintf("%s %s; the exit code alone does not say why", of(d.Lost), OfEnd(d.Why)), []command.Command{logOfOne(d)}}, true
	default:
		return Phrase{}, false
	}
}

func probeWords(d mechanism.LivenessProbe) Phrase {
	probe := "liveness"
	if d.Startup {
		probe = "startup"
	}
	p := Phrase{Says: fmt.Sprintf("the kubelet killed the %s because its %s probe failed (%d): %s", driver(d.Server), probe, d.Code,
		sentence(d.Says))}
	if d.Server {
		p.Do = []command.Command{command.Do("point the %s probe in spec.server.template at port %s, which the server opens when it is up, and "+
			"give it more time", probe, d.Port)}
	} else {
		p.Do = []command.Command{command.Do("point the %s probe of the driver's template at a port that the driver serves, or remove it", probe)}
	}
	return p
}

func exitCode(d mechanism.ExitCode) string {
	switch {
	case d.Server && (d.Code == 143 || d.Code == 137):
		return fmt.Sprintf("server was ended by a signal (exit code %d), and nothing at its pod says whose", d.Code)
	case d.Gone && (d.Code == 143 || d.Code == 137):
		return fmt.Sprintf("driver was ended by a signal (exit code %d); its pod, its log and the events that would say who sent it are gone",
			d.Code)
	case d.Gone:
		return fmt.Sprintf("driver exited with exit code %d (%s); its pod and its log are gone", d.Code, d.Reason)
	case d.Code == 143:
		return ofExit(d) + " was stopped from outside by SIGTERM (exit code 143), and nothing that was read says who sent it" + lastSaid(d.Says)
	case d.Code == 137 && d.Says == "":
		return ofExit(d) + " was killed by SIGKILL (exit code 137, not OOMKilled), and nothing that was read says who sent it"
	case d.Says != "":
		return fmt.Sprintf("%s exited with exit code %d: %s", ofExit(d), d.Code, sentence(d.Says))
	default:
		return fmt.Sprintf("%s exited with exit code %d (%s); the exit code alone does not say why", ofExit(d), d.Code, d.Reason)
	}
}

// ofExit is what exited.
func ofExit(d mechanism.ExitCode) string {
	if d.Plain {
		return "the container"
	}
	return driver(d.Server)
}

func lastSaid(says string) string {
	if says == "" {
		return ""
	}
	return "; its last words: " + sentence(says)
}

// whoKilled is where kills are on record that neither the API nor the pod tells of.
func whoKilled(node string, at time.Time) command.Command {
	if node == "" || at.IsZero() {
		return command.Do("look in the kernel's log of its node, which names what it kills for memory, and in the kubelet's journal at that time")
	}
	c := command.Do("on node %s, look at %s UTC for a kill in the kernel's log, which names what it kills for memory, and in the kubelet's "+
		"journal (-u kubelet)", node, at.UTC().Format(time.TimeOnly))
	c.Line = "journalctl -k --since '" + at.UTC().Add(-time.Minute).Format("2006-01-02 15:04") + " UTC'"
	return c
}

// whoEnded is where deletions and evictions of a pod are on record once its events are gone.
func whoEnded(pod snapshot.Ref, node string) command.Command {
	of := "its node"
	if node != "" {
		of = "node " + node
	}
	return command.Do("search the API server's audit log for a delete or an eviction of pod %s at that time, and the kubelet's journal of %s",
		pod.Name, of)
}

func initWords(pod snapshot.Ref, d mechanism.InitContainer) Phrase {
	do := []command.Command{command.Do("read the log of the init container").With("kubectl -n %s logs %s -c %s", pod.Namespace, pod.Name,
		d.Name)}
	if !d.OOM {
		return Phrase{fmt.Sprintf("init container %s of the %s failed with exit code %d (%s), so Spark never started", d.Name, mainName(d.Server),
			d.Code, d.Reason), do}
	}
	limit := ""
	if d.Limit != "" {
		limit = " of " + d.Limit
	}
	return Phrase{fmt.Sprintf("init container %s of the %s exceeded its memory limit%s (OOMKilled, 137), so Spark never started", d.Name,
		mainName(d.Server), limit), append([]command.Command{command.Do("raise the memory limit of init container %s", d.Name)}, do...)}
}

// mainName is what the driver is called: a SparkConnect has a server.
func mainName(server bool) string {
	if server {
		return "server"
	}
	return "driver"
}

// logOfOne reads the log of one of the executors that ended, if the pod of any is left. Spark's containers are not restarted.
func logOfOne(d mechanism.ExecutorExits) command.Command {
	if d.Pod.Name != "" {
		return command.Do("read the log of an executor that failed").On("logs", d.Pod)
	}
	return command.Do("%s, run it again, and read the log of an executor that failed", KeepExecutors(d.Keeps))
}

// KeepExecutors is what lets the logs of executors outlive them; kept: Spark was told to leave their pods.
func KeepExecutors(kept bool) string {
	const setting = mechanism.KeepsPods
	if kept {
		return "collect the logs of pods (" + setting + " is false, so it was not Spark that deleted them)"
	}
	return "set " + setting + " to false"
}
