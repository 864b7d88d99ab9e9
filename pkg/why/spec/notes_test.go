package spec_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

func view(t *testing.T, fields, status string, nodeLabels string, logs ...app.Log) *mechanism.View {
	t.Helper()
	var list []unstructured.Unstructured
	for _, text := range []string{`
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: etl, namespace: jobs}
spec: {` + fields + `}
status: {applicationState: {state: FAILED}, terminationTime: "2026-11-23T11:50:00Z", executionAttempts: 1, ` + status + `}`, `
apiVersion: v1
kind: Pod
metadata: {name: etl-driver, namespace: jobs, uid: d, labels: {spark-role: driver, sparkoperator.k8s.io/app-name: etl}}
spec: {nodeName: n1, containers: [{name: spark-kubernetes-driver}]}
status: {phase: Failed}`, `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {` + nodeLabels + `}}`} {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
		list = append(list, o)
	}
	subject := snapshot.Ref{Kind: "SparkApplication", Namespace: "jobs", Name: "etl"}
	return mechanism.Look(app.FromObjects(list, logs, subject, time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)))
}

// TestNotes: what the spec says beside a verdict, and the look-alikes beside which it says nothing.
func TestNotes(t *testing.T) {
	const drained = cause.Topics(0) // as are all that are about nothing of these
	const killed = cause.Memory | cause.OOMKilled | cause.OwnLimit
	for _, c := range []struct {
		name, fields, labels string
		class                cause.Class
		topics               cause.Topics
		role                 cause.Role
		says                 []string // each within one note, in order; none: nothing is said
	}{
		{"a limit below the tasks slows", "executor: {cores: 4, coreLimit: '1'}", "", cause.SlowButProgressing, 0, "executor",
			[]string{"executor.coreLimit is 1 and the executor runs 4 tasks at once"}},
		{"by the setting of Spark", "executor: {cores: 4}, sparkConf: {spark.kubernetes.executor.limit.cores: 1500m}", "", cause.Network,
			cause.TimesOut, "executor", []string{"sparkConf[spark.kubernetes.executor.limit.cores] is 1500m"}},
		{"a limit at the tasks does not", "executor: {cores: 4, coreLimit: '4'}", "", cause.SlowButProgressing, 0, "executor", nil},
		{"defaults in a ConfigMap are not read", "sparkConfigMap: conf", "", cause.Credentials, 0, "driver",
			[]string{"spark-defaults.conf in sparkConfigMap conf is not read"}},
		{"and have nothing to do with a disk", "sparkConfigMap: conf", "", cause.Storage, 0, "driver", nil},
		{"nor is it a matter of code that failed", "executor: {cores: 4, coreLimit: '1'}", "", cause.CodeFailed, 0, "executor", nil},
		{"nor of a host that does not answer", "executor: {cores: 4, coreLimit: '1'}", "", cause.Network, 0, "executor", nil},
		{"Python shares the overhead", "type: Python", "", cause.ClusterKilled, killed, "executor",
			[]string{"spark.executor.pyspark.memory is not set"}},
		{"which is set", "type: Python, sparkConf: {spark.executor.pyspark.memory: 1g}", "", cause.ClusterKilled, killed, "executor", nil},
		{"there is no Python", "type: Scala", "", cause.ClusterKilled, killed, "executor", nil},
		{"spot", "restartPolicy: {type: Always}", "karpenter.sh/capacity-type: spot", cause.ClusterKilled, drained, "driver",
			[]string{"node n1 is a spot node (karpenter.sh/capacity-type=spot)"}},
		{"on demand", "restartPolicy: {type: Always}", "karpenter.sh/capacity-type: on-demand", cause.ClusterKilled, drained, "driver", nil},
		{"spot does not kill for memory", "restartPolicy: {type: Always}", "karpenter.sh/capacity-type: spot", cause.ClusterKilled,
			killed, "driver", nil},
		{"never again", "mode: cluster", "", cause.ClusterKilled, drained, "driver", []string{"restartPolicy is Never"}},
		{"a policy that never retries", "restartPolicy: {type: OnFailure}", "", cause.ClusterKilled, drained, "driver",
			[]string{"no onFailureRetries"}},
		{"retries left", "restartPolicy: {type: OnFailure, onFailureRetries: 3}", "", cause.ClusterKilled, drained, "driver", nil},
		{"retries used up", "restartPolicy: {type: OnFailure, onFailureRetries: 0}", "", cause.ClusterKilled, drained, "driver",
			[]string{"its retries are used up (onFailureRetries 0)"}},
		{"code fails again", "mode: cluster", "", cause.CodeFailed, 0, "driver", nil},
		{"deleted soon", "timeToLiveSeconds: 1200", "", cause.CodeFailed, 0, "driver", []string{"in 10 min (12:10 UTC)"}},
		{"deleted some day", "timeToLiveSeconds: 864000", "", cause.CodeFailed, 0, "driver", nil},
		{"should be deleted already", "timeToLiveSeconds: 60", "", cause.CodeFailed, 0, "driver", nil},
		{"nothing is lost with success", "timeToLiveSeconds: 1200", "", cause.Succeeded, 0, "driver", nil},
		{"another Spark in the image", "sparkVersion: 3.5.5, image: 'reg.example:5000/spark:3.3.1-scala2.12'", "", cause.Dependency, 0,
			"driver",
			[]string{"sparkVersion is 3.5.5, and image reg.example:5000/spark:3.3.1-scala2.12 has Spark 3.3"}},
		{"a patch release is no other Spark", "sparkVersion: 3.5.5, image: 'spark:3.5.1'", "", cause.Dependency, 0, "driver", nil},
		{"the version of an application", "sparkVersion: 3.5.5, image: 'team/spark-etl:2.4.0'", "", cause.Dependency, 0, "driver", nil},
		{"the driver has its own image", "sparkVersion: 3.5.5, image: 'spark:3.3.1', driver: {image: 'team/etl:1'}", "", cause.Dependency, 0,
			"driver", nil},
		{"an image for another CPU", "mode: cluster", "kubernetes.io/arch: arm64", cause.Image, cause.OtherCPU, "driver",
			[]string{"node n1 is arm64, and the driver selects no kubernetes.io/arch"}},
		{"a missing image has no architecture", "mode: cluster", "kubernetes.io/arch: arm64", cause.Image, 0, "driver", nil},
		{"a queue of YARN", "sparkConf: {spark.yarn.queue: root}", "", cause.Quota, 0, "driver",
			[]string{"spark.yarn.queue in sparkConf has no effect"}},
		{"YARN's name for the overhead is honored", "sparkConf: {spark.yarn.executor.memoryOverhead: 1g, spark.yarn.am.memory: 2g}", "",
			cause.ClusterKilled,
			killed, "executor", []string{"spark.yarn.am.memory in sparkConf has no effect"}},
		{"a bound of Standalone", "sparkConf: {spark.cores.max: '8'}", "", cause.Scheduling, 0, "executor", []string{"spark.cores.max"}},
		{"settings that have nothing to do with it", "sparkConf: {spark.yarn.queue: root, spark.cores.max: '8', spark.master: yarn}", "",
			cause.CodeFailed,
			0, "driver", nil},
		{"only where it begins", "executor: {instances: 4}, dynamicAllocation: {enabled: true}", "", cause.Quota, 0, "executor",
			[]string{"executor.instances 4 is only where it begins"}},
		{"bounded", "executor: {instances: 4}, dynamicAllocation: {enabled: true, maxExecutors: 4}", "", cause.Quota, 0, "executor", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var texts []string
			verdict := &cause.Cause{Class: c.class, Topics: c.topics, Subject: snapshot.Ref{Kind: "Pod", Namespace: "jobs", Name: "etl-driver"}}
			for _, n := range spec.Notes(view(t, c.fields, "", c.labels), verdict, c.role) {
				texts = append(texts, words.Terms{}.OfNote(&n).Says)
				require.NotContains(t, texts[len(texts)-1], "\n")
			}
			require.Len(t, texts, len(c.says), strings.Join(texts, "; "))
			for i := range c.says {
				require.Contains(t, texts[i], c.says[i])
			}
		})
	}
}

// TestTheLogKnowsTheVersion: what SparkContext logged counts, whatever the tag says.
func TestTheLogKnowsTheVersion(t *testing.T) {
	log := app.Log{Namespace: "jobs", Pod: "etl-driver", Container: "spark-kubernetes-driver",
		Tail: "26/11/23 11:00:00 INFO SparkContext: Running Spark version 3.4.2\n"}
	missing := &cause.Cause{Class: cause.Dependency}
	notes := spec.Notes(view(t, "sparkVersion: 3.5.5, image: 'spark:3.5.5'", "", "", log), missing, "driver")
	require.Len(t, notes, 1)
	require.Contains(t, words.Terms{}.OfNote(&notes[0]).Says, "the driver by its log has Spark 3.4")
	require.Empty(t, spec.Notes(view(t, "sparkVersion: 3.4.1, image: 'spark:3.5.5'", "", "", log), missing, "driver"))
}
