package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// serverDownWords are about a server of Spark Connect that ended.
func serverDownWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ServerDown:
		ended := *c
		ended.Detail = d.How
		p := Of(&ended)
		p.Says += downtime(d.Downtime)
		return p, true
	case mechanism.ServerOOMKilled:
		return Phrase{Says: "server exceeded its memory limit and the kernel killed it (OOMKilled, 137): " + serverLimit(d),
			Do: []command.Command{command.Do("raise the memory limit of container %s in spec.server.template, or lower the heap "+
				"(spec.server.memory): the JVM needs more than its heap, as a rule 10 %% and at least 384 MiB", d.Container)}}, true
	case mechanism.ServerEvicted:
		return Phrase{Says: fmt.Sprintf("the kubelet evicted the server from node %s (Evicted): %s", d.Node, sentence(d.Said)),
			Do: []command.Command{command.Do("request for container %s in spec.server.template what it uses, so that the kubelet evicts others "+
				"first", d.Container)}}, true
	case mechanism.ServerPreempted:
		return Phrase{Says: "the scheduler preempted the server for a pod of higher priority: " + sentence(d.Said),
			Do: []command.Command{command.Do("set spec.server.template.spec.priorityClassName to a class of higher priority, or leave " +
				"room for both")}}, true
	case mechanism.ServerNodeLost:
		why := OfEnd(mechanism.EndReason{Kind: d.Why})
		return Phrase{Says: fmt.Sprintf("the server was lost with node %s (%s): %s", d.Node, why, sentence(d.Said)),
			Do: []command.Command{command.Do("run the server on nodes that stay, or protect it with a PodDisruptionBudget")}}, true
	case mechanism.ServerDeadline:
		return Phrase{Says: "the server ran longer than activeDeadlineSeconds in spec.server.template allow (DeadlineExceeded)",
			Do: []command.Command{command.Do("remove activeDeadlineSeconds from spec.server.template")}}, true
	case mechanism.ServerRejected:
		return Phrase{Says: fmt.Sprintf("the kubelet of node %s rejected the server (%s): %s", d.Node, d.Reason, sentence(d.Said))}, true
	case mechanism.ServerProbeKilled:
		return serverProbeKilled(d), true
	default:
		return serverExitWords(c)
	}
}

// downtime says how often the server restarted, and whether it will come back.
func downtime(d mechanism.Downtime) string {
	says := ""
	if d.Restarts > 0 {
		says = "; it restarted " + times(d.Restarts)
		if d.Again {
			says += said(d.Up, ", last ", " ago")
		}
	}
	if d.Over != "" {
		says += fmt.Sprintf("; the pod ended (%s), and the operator replaces none that is still there", d.Over)
	}
	return says
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func serverLimit(d mechanism.ServerOOMKilled) string {
	heap := "1g (the default)"
	if d.Heap != "" {
		heap = d.Heap + " (" + d.HeapField + ")"
	}
	if d.Limit == "" {
		return "its container has no limit of its own; the heap may take " + heap
	}
	return fmt.Sprintf("limit %s, of which the heap may take %s", d.Limit, heap)
}

func serverProbeKilled(d mechanism.ServerProbeKilled) Phrase {
	probe := "startup"
	if d.Liveness {
		probe = "liveness"
	}
	return Phrase{Says: fmt.Sprintf("the kubelet killed the server because its %s probe failed (%d): %s", probe, d.Code, sentence(d.Said)),
		Do: []command.Command{command.Do("point the %s probe in spec.server.template at port %s, which the server opens when it is up, and "+
			"give it more time", probe, d.Port)}}
}

func serverExitWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ServerEndUntold:
		return Phrase{Says: "the server ended, and its pod does not say how", Do: []command.Command{readServerLog(c, d.ServerLog)}}, true
	case mechanism.ServerExited:
		return Phrase{Says: serverExited(d), Do: []command.Command{readServerLog(c, d.ServerLog)}}, true
	case mechanism.ServerEntrypointMissing:
		return Phrase{Says: fmt.Sprintf("server exited with exit code %d: image %s has no $SPARK_HOME/sbin/start-connect-server.sh that runs",
			d.Code, d.Image), Do: []command.Command{
			command.Do("use an image of Spark 3.4 or later in %s, with bash and SPARK_HOME", d.Field), readServerLog(c, d.ServerLog)}}, true
	case mechanism.ServerClassMissing:
		image := command.Do("use an image of Spark as it is released: since 4.0 it holds the server")
		if strings.HasPrefix(d.SparkVersion, "3.") {
			image = command.Do("add org.apache.spark:spark-connect_2.12:%s to spark.jars.packages in spec.sparkConf (_2.13 for an image with "+
				"Scala 2.13), or its jar to the image", d.SparkVersion)
		}
		return Phrase{Says: "server exited with exit code 101: spark-submit did not find the class of the Spark Connect server in image " +
			d.Image, Do: []command.Command{image, readServerLog(c, d.ServerLog)}}, true
	default:
		return Phrase{}, false
	}
}

func serverExited(d mechanism.ServerExited) string {
	switch {
	case d.Code == 137 || d.Code == 143:
		return fmt.Sprintf("server was ended by a signal (exit code %d), and nothing at its pod says whose", d.Code)
	case d.Said != "":
		return fmt.Sprintf("server exited with exit code %d: %s", d.Code, sentence(d.Said))
	default:
		return fmt.Sprintf("server exited with exit code %d (%s); the exit code alone does not say why", d.Code, d.Reason)
	}
}

func readServerLog(c *cause.Cause, l mechanism.ServerLog) command.Command {
	if l.Previous {
		return command.Do("read what the server logged before it ended").With("kubectl -n %s logs %s -c %s --previous", c.Subject.Namespace,
			c.Subject.Name, l.Container)
	}
	return command.Do("read the log of the server").With("kubectl -n %s logs %s -c %s", c.Subject.Namespace, c.Subject.Name, l.Container)
}
