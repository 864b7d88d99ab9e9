package why_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestNoRivalLeavesAnAnswerProven adds to each proven case, and to each fixture of a mechanism, what speaks for each rival of its
// mechanism: the answer is then likely, or another one, unless the table says why both may hold.
func TestNoRivalLeavesAnAnswerProven(t *testing.T) {
	t.Parallel()
	tried, generators := map[cause.RivalID]int{}, rivals()
	for _, of := range append(sampling.NightlyOf(shown(t)), fixtures(t)...) {
		one := decoded(t, of)
		lead, certainty, needs := why.Lead(one.Evidence(one.objects))
		if certainty != check.Proven {
			continue
		}
		for _, r := range needs.Rivals {
			changed := decoded(t, of)
			changed.Logs = maps.Clone(of.Logs)
			if !generators[r.ID](&changed, &lead) {
				continue
			}
			tried[r.ID]++
			now, certainty, _ := why.Lead(changed.Evidence(changed.objects))
			same := now.Detail != nil && now.Detail.Mechanism() == lead.Detail.Mechanism()
			if r.Both == "" && certainty == check.Proven && same {
				t.Errorf("%s: %s is still proven beside %s", one.ID, lead.Detail.Mechanism(), r.ID)
			}
		}
	}
	t.Log(tried)
	if !sampling.Nightly() {
		return
	}
	for id := range generators {
		require.Positive(t, tried[id], id)
	}
}

// TestEachRivalHasAGenerator: without one, nothing shows that the rival is ruled out.
func TestEachRivalHasAGenerator(t *testing.T) {
	generators, used := rivals(), map[cause.RivalID]bool{}
	of := mechanism.AllNeeds()
	for id, n := range of {
		for _, r := range n.Rivals {
			require.Contains(t, generators, r.ID, id)
			used[r.ID] = true
		}
	}
	for id := range generators {
		require.True(t, used[id], "no mechanism has the rival %s", id)
	}
}

// rival adds what speaks for it to a case; false: it cannot be in this one.
type rival func(c *corpusCase, lead *cause.Cause) bool

func rivals() map[cause.RivalID]rival {
	later := func(reason string) rival { return podEvent(reason, func(c *corpusCase) time.Time { return c.AsOf }) }
	return map[cause.RivalID]rival{
		"node-ran-out":       nodeEvent("SystemOOM", 0),
		"node-ready-again":   nodeEvent("NodeReady", time.Minute),
		"ended-before":       endedBefore,
		"evicted":            evicted,
		"earlier-pod":        earlierPod,
		"earlier-run":        earlierRun,
		"pod-deleted":        podDeleted,
		"stopped-otherwise":  unhealthyBefore,
		"scheduled-since":    later("Scheduled"),
		"started-since":      later("Started"),
		"pulled-since":       later("Pulled"),
		"admitted-since":     admitted,
		"limit-defaulted":    notWhole,
		"executors-came":     executorsRun,
		"not-in-input":       notWhole,
		"made-since":         serverRuns,
		"node-lost":          nodeLost,
		"failure-swallowed":  failureSwallowed,
		"queue-suspends":     queueLabel,
		"volume-undeclared":  noVolumes,
		"spec-changed":       specWritten,
		"taken-back":         otherArrived,
		"submitted-since":    submitted,
		"taken-away":         takenAway,
		"survived":           jobAfter,
		"identity-unreached": noIdentity,
		"not-mutated":        notMutated,
		"ended-otherwise":    executorEvicted,
	}
}

// find returns an object of a case; nil: it has none of that name.
func (c *corpusCase) find(kind, name string) map[string]any {
	at := slices.IndexFunc(c.objects, func(o unstructured.Unstructured) bool { return o.GetKind() == kind && o.GetName() == name })
	if at < 0 {
		return nil
	}
	return c.objects[at].Object
}

// application is the application of a case; nil: it has none.
func (c *corpusCase) application() map[string]any {
	isOne := func(o unstructured.Unstructured) bool { return o.GetKind() == "SparkApplication" }
	at := slices.IndexFunc(c.objects, func(o unstructured.Unstructured) bool { return isOne(o) && o.GetName() == c.Subject().Name })
	if at < 0 { // of a schedule, or of a pod
		at = slices.IndexFunc(c.objects, isOne)
	}
	if at < 0 {
		return nil
	}
	return c.objects[at].Object
}

// driver is the newest driver pod of a case; nil: it has none.
func (c *corpusCase) driver() map[string]any {
	var out map[string]any
	var newest string
	for i := range c.objects {
		o := &c.objects[i]
		created, _, _ := unstructured.NestedString(o.Object, "metadata", "creationTimestamp")
		other := o.GetLabels()["sparkoperator.k8s.io/app-name"] != c.Subject().Name
		if o.GetKind() == "Pod" && o.GetLabels()["spark-role"] == "driver" && created >= newest && (!other || out == nil) {
			out, newest = o.Object, created
		}
	}
	return out
}

// pending are the names of the pods that have not started.
func (c *corpusCase) pending() (out []string) {
	for i := range c.objects {
		o := &c.objects[i]
		if phase, _, _ := unstructured.NestedString(o.Object, "status", "phase"); o.GetKind() == "Pod" && phase == "Pending" {
			out = append(out, o.GetName())
		}
	}
	return out
}

// event adds one.
func (c *corpusCase) event(kind, name, reason string, at time.Time) {
	when := at.UTC().Format(time.RFC3339)
	c.objects = append(c.objects, unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Event",
		"metadata":       map[string]any{"name": name + ".added", "namespace": c.Namespace, "creationTimestamp": when},
		"involvedObject": map[string]any{"apiVersion": "v1", "kind": kind, "name": name, "namespace": c.Namespace},
		"reason":         reason, "message": "added by a test", "type": "Normal", "count": int64(1),
		"firstTimestamp": when, "lastTimestamp": when, "source": map[string]any{"component": "kubelet"},
	}})
}

func podEvent(reason string, at func(*corpusCase) time.Time) rival {
	return func(c *corpusCase, lead *cause.Cause) bool {
		for _, name := range append(c.pending(), lead.Subject.Name) { // others that wait for the same would take its place
			c.event("Pod", name, reason, at(c))
		}
		return c.find("Pod", lead.Subject.Name) != nil
	}
}

// nodeEvent adds an event of the node that a pod ran on, a while after its end.
func nodeEvent(reason string, late time.Duration) rival {
	return func(c *corpusCase, lead *cause.Cause) bool {
		node, _, _ := unstructured.NestedString(c.find("Pod", lead.Subject.Name), "spec", "nodeName")
		c.event("Node", node, reason, lead.At.Add(late))
		return node != ""
	}
}

// lastLine adds lines to the end of a log of Spark, a minute after its last.
func (c *corpusCase) lastLine(pod string, lines ...string) bool {
	for file, text := range c.Logs {
		if !strings.Contains(file, "_"+pod+"_spark-kubernetes-driver.log") {
			continue
		}
		all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for _, line := range slices.Backward(all) {
			m := sparkLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at, err := time.Parse("06/01/02 15:04:05", m[1]+"/"+m[2]+"/"+m[3]+" "+m[4])
			if err != nil {
				return false
			}
			stamp := at.Add(time.Minute).Format("06/01/02 15:04:05 ")
			for _, one := range lines {
				if !strings.HasPrefix(one, "Exception in thread ") && !strings.HasPrefix(one, "\t") {
					one = stamp + one
				}
				all = append(all, one)
			}
			c.Logs[file] = strings.Join(all, "\n") + "\n"
			return true
		}
	}
	return false
}
