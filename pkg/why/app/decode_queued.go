package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

func decodeQueued(o *unstructured.Unstructured) Queued {
	f := whole.Fields(o.Object)
	q := Queued{Ref: refOf(o), Queue: cmp.Or(f.Text("spec", "queueName"), f.Text("spec", "queue"))}
	for _, path := range []string{"minMember", "minResources", "queue"} {
		if value, is := f.Value("spec", path); is {
			q.Asks = append(q.Asks, Field{Path: "spec." + path, Value: asText(value)})
		}
	}
	if value, is := f.Value("spec", "minResources"); is {
		q.Wants = asText(value)
		q.Least = amounts(f.Object("spec", "minResources"))
	}
	for _, one := range f.Objects("status", "conditions") {
		c := conditionOf(one)
		c.Says = queueSays(c.Reason, c.Message)
		q.Conditions = append(q.Conditions, c)
	}
	return q
}

func decodeQueue(o *unstructured.Unstructured) Queue {
	f := whole.Fields(o.Object)
	return Queue{Ref: refOf(o), Capability: amounts(f.Object("spec", "capability")), Allocated: amounts(f.Object("status", "allocated"))}
}

func conditionOf(f whole.Fields) Condition {
	return Condition{Type: f.Text("type"), Status: f.Text("status"), Reason: f.Text("reason"), Message: f.Text("message")}
}

func decodeClusterQueue(o *unstructured.Unstructured) ClusterQueue {
	q := ClusterQueue{Ref: refOf(o)}
	for _, one := range whole.Fields(o.Object).Objects("status", "conditions") {
		if c := conditionOf(one); c.Type == "Active" && c.Status == "False" {
			q.Inactive, q.Missing = c, missingFlavors(c.Message)
		}
	}
	return q
}

// missingFlavors are the names in the condition of a ClusterQueue that refers to ResourceFlavors which do not exist. Its message joins
// several faults by a comma and a space, and names by a comma alone; earlier releases print them as [a b]
// (kubernetes-sigs/kueue pkg/cache/scheduler/clusterqueue.go@013c8f2 and test/integration/singlecluster/scheduler).
func missingFlavors(message string) []string {
	_, names, is := strings.Cut(message, "references missing ResourceFlavor(s): ")
	if !is {
		return nil
	}
	if list, is := strings.CutPrefix(names, "["); is {
		list, _, _ = strings.Cut(list, "]")
		return strings.Fields(list)
	}
	names, _, _ = strings.Cut(names, ", ")
	return strings.Split(strings.TrimSuffix(names, "."), ",")
}

// amounts are quantities by their names. What is none is left out.
func amounts(f whole.Fields) corev1.ResourceList {
	out := corev1.ResourceList{}
	for name, value := range f {
		if q, err := resource.ParseQuantity(fmt.Sprint(value)); err == nil {
			out[corev1.ResourceName(name)] = q
		}
	}
	return out
}

func queueSays(reason, message string) QueueSays {
	lower := strings.ToLower(message)
	kind, rest, _ := strings.Cut(message, " ")
	says := QueueSays{
		Stopped: strings.HasSuffix(message, " is stopped"), // Kueue pkg/controller/core/workload_controller.go@v0.14.4
		Invalid: strings.Contains(message, "doesn't exist") || strings.Contains(message, "inactive") || strings.Contains(reason, "Inadmissible"),
		Quota:   strings.Contains(lower, "quota") || strings.Contains(lower, "queue"),
		Memory:  strings.Contains(lower, "memory"), Executors: strings.Contains(message, "pod set executor"),
	}
	switch { // Kueue pkg/controller/core/workload_controller.go@v0.14.4
	case kind != "LocalQueue" && kind != "ClusterQueue":
	case strings.HasSuffix(message, " doesn't exist"):
		says.Absent = kind
	case strings.HasSuffix(message, " is inactive"):
		says.Inactive = kind
	}
	if says.Absent != "" || says.Inactive != "" {
		says.Name, _, _ = strings.Cut(rest, " ")
	}
	return says
}

// asText writes maps as they stand on a command line: pool=spark.
func asText(field any) string {
	var parts []string
	switch one := field.(type) {
	case map[string]any:
		for key, value := range one {
			parts = append(parts, key+"="+asText(value))
		}
		slices.Sort(parts)
	case []any:
		for _, value := range one {
			parts = append(parts, asText(value))
		}
	default:
		return fmt.Sprint(field)
	}
	return strings.Join(parts, ", ")
}
