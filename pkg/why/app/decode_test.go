package app

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

func objectOf(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err)
	o := &unstructured.Unstructured{}
	require.NoError(t, utiljson.Unmarshal(asJSON, &o.Object))
	return o
}

const (
	head = `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: etl
  namespace: jobs
  uid: u
  generation: 3
  creationTimestamp: "2026-11-23T11:00:00Z"
  deletionTimestamp: "2026-11-23T12:00:00Z"
  finalizers: [f]
  labels: {a: b}
  ownerReferences: [{kind: ScheduledSparkApplication, name: nightly, apiVersion: x/v1, uid: s}]
  managedFields: [{manager: kubectl, operation: Update, time: "2026-11-23T11:30:00Z", fieldsV1: {"f:spec": {}}}, {time: never}, 3]
`
	wholeApplication = head + `
spec:
  type: Scala
  mode: cluster
  image: spark:3.5.5
  sparkVersion: 3.5.5
  mainClass: com.acme.Main
  memoryOverheadFactor: "0.2"
  sparkConfigMap: conf
  suspend: true
  timeToLiveSeconds: 600
  batchSchedulerOptions: {queue: root.etl}
  dynamicAllocation: {enabled: true, maxExecutors: 9}
  restartPolicy: {type: OnFailure, onFailureRetries: 0, onSubmissionFailureRetries: 2}
  sparkConf: {spark.x: "1", spark.n: 2}
  volumes: [{name: data, emptyDir: {}}]
  driver:
    cores: 2
    coreRequest: 500m
    coreLimit: "3"
    memory: 4g
    memoryOverhead: 1g
    memoryLimit: 6Gi
    instances: 1
    podName: p
    priorityClassName: high
    image: spark:driver
    javaOptions: -Xss1m
    nodeSelector: {zone: b, pool: spark}
    env: [{name: TOKEN, value: hunter2}]
    envFrom: [{secretRef: {name: s}}, {configMapRef: {name: c}}, {}]
    volumeMounts: [{name: data, mountPath: /data}]
    configMaps: [{name: rules, path: /etc/rules}]
    template:
      spec:
        serviceAccountName: spark
        containers: [{name: main, image: i, env: [{name: TOKEN, value: hunter2}]}]
status:
  applicationState: {state: FAILED, errorMessage: it failed}
  lastSubmissionAttemptTime: "2026-11-23T11:01:00Z"
  terminationTime: "2026-11-23T11:02:00Z"
  executionAttempts: 4
  driverInfo: {podName: etl-driver}
  submissionID: id
  executorState: {etl-exec-1: FAILED, etl-exec-2: 3}
`
)

func clock(text string) time.Time {
	at, err := time.Parse(time.RFC3339, "2026-11-23T"+text+"Z")
	if err != nil {
		panic(err)
	}
	return at
}

func wholeDriver() Role {
	return Role{
		Cores: 2, CoreRequest: "500m", CoreLimit: "3", Memory: "4g", MemoryOverhead: "1g", MemoryLimit: "6Gi", Instances: 1, PodName: "p",
		PriorityClassName: "high", Image: "spark:driver", JavaOptions: "-Xss1m", Env: []string{"TOKEN"},
		NodeSelector: map[string]string{"pool": "spark", "zone": "b"}, Labels: map[string]string{}, Annotations: map[string]string{},
		EnvFrom:      []VariablesOf{{"Secret", "s"}, {"ConfigMap", "c"}},
		VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}}, ConfigMaps: []Mount{{"rules", "/etc/rules"}},
		Template: Template{Containers: []TemplateContainer{{"main", "i"}}, Pod: corev1.PodSpec{ServiceAccountName: "spark",
			Containers: []corev1.Container{{Name: "main", Image: "i", Env: []corev1.EnvVar{{Name: "TOKEN"}}}}}},
	}
}

// noRole is a role of which nothing is said.
func noRole() Role {
	return Role{NodeSelector: map[string]string{}, Labels: map[string]string{}, Annotations: map[string]string{}}
}

func TestDecodeReadsEveryField(t *testing.T) {
	a := Decode(objectOf(t, wholeApplication))
	require.Equal(t, Spec{
		Type: "Scala", Mode: "cluster", Image: "spark:3.5.5", SparkVersion: "3.5.5", MainClass: "com.acme.Main", MemoryOverheadFactor: "0.2",
		SparkConfigMap: "conf", Suspend: true, TimeToLiveSeconds: 600, Queue: "root.etl",
		DynamicAllocation: DynamicAllocation{Enabled: true, MaxExecutors: new(9)},
		RestartPolicy:     RestartPolicy{Type: "OnFailure", OnFailureRetries: new(0)},
		Conf:              map[string]string{"spark.x": "1"}, HadoopConf: map[string]string{}, NodeSelector: map[string]string{},
		Volumes:  []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
		Executor: noRole(), Server: noRole(), Driver: wholeDriver(),
		Shown: map[string]string{
			"image": "spark:3.5.5", "sparkVersion": "3.5.5", "mainClass": "com.acme.Main", "restartPolicy.type": "OnFailure",
			"restartPolicy.onFailureRetries": "0", "restartPolicy.onSubmissionFailureRetries": "2", "timeToLiveSeconds": "600",
			"driver.cores": "2", "driver.coreRequest": "500m", "driver.coreLimit": "3", "driver.memory": "4g", "driver.memoryOverhead": "1g",
			"driver.priorityClassName": "high", "driver.image": "spark:driver", "driver.javaOptions": "-Xss1m",
			"driver.nodeSelector": "pool=spark, zone=b",
		},
	}, a.Spec)
	require.Equal(t, Status{
		State: "FAILED", Message: "it failed", Submitted: clock("11:01:00"), Ended: clock("11:02:00"), Attempts: 4, DriverPod: "etl-driver",
		SubmissionID: "id", ExecutorStates: map[string]string{"etl-exec-1": "FAILED", "etl-exec-2": ""},
	}, a.Status)
	require.Equal(t, snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "jobs", Name: "etl",
		UID: "u"}, a.Ref())
	require.EqualValues(t, 3, a.Generation)
	require.Equal(t, clock("11:00:00"), a.CreationTimestamp.UTC())
	require.Equal(t, clock("12:00:00"), a.DeletionTimestamp.UTC())
	require.Equal(t, []string{"f"}, a.Finalizers)
	require.Equal(t, map[string]string{"a": "b"}, a.Labels)
	require.Equal(t, "nightly", a.OwnerReferences[0].Name)
	require.Len(t, a.ManagedFields, 1, "what does not decode is passed over")
	require.Equal(t, "kubectl", a.ManagedFields[0].Manager)
	require.True(t, a.Failed())
	require.NotContains(t, fmt.Sprintf("%+v", a), "hunter2")
}

func TestDecodeSparkConnect(t *testing.T) {
	text := strings.Replace(head, "SparkApplication", "SparkConnect", 1) + `
spec: {server: {memory: 2g, service: {metadata: {name: front}}}, executor: {instances: 3}}
status:
  state: NotReady
  startTime: "2026-11-23T11:01:00Z"
  server: {podName: etl-server, serviceName: front}
  executors: {running: 2, failed: x}
  conditions:
  - {type: Other, message: no}
  - {type: ServerPodReady, lastTransitionTime: "2026-11-23T11:05:00Z", message: "Server pod is not ready: taint"}
`
	a := Decode(objectOf(t, text))
	require.Equal(t, Status{State: "NotReady", Message: "taint", Since: clock("11:05:00"), Submitted: clock("11:01:00"),
		ServerPod: "etl-server", ServerService: "front", ExecutorCounts: map[string]int{"running": 2, "failed": 0}}, a.Status)
	require.Equal(t, "2g", a.Spec.Server.Memory)
	require.Equal(t, &Service{Name: "front"}, a.Spec.Service)
	require.Equal(t, map[string]string{"server.memory": "2g", "executor.instances": "3"}, a.Spec.Shown)
	a = Decode(objectOf(t, strings.Replace(text, "Server pod is not ready: taint", "Server pod is ready", 1)))
	require.Empty(t, a.Status.Message)
}

// TestDecodePassesOverOtherTypes: each value of the application is swapped for values of all types. One of another type is absent, and what
// stands beside it is read.
func TestDecodePassesOverOtherTypes(t *testing.T) {
	o := objectOf(t, strings.NewReplacer(", spark.n: 2", "", ", etl-exec-2: 3", "").Replace(wholeApplication))
	whole, swapped := shown(o), 0
	var each func(value any, swap func(any))
	each = func(value any, swap func(any)) {
		swap(nil)
		absent := shown(o)
		for _, other := range []any{true, int64(7), 1.5, "text", []any{}, []any{nil, int64(1), []any{}}, map[string]any{"x": "y"}} {
			swap(other)
			got := shown(o)
			require.LessOrEqual(t, differences(whole, got), 2, "%v for %v", other, value)
			if _, number := value.(int64); reflect.TypeOf(other) != reflect.TypeOf(value) && (!number || other != 1.5) {
				require.True(t, reflect.DeepEqual(absent, got), "%v for %v", other, value)
			}
			swapped++
		}
		swap(value)
		switch v := value.(type) {
		case map[string]any:
			for name, one := range v {
				each(one, func(in any) { v[name] = in })
			}
		case []any:
			for i, one := range v {
				each(one, func(in any) { v[i] = in })
			}
		}
	}
	for _, part := range []string{"spec", "status"} {
		tree, _ := o.Object[part].(map[string]any)
		for name, one := range tree {
			each(one, func(in any) { tree[name] = in })
		}
	}
	require.Greater(t, swapped, 400)
}

// shown is an application without the fields that are text of whatever stands there, and templates, which decode as a whole.
func shown(o *unstructured.Unstructured) *Application {
	a := Decode(o)
	a.Spec.Shown, a.Spec.Driver.Template.Pod = nil, corev1.PodSpec{}
	return a
}

// differences counts the fields of spec and status in which two applications differ.
func differences(a, b *Application) int {
	n := 0
	for _, pair := range [][2]reflect.Value{{reflect.ValueOf(a.Spec), reflect.ValueOf(b.Spec)},
		{reflect.ValueOf(a.Status), reflect.ValueOf(b.Status)}} {
		for i := range pair[0].NumField() {
			if !reflect.DeepEqual(pair[0].Field(i).Interface(), pair[1].Field(i).Interface()) {
				n++
			}
		}
	}
	return n
}

func TestDecodeOfNothing(t *testing.T) {
	a := Decode(&unstructured.Unstructured{Object: map[string]any{}})
	require.Equal(t, Spec{Conf: map[string]string{}, HadoopConf: map[string]string{},
		Shown: map[string]string{}, NodeSelector: map[string]string{}, Driver: noRole(),
		Executor: noRole(), Server: noRole()}, a.Spec)
	require.Equal(t, Status{ExecutorStates: map[string]string{}}, a.Status)
	require.Equal(t, 0, a.Spec.Asked())
	require.False(t, a.Failed())
}

// TestTemplateThatDoesNotDecode: a template that does not decode as a whole still names its containers.
func TestTemplateThatDoesNotDecode(t *testing.T) {
	got := templateOf(whole.Fields{"spec": map[string]any{"nodeName": int64(3), "containers": []any{int64(1), map[string]any{"name": "a"}}}})
	require.Equal(t, Template{Containers: []TemplateContainer{{Name: "a"}}}, got)
}

func TestDecodeSchedule(t *testing.T) {
	s := decodeSchedule(objectOf(t, strings.Replace(head, "kind: Spark", "kind: ScheduledSpark", 1)+`
spec: {suspend: true, concurrencyPolicy: Forbid}
status: {scheduleState: Scheduled, reason: r, lastRunName: etl-1, nextRun: "2026-11-24T11:00:00Z", pastFailedRunNames: [a, 1],
  pastSuccessfulRunNames: [b, c]}
`))
	require.Equal(t, "ScheduledSparkApplication", s.Ref().Kind)
	s.TypeMeta, s.ObjectMeta = Schedule{}.TypeMeta, Schedule{}.ObjectMeta
	require.Equal(t, &Schedule{Suspend: true, ConcurrencyPolicy: "Forbid", State: "Scheduled", Reason: "r", LastRun: "etl-1",
		NextRun: "2026-11-24T11:00:00Z", Next: clock("11:00:00").AddDate(0, 0, 1), Failed: []string{"a"}, Succeeded: []string{"b", "c"}}, s)
	s = decodeSchedule(objectOf(t, "{kind: ScheduledSparkApplication, status: {nextRun: soon}, spec: {suspend: \"true\"}}"))
	require.Equal(t, "soon", s.NextRun)
	require.Zero(t, s.Next)
	require.False(t, s.Suspend)
}

// FuzzDecode: any JSON object is an application, a schedule and what is queued; none makes a decoder panic.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{wholeApplication, strings.Replace(wholeApplication, "SparkApplication", "SparkConnect", 1), "{}"} {
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		require.NoError(f, err)
		f.Add(asJSON)
	}
	f.Add([]byte(`{"metadata":[],"spec":{"driver":[null],"template":3},"status":{"conditions":{"type":[]},"executorState":[1]}}`))
	f.Add([]byte(`{"metadata":{"managedFields":[[]],"labels":{"a":1},"ownerReferences":[3],"finalizers":{}},"status":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		defer allocated.Bound(t, len(text))()
		o := &unstructured.Unstructured{}
		if utiljson.Unmarshal(text, &o.Object) != nil {
			return
		}
		a := Decode(o)
		require.False(t, a.Spec.Allocates() && a.Spec.Asked() > 0)
		decodeSchedule(o)
		decodeQueued(o)
		decodeQueue(o)
	})
}
