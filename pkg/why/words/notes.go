package words

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
)

// OfNote says what the spec adds to a verdict. Like Of, it panics on a detail for which there are no words.
func (t Terms) OfNote(n *spec.Note) Phrase {
	switch d := n.Detail.(type) {
	case spec.Throttled:
		return Phrase{Says: fmt.Sprintf("%s is %s and the %s runs %s tasks at once, so the kernel likely throttles them", d.Field, d.Limit,
			d.Role, d.Cores), Do: []command.Command{command.Do("raise or remove %s", t.of(d.Field))}}
	case spec.SharedByPython:
		return Phrase{Says: "Python workers have no limit of their own (spark.executor.pyspark.memory is not set): they share the overhead " +
			"with the JVM's native memory", Do: []command.Command{
			command.Do("set spark.executor.pyspark.memory if Python workers hold the memory: Spark adds it to the limit")}}
	case spec.OtherSpark:
		where := "the driver by its log"
		if d.Image != "" {
			where = "image " + d.Image
		}
		return Phrase{Says: fmt.Sprintf("sparkVersion is %s, and %s has Spark %s", d.Says, where, d.Holds), Do: []command.Command{
			command.Do("use packages for Spark %s, and set sparkVersion to the version of the image", d.Holds)}}
	case spec.OtherArchitecture:
		p := Phrase{Says: fmt.Sprintf("node %s is %s", d.Node, d.Architecture)}
		if !d.Selected {
			p.Says += fmt.Sprintf(", and the %s selects no %s", d.Role, corev1.LabelArchStable)
		}
		return p
	case spec.OnSpot:
		return t.onSpot(d)
	case spec.NotRetried:
		return notRetried(d)
	case spec.Expires:
		return Phrase{Says: fmt.Sprintf("timeToLiveSeconds deletes the application with its pods and logs in %s (%s UTC)", age(d.In),
			d.At.UTC().Format("15:04")), Do: []command.Command{command.Do("save the evidence before it is deleted").
			With("kubectl sparkdoctor snapshot -n %s --logs -o %s.tar.gz", d.Application.Namespace, d.Application.Name)}}
	case spec.Unmutated:
		return Phrase{Says: fmt.Sprintf("the driver's pod lacks %s of spec.driver.env, which the operator's webhook adds",
			strings.Join(d.Variables, ", ")), Do: []command.Command{command.Do("see whether the webhook is on, and whether it can be called").
			With("kubectl sparkdoctor scan -n %s", d.Application.Namespace)}}
	case spec.ReadOnlyRoot:
		p := Phrase{Says: fmt.Sprintf("the root file system of the %s is read-only (securityContext.readOnlyRootFilesystem)", d.Role)}
		if d.NoTmp {
			p.Says += ", and no volume is mounted at /tmp"
			p.Do = []command.Command{command.Do("mount an emptyDir at /tmp: spec.volumes and %s.volumeMounts", d.Role)}
		}
		return p
	default:
		return ignoredSetting(n)
	}
}

func (t Terms) onSpot(d spec.OnSpot) Phrase {
	p := Phrase{Says: fmt.Sprintf("the %s selects spot nodes (%s)", d.Role, d.Label)}
	if d.Node != "" {
		p.Says = fmt.Sprintf("node %s is a spot node (%s)", d.Node, d.Label)
	}
	switch {
	case d.Role == cause.DriverRole:
		p.Do = []command.Command{t.do("run the driver on nodes that stay ({driver.nodeSelector} or {driver.affinity})")}
	case !d.Decommissions:
		p.Says += ", and spark.decommission.enabled is not set"
	}
	return p
}

func notRetried(d spec.NotRetried) Phrase {
	switch {
	case d.Bounded:
		return Phrase{Says: fmt.Sprintf("its retries are used up (onFailureRetries %d)", d.Retries)}
	case d.Policy == "OnFailure":
		return Phrase{Says: "restartPolicy OnFailure has no onFailureRetries, so the operator does not run it again",
			Do: []command.Command{command.Do("set restartPolicy.onFailureRetries")}}
	default:
		return Phrase{Says: "restartPolicy is Never, so the operator does not run it again",
			Do: []command.Command{command.Do("set restartPolicy OnFailure with onFailureRetries, to run it again after such an end")}}
	}
}

// ignoredSetting is about what is set and does nothing, or not what it seems to.
func ignoredSetting(n *spec.Note) Phrase {
	switch d := n.Detail.(type) {
	case spec.NoEffect:
		because := map[spec.Unread]string{
			spec.YARNOnly:           "it is read on YARN only",
			spec.YARNRetries:        "it is read on YARN only; on Kubernetes restartPolicy retries",
			spec.StandaloneOnly:     "Spark Standalone reads it; on Kubernetes executor.instances and executor.cores count",
			spec.OperatorsOwnCounts: "the operator gives its own as an argument",
		}[d.Because]
		return Phrase{Says: fmt.Sprintf("%s in sparkConf has no effect: %s", d.Setting, because)}
	case spec.UnreadDefaults:
		return Phrase{Says: fmt.Sprintf("a spark-defaults.conf in sparkConfigMap %s is not read: the driver starts with a properties file of "+
			"its own", d.ConfigMap), Do: []command.Command{
			command.Do("set in sparkConf or hadoopConf what spark-defaults.conf of ConfigMap %s sets", d.ConfigMap)}}
	case spec.StartOnly:
		return Phrase{Says: fmt.Sprintf("with dynamic allocation executor.instances %d is only where it begins, and maxExecutors is not set",
			d.Instances)}
	default:
		panic("no words for what the spec adds: " + string(n.Detail.Mechanism()))
	}
}
