package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestTimeOutsWithoutExecutors: a driver that gave up for the time follows from executors that could not start only where it complained of
// having none until then, and none had come.
func TestTimeOutsWithoutExecutors(t *testing.T) {
	const complaint = "WARN TaskSchedulerImpl: Initial job has not accepted any resources"
	for name, row := range map[string]struct {
		change func(*testing.T, *corpusCase)
		class  string
		says   string
		ran    int
	}{
		"none came": {func(*testing.T, *corpusCase) {}, "storage", "3 of 3 executors could not start: the node has no program to mount nfs", 0},
		"it did not complain": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, complaint, "WARN TaskSchedulerImpl: x")
		}, "configuration", "broadcast", 0},
		"one came late": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, "26/05/06 10:07:35 ERROR Exposure", "26/05/06 10:07:21 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: "+
				"Registered executor NettyRpcEndpointRef(spark-client://Executor) (10.0.0.1:5) with ID 1,  ResourceProfileId 0\n"+
				"26/05/06 10:07:35 ERROR Exposure")
		}, "configuration", "broadcast", 0},
		"it failed of something else": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, "Could not execute broadcast in 300 secs.", "Java heap space, said x.")
		}, "", "heap space", 0},
		"the executors had started": {func(t *testing.T, c *corpusCase) {
			for i := range c.objects {
				if reason, _, _ := unstructured.NestedString(c.objects[i].Object, "reason"); reason == "Scheduled" {
					require.NoError(t, unstructured.SetNestedField(c.objects[i].Object, "Started", "reason"))
				}
			}
		}, "configuration", "broadcast", 3},
	} {
		c := numbered(t, "817")
		row.change(t, &c)
		f := c.whole()
		if row.class != "" {
			require.Equal(t, row.class, string(f.Verdict().Class), "%s: %s", name, f.Verdict().Message)
		}
		require.Contains(t, f.Verdict().Message, row.says, name)
		require.Equal(t, row.ran, f.Executors.Ran, name)
	}
}
