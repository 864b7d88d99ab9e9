package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// serverDownWords are about a server of Spark Connect that ended.
func (t Terms) serverDownWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ServerDown:
		ended := *c
		ended.Detail = d.How
		p := t.Of(&ended)
		p.Says += behind("; it ", restarted(d.Downtime)) + behind("; ", staysDown(d.Downtime))
		return p, true
	case mechanism.ServerRestarted:
		return Phrase{Says: restarted(d.Downtime) + behind("; ", staysDown(d.Downtime))}, true
	case mechanism.ServerOOMKilled:
		return Phrase{Says: "server exceeded its memory limit and the kernel killed it (OOMKilled, 137): " + serverLimit(d),
			Do: []command.Command{command.Do("raise the memory limit of container %s in spec.server.template, or lower the heap "+
				"(spec.server.memory): the JVM needs more than its heap, as a rule 10 %% and at least 384 MiB", d.Container)}}, true
	default:
		return t.serverExitWords(c)
	}
}

// restarted says how often the server did.
func restarted(d mechanism.Downtime) string {
	if d.Restarts == 0 {
		return ""
	}
	says := "restarted " + times(d.Restarts)
	if d.Again {
		says += said(d.Up, ", last ", " ago") + ", and its sessions ended"
	}
	return says
}

// staysDown says why the server will not come back; empty: it may.
func staysDown(d mechanism.Downtime) string {
	if d.Over == "" {
		return ""
	}
	return fmt.Sprintf("the pod ended (%s), and the operator replaces none that is still there", d.Over)
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
	if d.Limit.IsZero() {
		return "its container has no limit of its own; the heap may take " + heap
	}
	return fmt.Sprintf("limit %s, of which the heap may take %s", d.Limit.String(), heap)
}

func (t Terms) serverExitWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ServerEndUntold:
		return Phrase{Says: "the server ended, and its pod does not say how", Do: []command.Command{readServerLog(c, d.ServerLog)}}, true
	case mechanism.ServerEntrypointMissing:
		return Phrase{Says: fmt.Sprintf("server exited with exit code %d: image %s has no $SPARK_HOME/sbin/start-connect-server.sh that runs",
			d.Code, d.Image), Do: []command.Command{
			command.Do("use an image of Spark 3.4 or later in %s, with bash and SPARK_HOME", t.of(d.Field)), readServerLog(c, d.ServerLog)}}, true
	case mechanism.ServerClassMissing:
		image := command.Do("use an image of Spark as it is released: since 4.0 it holds the server")
		if d.Apart {
			image = command.Do("add org.apache.spark:spark-connect_2.12:%s to spark.jars.packages in spec.sparkConf (_2.13 for an image with "+
				"Scala 2.13), or its jar to the image", d.SparkVersion)
		}
		return Phrase{Says: "server exited with exit code 101: spark-submit did not find the class of the Spark Connect server in image " +
			d.Image, Do: []command.Command{image, readServerLog(c, d.ServerLog)}}, true
	default:
		return Phrase{}, false
	}
}

func readServerLog(c *cause.Cause, l mechanism.ServerLog) command.Command {
	if l.Previous {
		return command.Do("read what the server logged before it ended").With("kubectl -n %s logs %s -c %s --previous", c.Subject.Namespace,
			c.Subject.Name, l.Container)
	}
	return command.Do("read the log of the server").With("kubectl -n %s logs %s -c %s", c.Subject.Namespace, c.Subject.Name, l.Container)
}

// unquotedSetting is about a value that is no command.
func unquotedSetting(d *mechanism.UnquotedSetting) Phrase {
	at := d.Indexed()
	return Phrase{fmt.Sprintf("bash reads the %s in %s itself (%s): the operator writes settings without quotes into the bash -c that starts "+
		"the server", d.Character, at, d.Says), []command.Command{command.Do("put the value of %s in single quotes, which the operators "+
		"after 2.5.2 no longer need", at)}}
}
