package wire

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestFeaturesTellHasFromLacksFromAnother(t *testing.T) {
	grace := int64(60)
	spec := corev1.PodSpec{
		Containers: []corev1.Container{
			{Name: "istio-proxy", Env: []corev1.EnvVar{{Name: "OF_THE_SIDECAR"}}},
			{Name: "executor", Env: []corev1.EnvVar{{Name: "A"}}, Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"memory": resource.MustParse("1Gi")}, Limits: corev1.ResourceList{"memory": resource.MustParse("2Gi")},
			}},
		},
		NodeSelector: map[string]string{"pool": "a"}, SchedulerName: "yunikorn", TerminationGracePeriodSeconds: &grace,
		SecurityContext: &corev1.PodSecurityContext{},
	}
	has := features(t, &spec, "executor")
	require.True(t, has.ContainerNamed("executor"), "Spark 2's name")
	for _, f := range []snapshot.Feature{{Field: snapshot.Env, Name: "A"}, {Field: snapshot.Sidecars, Name: "istio-proxy"},
		{Field: snapshot.NodeSelector, Name: "pool=a"}, {Field: snapshot.SchedulerName, Name: "yunikorn"},
		{Field: snapshot.TerminationGracePeriod, Name: "60"}, {Field: snapshot.MemoryLimit, Name: "2147483648"}} {
		require.True(t, has.Has(f), "%v", f)
		require.False(t, has.Lacks(f), "%v", f)
	}
	for _, f := range []snapshot.Feature{{Field: snapshot.Env, Name: "OF_THE_SIDECAR"}, {Field: snapshot.Env, Name: ""},
		{Field: snapshot.Sidecars, Name: "executor"}, {Field: snapshot.NodeSelector, Name: "zone=a"},
		{Field: snapshot.PodSecurityContext, Name: ""}, {Field: snapshot.PriorityClassName, Name: "high"}, {Field: snapshot.Affinity, Name: ""}} {
		require.True(t, has.Lacks(f), "%v", f)
	}
	for _, f := range []snapshot.Feature{{Field: snapshot.NodeSelector, Name: "pool=b"}, {Field: snapshot.SchedulerName, Name: "volcano"},
		{Field: snapshot.TerminationGracePeriod, Name: "90"}, {Field: snapshot.MemoryLimit, Name: "3221225472"}} {
		require.False(t, has.Has(f) || has.Lacks(f), "%v: somebody else chose it", f)
	}
}

func TestSpecChanged(t *testing.T) {
	for raw, want := range map[string]string{
		`[{"manager":"kubectl","time":"2026-11-20T03:00:00Z","fieldsV1":{"f:metadata":{},"f:spec":{"f:driver":{}}}},{"time":"2026-11-20T04:00:00Z","fieldsV1":{"f:status":{"f:spec":{}}}}]`: "2026-11-20T03:00:00Z",
		`[{"fieldsV1":{"f:spec":{}},"time":"2026-11-20T05:00:00+01:00"},{"time":"2026-11-20T03:00:00Z","fieldsV1":{"f:spec":{}}}]`:                                                          "2026-11-20T04:00:00Z",
		`[{"fieldsV1":{"f:spec":{}},"time":"yesterday"},{"fieldsV1":7,"time":8},null]`:                                                                                                      "0001-01-01T00:00:00Z",
		`{}`: "0001-01-01T00:00:00Z",
	} {
		app, err := NewDecoder().decodeSparkApplication(snapshot.Source{},
			Item{Raw: []byte(`{"metadata":{"name":"a","managedFields":` + raw + `}}`)})
		require.NoError(t, err, raw)
		require.Equal(t, want, app.SpecChanged.Format(time.RFC3339), raw)
		require.Equal(t, len(raw), app.Sizes.ManagedFields)
	}
}

// executor is one of a large job as Spark and the webhook make it.
// executor is one of many of an application. They differ in their node, their number and the name of their token's volume.
func executor(i int) *corev1.Pod {
	token := fmt.Sprintf("kube-api-access-%05d", i)
	c := corev1.Container{Name: "spark-kubernetes-executor", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"cpu": resource.MustParse("2"), "memory": resource.MustParse("4Gi")},
		Limits:   corev1.ResourceList{"memory": resource.MustParse("4Gi")},
	}}
	c.Env = append(c.Env, corev1.EnvVar{Name: "SPARK_EXECUTOR_ID", Value: fmt.Sprint(i)})
	c.VolumeMounts = []corev1.VolumeMount{{Name: token, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}}
	spec := corev1.PodSpec{NodeName: fmt.Sprintf("node-%d", i), Hostname: fmt.Sprintf("exec-%d", i), Volumes: []corev1.Volume{{Name: token}}}
	for k := range 25 {
		c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", k), Value: "some value that must not be kept"})
	}
	for k := range 8 {
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: fmt.Sprintf("volume-%d", k)})
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{Key: fmt.Sprintf("example.com/pool-%d", k), Operator: "Exists"})
	}
	spec.Containers = []corev1.Container{c}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("etl-8f1d2c9b7a6e5f40-exec-%d", i), Namespace: "team-a",
			UID: "44444444-0000-4000-8000-000000000001",
			Labels: map[string]string{snapshot.AppNameLabel: "etl", snapshot.RoleLabel: "executor",
				snapshot.SubmissionIDLabel: "22222222-0000-4000-8000-000000000001", snapshot.ExecutorIDLabel: "1"}},
		Spec: spec, Status: corev1.PodStatus{
			Phase: "Running", Conditions: []corev1.PodCondition{{Type: "PodScheduled", Status: "True"}, {Type: "Ready", Status: "True"}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "spark-kubernetes-executor", Image: "registry.example.com/spark:4.0.0",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}},
		},
	}
}

// TestPodRecordsAreSmall holds how many bytes a pod costs: a fleet has 100,000 of them.
func TestPodRecordsAreSmall(t *testing.T) {
	const pods, most = 4000, 450
	raw := make([][]byte, pods)
	for i := range raw {
		var err error
		raw[i], err = executor(i).Marshal()
		require.NoError(t, err)
	}
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	before, after := runtime.MemStats{}, runtime.MemStats{}
	b, d := snapshot.NewBuilder(time.Time{}), NewDecoder()
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range raw {
		r, err := d.Decode(src, Item{Encoding: snapshot.Protobuf, Raw: raw[i]})
		require.NoError(t, err)
		b.Add(snapshot.SparkPods, r)
	}
	s := b.Seal()
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := int(after.HeapAlloc-before.HeapAlloc) / pods
	t.Logf("%d bytes a pod, of which features %d once for all", each, len(s.SparkPods()[0].Features))
	require.Less(t, each, most)
	require.Len(t, d.packed, 1, "pods that are alike share what they have")
	runtime.KeepAlive(raw)
}

// features decodes a spec in both encodings.
func features(t *testing.T, spec *corev1.PodSpec, role string) snapshot.Features {
	t.Helper()
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{snapshot.RoleLabel: role}}, Spec: *spec}
	return requireAlike(t, &pod).Features
}
