package why_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestWhatCrashedAPythonWorker: the kernel did only where an event of a node says so, of a Python process, while tasks failed, and on a
// node of the executors where these are known.
func TestWhatCrashedAPythonWorker(t *testing.T) {
	c := numbered(t, "080")
	oom := func(o *unstructured.Unstructured) bool {
		return o.GetKind() == "Event" && o.Object["reason"] == "OOMKilling"
	}
	driver := slices.IndexFunc(c.objects, func(o unstructured.Unstructured) bool {
		return o.GetKind() == "Pod" && o.GetName() == "prophet-fit-driver"
	})
	require.GreaterOrEqual(t, driver, 0)
	executorOn := func(node string) []unstructured.Unstructured {
		p := c.objects[driver].DeepCopy()
		labels := p.GetLabels()
		labels["spark-role"] = "executor"
		p.SetLabels(labels)
		p.SetName("prophet-fit-0123456789abcdef-exec-1")
		p.SetUID("e1")
		p.Object["spec"].(map[string]any)["nodeName"] = node //nolint:forcetypeassert // a test
		p.Object["status"] = map[string]any{"phase": "Running"}
		return []unstructured.Unstructured{*p}
	}
	var node string
	for i := range c.objects {
		if oom(&c.objects[i]) {
			node, _, _ = unstructured.NestedString(c.objects[i].Object, "involvedObject", "name")
		}
	}
	require.NotEmpty(t, node)
	for name, tc := range map[string]struct {
		change func(event map[string]any)
		beside []unstructured.Unstructured
		want   cause.Class
	}{
		"as it was":       {func(map[string]any) {}, nil, cause.ClusterKilled},
		"on their node":   {func(map[string]any) {}, executorOn(node), cause.ClusterKilled},
		"on another node": {func(map[string]any) {}, executorOn("another"), cause.Unknown},
		"an hour before": {func(e map[string]any) {
			e["firstTimestamp"], e["lastTimestamp"] = "2026-07-22T21:24:56Z", "2026-07-22T21:24:56Z"
		},
			nil, cause.Unknown},
		"another program": {func(e map[string]any) { e["message"] = "Memory cgroup out of memory: Killed process 41000 (java)" },
			nil, cause.Unknown},
		"another reason": {func(e map[string]any) { e["reason"] = "TaskHung" }, nil, cause.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			objects := slices.Clone(tc.beside)
			for i := range c.objects {
				o := c.objects[i].DeepCopy()
				if oom(o) {
					tc.change(o.Object)
				}
				objects = append(objects, *o)
			}
			f := why.Open(c.Evidence(objects))
			require.Equal(t, tc.want, f.Verdict().Class, f.Verdict().Message)
		})
	}
}
