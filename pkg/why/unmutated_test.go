package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// inEach changes the objects of a kind, the container of whose pods, or whose spec.driver, is handed over.
func (c *corpusCase) inEach(t *testing.T, kind string, change func(map[string]any)) {
	t.Helper()
	for i := range c.objects {
		o := &c.objects[i]
		if o.GetKind() != kind {
			continue
		}
		if kind == "Pod" {
			list, found, err := unstructured.NestedSlice(o.Object, "spec", "containers")
			require.NoError(t, err)
			require.True(t, found)
			container, is := list[0].(map[string]any)
			require.True(t, is)
			change(container)
			require.NoError(t, unstructured.SetNestedSlice(o.Object, list, "spec", "containers"))
			continue
		}
		driver, found, err := unstructured.NestedMap(o.Object, "spec", "driver")
		require.NoError(t, err)
		require.True(t, found)
		change(driver)
		require.NoError(t, unstructured.SetNestedMap(o.Object, driver, "spec", "driver"))
	}
}

// inLogs replaces words in the logs, which must be there.
func (c *corpusCase) inLogs(t *testing.T, pairs ...string) {
	t.Helper()
	logs, found := map[string]string{}, false
	for file, text := range c.logs {
		found = found || strings.Contains(text, pairs[0])
		logs[file] = strings.NewReplacer(pairs...).Replace(text)
	}
	require.True(t, found, pairs[0])
	c.logs = logs
}

// TestWhatTheWebhookDidNotBring: a file or a variable that the program misses is a matter of the webhook only where the spec asks for it
// and the pod does not have it.
func TestWhatTheWebhookDidNotBring(t *testing.T) {
	const file = "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/thresholds/thresholds.yaml'"
	variable := func(of map[string]any) { of["env"] = []any{map[string]any{"name": "LIMITS", "value": "x"}} }
	for name, row := range map[string]struct {
		change func(*testing.T, *corpusCase)
		class  string
		says   string
	}{
		"a volume": {func(*testing.T, *corpusCase) {}, "configuration", "the driver lacks volume thresholds at /mnt/thresholds of the spec"},
		"the pod has it": {func(t *testing.T, c *corpusCase) {
			c.inEach(t, "Pod", func(of map[string]any) {
				of["volumeMounts"] = []any{map[string]any{"name": "thresholds", "mountPath": "/mnt/thresholds"}}
			})
		}, "codeFailed", "FileNotFoundError"},
		"another file": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, "/mnt/thresholds/", "/mnt/thresholds-old/")
		}, "codeFailed", "/mnt/thresholds-old/"},
		"the file is there and holds nonsense": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "ValueError: no limit in /mnt/thresholds/thresholds.yaml")
		}, "codeFailed", "ValueError"},
		"a variable": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "KeyError: 'LIMITS'")
			c.inEach(t, "SparkApplication", variable)
		}, "configuration", "the driver lacks variable LIMITS of the spec"},
		"a variable that the spec does not set": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "KeyError: 'LIMITS'")
		}, "codeFailed", "KeyError"},
		"a variable that the pod has": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "KeyError: 'LIMITS'")
			c.inEach(t, "SparkApplication", variable)
			c.inEach(t, "Pod", variable)
		}, "codeFailed", "KeyError"},
	} {
		c := caseNamed(t, "816-volume-never-reached-the-pods")
		row.change(t, &c)
		f := why.Open(c.evidence(c.objects, ""))
		require.Equal(t, row.class, string(f.Verdict().Class), "%s: %s", name, f.Verdict().Message)
		require.Contains(t, f.Verdict().Message, row.says, name)
	}
}

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
		c := caseNamed(t, "817-nodes-have-no-helper-for-nfs")
		row.change(t, &c)
		f := why.Open(c.evidence(c.objects, ""))
		if row.class != "" {
			require.Equal(t, row.class, string(f.Verdict().Class), "%s: %s", name, f.Verdict().Message)
		}
		require.Contains(t, f.Verdict().Message, row.says, name)
		require.Equal(t, row.ran, f.Executors.Ran, name)
	}
}
