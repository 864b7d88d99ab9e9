package mechanism

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// sentence is a message of another program within one of ours: one line, bounded, without a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "."))
	if text == "" {
		return "no message says more"
	}
	const most, head = 400, 160
	if line := facts.OneLine(text, len(text)); len(line) > most {
		// Programs of Kubernetes wrap an error from the left: the cause stands at the end.
		return strings.ToValidUTF8(line[:head], "") + "… " + strings.ToValidUTF8(line[len(line)-(most-head):], "")
	}
	return facts.OneLine(text, most)
}

// Age is the time since then. Clocks differ: what lies ahead began now.
func (v *View) Age(since time.Time) string { return duration.HumanDuration(max(v.Now.Sub(since), 0)) }

func ago(v *View, at time.Time) string { return v.Age(at) + " ago" }

func nodeRef(n *corev1.Node) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: n.Name, UID: string(n.UID)}
}

// alsoRecorded adds what the operator wrote. Beside what the kubelet recorded it proves nothing more.
func (v *View) alsoRecorded(c *cause.Cause) {
	if v.Message != "" {
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: v.MessageField(), Value: v.Message,
			Beside: len(c.Evidence) > 0})
	}
}

func (v *View) nodeProof(c *cause.Cause, name, reason string) {
	for _, e := range v.eventsOn("Node", name, reason) {
		c.Evidence = append(c.Evidence, cause.Proof{Object: e.Involved, Field: "event " + reason, Value: e.Message, At: e.Last})
	}
}

func (v *View) priority(role string) string {
	if p := v.text("spec", role, "priorityClassName"); p != "" {
		return " (its own class is " + p + ")"
	}
	return ""
}

// PriorityNext is what to do about a preemption.
func PriorityNext(role string) command.Command {
	return command.Do("set %s.priorityClassName to a class of higher priority, or leave room for both", role)
}

// EvictionNext is what to do about an eviction by the kubelet, by what it said.
func EvictionNext(role, message string) command.Command {
	switch {
	case strings.Contains(message, "exceeds the total limit"), strings.Contains(message, "exceeds its local ephemeral"),
		strings.Contains(message, "exceeds the limit"):
		return command.Do("raise the ephemeral-storage limit or the sizeLimit of the volume of the %s, or put spark.local.dir on a volume "+
			"(a claim named spark-local-dir-1)", role)
	case strings.Contains(message, "ephemeral-storage"):
		return command.Do("request ephemeral-storage for the %s in its template, or put spark.local.dir on a volume (a claim named "+
			"spark-local-dir-1), so that the node keeps room", role)
	default:
		return command.Do("request for the %s what it uses (%s.memory and %s.memoryOverhead), so that the kubelet evicts others first", role,
			role,
			role)
	}
}

// oomOnNode are events of the kernel about the node of a pod around its end.
func (v *View) oomOnNode(p *corev1.Pod, end End) []cause.Proof {
	var out []cause.Proof
	for _, e := range v.eventsOn("Node", p.Spec.NodeName, "SystemOOM", "OOMKilling") {
		if d := e.Last.Sub(end.At); d > -30*time.Second && d < 30*time.Second {
			out = append(out, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	return out
}

// saidByCode is what an exit code alone makes likely: 127 and 126 are a shell's for a command that is missing or does not run (POSIX, 2.8.2
// Exit Status for Commands), 101 is that of spark-submit for a main class that is missing
// (core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.5, CLASS_NOT_FOUND_EXIT_STATUS). Python may exit with any.
func (v *View) saidByCode(c cause.Cause, code int) *cause.Cause {
	c.Effect, c.Trust = false, cause.BySpec
	kind := v.text("spec", "type")
	switch {
	case code == 127 || code == 126:
		c.Class = cause.Image
		c.Message = fmt.Sprintf("driver exited with exit code %d: its entrypoint is missing in image %s or cannot run", code, MainImage(v.Driver))
		c.Next = []command.Command{command.Do("use an image for Spark on Kubernetes, with /opt/entrypoint.sh")}
	case code == 101 && (kind == "Java" || kind == "Scala"):
		c.Class = cause.Configuration
		c.Message = fmt.Sprintf("driver exited with exit code 101: spark-submit did not find the main class %s", v.text("spec", "mainClass"))
		c.Next = []command.Command{command.Do("correct spec.mainClass or spec.mainApplicationFile")}
	default:
		return nil
	}
	return &c
}

// MainImage is the image of the container that Spark runs in.
func MainImage(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		if c.Name == MainName(p) {
			return c.Image
		}
	}
	return ""
}

// initFailed is about an init container that ended a pod.
func initFailed(v *View, p *corev1.Pod) (cause.Cause, bool) {
	for _, c := range p.Status.InitContainerStatuses {
		t := c.State.Terminated
		if t == nil && p.Status.Phase == corev1.PodFailed { // else the kubelet tries it again
			t = c.LastTerminationState.Terminated
		}
		if t == nil || t.ExitCode == 0 || p.Status.Phase == corev1.PodRunning || p.Status.Phase == corev1.PodSucceeded {
			continue
		}
		out := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Subject: podRef(p), At: t.FinishedAt.UTC(),
			Message: fmt.Sprintf("init container %s of the %s failed with exit code %d (%s), so Spark never started", c.Name, v.Main(), t.ExitCode,
				t.Reason),
			Evidence: []cause.Proof{{Object: podRef(p), Field: "status.initContainerStatuses[" + c.Name + "]", At: t.FinishedAt.UTC(),
				Value: facts.WithMessage(fmt.Sprintf("%s (exit code %d)", t.Reason, t.ExitCode), strings.TrimSpace(t.Message))}},
			Next: []command.Command{command.Do("read the log of the init container").With("kubectl -n %s logs %s -c %s", p.Namespace, p.Name,
				c.Name)},
		}
		if t.Reason == "OOMKilled" {
			out.Class, out.Certainty = cause.ClusterKilled, check.Proven
			out.Message = fmt.Sprintf("init container %s of the %s exceeded its memory limit%s (OOMKilled, 137), so Spark never started", c.Name,
				v.Main(), limitOf(p, c.Name))
			out.Next = append([]command.Command{command.Do("raise the memory limit of init container %s", c.Name)}, out.Next...)
		}
		v.alsoRecorded(&out)
		return out, true
	}
	return cause.Cause{}, false
}

// limitOf is the memory limit of an init container within a sentence: " of 256Mi".
func limitOf(p *corev1.Pod, name string) string {
	for i := range p.Spec.InitContainers {
		if q, has := p.Spec.InitContainers[i].Resources.Limits[corev1.ResourceMemory]; has && p.Spec.InitContainers[i].Name == name {
			return " of " + q.String()
		}
	}
	return ""
}

// Spec is a field of the spec as text; empty: it is not set.
func (v *View) Spec(path ...string) string {
	if v.Application == nil {
		return ""
	}
	field, found, _ := unstructured.NestedFieldNoCopy(v.Application.Object, append([]string{"spec"}, path...)...)
	if !found {
		return ""
	}
	return fieldText(field)
}

// fieldText writes maps as they stand on a command line: pool=spark.
func fieldText(field any) string {
	var parts []string
	switch one := field.(type) {
	case map[string]any:
		for key, value := range one {
			parts = append(parts, key+"="+fieldText(value))
		}
		slices.Sort(parts)
	case []any:
		for _, value := range one {
			parts = append(parts, fieldText(value))
		}
	default:
		return fmt.Sprint(field)
	}
	return strings.Join(parts, ", ")
}

// Settings are those of spec.sparkConf, without those whose name tells a secret.
func (v *View) Settings() map[string]string {
	out := map[string]string{}
	if v.Application == nil {
		return out
	}
	list, _, _ := unstructured.NestedMap(v.Application.Object, "spec", "sparkConf")
	for key, value := range list {
		lower := strings.ToLower(key)
		secret := slices.ContainsFunc([]string{"secret", "password", "token", ".key", "credential", "account.key", "sas"},
			func(word string) bool {
				return strings.Contains(lower, word)
			})
		if text, is := value.(string); is && !secret {
			out[key] = text
		}
	}
	return out
}
