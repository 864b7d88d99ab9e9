package words

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// The fields of a SparkApplication of the Apache Spark Kubernetes Operator that decide how long it waits, and for how many executors.
const (
	apacheTimeouts  = "spec.applicationTolerations.applicationTimeoutConfig"
	apacheInstances = "spec.applicationTolerations.instanceConfig"
)

// apacheWords are about objects of the Apache Spark Kubernetes Operator.
func (t Terms) apacheWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ApacheTimedOut:
		return apacheTimedOut(d), true
	case mechanism.ApacheExecutorsTimedOut:
		return apacheExecutors(d), true
	case mechanism.ApacheRefused:
		return t.apacheRefused(d), true
	case mechanism.ApacheEvicted:
		return Phrase{"the kubelet evicted the driver (DriverEvicted): " + sentence(d.Says), []command.Command{evictedNext(d.For)}}, true
	case mechanism.ApacheFailed:
		return apacheFailed(d), true
	case mechanism.ApacheSucceeded:
		return Phrase{Says: "the application succeeded: " + sentence(d.Says)}, true
	case mechanism.ApacheStopped:
		return Phrase{fmt.Sprintf("the Apache Spark operator released its resources while it was %s, as it does for what is deleted: %s", d.Was,
			sentence(d.Says)), []command.Command{command.Do("create it again to run it")}}, true
	case mechanism.ApacheStands:
		return apacheStands(c, d), true
	default:
		return Phrase{}, false
	}
}

func apacheTimedOut(d mechanism.ApacheTimedOut) Phrase {
	field, late := "driverStartTimeoutMillis", "had not started in time"
	if d.Ready {
		field, late = "driverReadyTimeoutMillis", "was not ready in time"
	}
	if d.Within > 0 {
		late += " (" + age(d.Within) + ")"
	}
	says := fmt.Sprintf("the Apache Spark operator gave the driver up because it %s (%s)", late, d.State)
	switch {
	case d.Pull > 0 && !d.Ready:
		return Phrase{fmt.Sprintf("%s: the pull of its image took %s, and ended %s after its pod was created", says, age(d.Pull), age(d.Whole)),
			[]command.Command{command.Do("raise %s to %d or more (in %s), or make the image smaller, or pull it to the nodes before", field,
				(d.Whole + d.Whole/2).Round(time.Minute).Milliseconds(), apacheTimeouts)}}
	case d.Says != "":
		return Phrase{says + "; its pod waited: " + sentence(d.Says),
			[]command.Command{command.Do("correct what its pod waited for, or raise %s in %s", field, apacheTimeouts)}}
	case d.Ready:
		return Phrase{says, []command.Command{command.Do("see in the log of the driver what it did until then, or raise %s in %s", field,
			apacheTimeouts)}}
	default:
		return Phrase{says, []command.Command{command.Do("see what its pod waited for, or raise %s in %s", field, apacheTimeouts)}}
	}
}

func apacheExecutors(d mechanism.ApacheExecutorsTimedOut) Phrase {
	gaveUp := "the Apache Spark operator ended the application (" + app.ExecutorsStartTimedOut + ")"
	if d.Left > 0 {
		gaveUp = "the Apache Spark operator will end the application in " + age(d.Left) + ", as it does"
	}
	if d.Most > 0 {
		by := d.Setting
		if d.Unset {
			by += " is not set"
		}
		return Phrase{fmt.Sprintf("Spark asks for %s at most (%s), so that initExecutors %d can never be reached: %s%s",
			phrase.Counted(d.Most, "executor"), by, d.Asked, gaveUp, said(d.Within, " after ", "")),
			[]command.Command{command.Do("lower initExecutors in %s to %d or less, or raise %s to %d or more", apacheInstances, d.Most,
				d.Setting, d.Asked)}}
	}
	p := Phrase{fmt.Sprintf("%s because fewer than %s (initExecutors) were ready%s", gaveUp, phrase.Counted(d.Asked, "executor"),
		within(d.Within)), []command.Command{command.Do("see what the executors waited for, lower initExecutors in %s, or raise "+
		"executorStartTimeoutMillis in %s", apacheInstances, apacheTimeouts)}}
	if d.Begins > 0 {
		p.Says += fmt.Sprintf("; dynamic allocation begins with %d, and asks for more only while tasks wait", d.Begins)
	}
	return p
}

func (t Terms) apacheRefused(d mechanism.ApacheRefused) Phrase {
	of, spec := Made{"the driver", "sparkapplications/finalizers", snapshot.ApacheGroup}, "spec.driverSpec.podTemplateSpec"
	if d.Cluster {
		of, spec = Made{"the pods of the cluster", "sparkclusters/finalizers", snapshot.ApacheGroup}, "spec.masterSpec and spec.workerSpec"
	}
	what := of.pod
	says := fmt.Sprintf("the Apache Spark operator could not create %s (%s): ", what, app.SchedulingFailure)
	if d.Again {
		says = fmt.Sprintf("the Apache Spark operator could not create %s (%s), and will try again: ", what, app.SchedulingFailure)
	}
	if d.Refusal == nil {
		return Phrase{says + sentence(d.Says), []command.Command{command.Do("correct what the message names")}}
	}
	p := t.Refused(d.Refusal, of)
	p.Says = says + p.Says
	switch d.Refusal.Kind { // whose fields, and whose roles, are others
	case mechanism.PodSecurityRefuses:
		p.Do = []command.Command{command.Do("set the securityContext that Pod Security asks for in %s, or relax the label of the namespace",
			spec)}
	case mechanism.FinalizersForbidden:
		p.Do = []command.Command{command.Do("add update on its finalizers (apiGroup %s) to the operator's ClusterRole", "spark.apache.org")}
	}
	return p
}

func evictedNext(what mechanism.Shortage) command.Command {
	switch what {
	case mechanism.OwnDisk, mechanism.DiskShortage:
		return command.Do("raise the request of ephemeral-storage in the pod template of the driver (spec.driverSpec.podTemplateSpec), or let " +
			"it write less to disk")
	case mechanism.MemoryShortage:
		return command.Do("raise spark.driver.memory, so that the request is what the driver takes")
	default:
		return command.Do("see what the node lacked, and ask for it in the pod template of the driver (spec.driverSpec.podTemplateSpec)")
	}
}

func apacheFailed(d mechanism.ApacheFailed) Phrase {
	what := "the driver failed"
	if d.Cluster {
		what = "the cluster failed"
	}
	says := "the Apache Spark operator says that " + what
	switch {
	case d.Code != 0 && d.Reason != "":
		says += fmt.Sprintf(" (%s, exit code %d)", d.Reason, d.Code)
	case d.Code != 0:
		says += fmt.Sprintf(" (exit code %d)", d.Code)
	}
	if d.Again {
		says += ", and starts it again"
	}
	do := command.Do("keep the pod of the driver next time (spec.applicationTolerations.resourceRetainPolicy: OnFailure), and read its log")
	do.Later = true
	if d.Reason == "OOMKilled" {
		do = command.Do("raise spark.driver.memoryOverhead or spark.driver.memory")
	}
	return Phrase{says + ": " + sentence(d.Says), []command.Command{do}}
}

func apacheStands(c *cause.Cause, d mechanism.ApacheStands) Phrase {
	what := "the application"
	if d.Cluster {
		what = "the cluster"
	}
	switch {
	case d.State == "":
		return Phrase{fmt.Sprintf("the Apache Spark operator has not written a state of %s%s", what, lasting(d.For)),
			[]command.Command{command.Do("see whether the operator runs and watches namespace %s", c.Subject.Namespace)}}
	case d.Init > 0 && d.State == "InitializedBelowThresholdExecutors":
		return Phrase{fmt.Sprintf("%s runs with fewer executors than the %d of initExecutors%s (%s)", what, d.Init, lasting(d.For), d.State),
			[]command.Command{command.Do("see what the executors wait for")}}
	case d.Min > 0:
		return Phrase{fmt.Sprintf("%s runs with fewer executors than the %d of minExecutors%s (%s)", what, d.Min, lasting(d.For), d.State),
			[]command.Command{command.Do("see what the executors wait for, or why they were lost")}}
	default:
		return Phrase{Says: fmt.Sprintf("%s has been %s%s: %s", what, d.State, lasting(d.For), sentence(d.Says))}
	}
}
