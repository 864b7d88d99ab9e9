package why_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// foreign is a pod of an application that no operator of ours started.
func foreign(name, selector, role, spec, status string) string {
	return `
apiVersion: v1
kind: Pod
metadata: {name: ` + name + `, namespace: jobs, uid: ` + name + `, creationTimestamp: "2026-11-23T11:00:00Z",
  labels: {spark-role: ` + role + `, spark-app-selector: ` + selector + `, spark-app-name: etl}}
spec: {nodeName: n1, containers: [{name: spark-kubernetes-` + role + spec + `}]}
status: {` + status + `}`
}

// TestForeignApplications: what its pods say is said in the words of spark-submit, and pods of another application say nothing of it.
func TestForeignApplications(t *testing.T) {
	limited := `, image: "spark:3.5.5", resources: {limits: {memory: 1433Mi}}`
	terminated := func(container, code, reason string) string {
		return `phase: Failed, containerStatuses: [{name: ` + container + `, state: {terminated: {exitCode: ` + code + `, reason: ` + reason +
			`, startedAt: "2026-11-23T11:00:10Z", finishedAt: "2026-11-23T11:40:00Z"}}}]`
	}
	runs := func(container string) string {
		return `phase: Running, containerStatuses: [{name: ` + container + `, ready: true, state: {running: {startedAt: "2026-11-23T11:00:10Z"}}}]`
	}
	const driver, executor = "spark-kubernetes-driver", "spark-kubernetes-executor"
	for name, c := range map[string]struct {
		docs  []string
		class cause.Class
		says  []string
	}{
		"killed for memory": {[]string{foreign("etl-driver", "s1", "driver", limited, terminated(driver, "137", "OOMKilled")),
			foreign("etl-exec-1", "s1", "executor", "", runs(executor))}, cause.ClusterKilled,
			[]string{"OOMKilled", "1433Mi", "spark.driver.memoryOverhead"}},
		"image cannot be pulled": {[]string{foreign("etl-driver", "s1", "driver", limited,
			`phase: Pending, containerStatuses: [{name: `+driver+`, state: {waiting: {reason: ImagePullBackOff, message: "unauthorized"}}}]`)}, cause.Image,
			[]string{"spark.kubernetes.container.image.pullSecrets"}},
		"an executor waits": {[]string{foreign("etl-driver", "s1", "driver", limited, runs(driver)),
			foreign("etl-exec-1", "s1", "executor", "", unfit)},
			cause.Scheduling, []string{"1 of 1 executors have been pending", "spark.executor.memory"}},
		"runs, while another one of the name failed": {[]string{foreign("etl-driver", "s1", "driver", limited, runs(driver)),
			foreign("etl-exec-1", "s1", "executor", "", runs(executor)),
			foreign("old-driver", "s0", "driver", limited, terminated(driver, "137", "OOMKilled")),
			foreign("old-exec-1", "s0", "executor", "", terminated(executor, "137", "OOMKilled"))}, cause.RunningNormally, []string{"1 executor"}},
		"completed": {[]string{foreign("etl-driver", "s1", "driver", limited,
			strings.Replace(terminated(driver, "0", "Completed"), "Failed", "Succeeded", 1))},
			cause.Succeeded, []string{"exited with 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			var list []unstructured.Unstructured
			for _, text := range c.docs {
				var o unstructured.Unstructured
				require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
				list = append(list, o)
			}
			f := why.Open(app.FromObjects(list, nil, snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "jobs", Name: "etl-driver"},
				time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)))
			text := corpus.Text(f.Verdict())
			require.Equal(t, c.class, f.Verdict().Class, text)
			for _, word := range c.says {
				require.Contains(t, text, word)
			}
			for _, word := range []string{"spec.image", " driver.memory", "applicationState", "sparkapplication", "<nil>"} {
				require.NotContains(t, text, word)
			}
			require.Equal(t, name != "image cannot be pulled", len(f.Unseen) > 0, "its log was not read; a container that never started has none")
		})
	}
}
