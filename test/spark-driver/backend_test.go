package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

func conf(settings ...string) sparkconf.Conf {
	c, err := sparkconf.Parse(strings.Join(append([]string{
		"spark.app.id=spark-1", "spark.app.name=etl", "spark.driver.host=etl-1-driver-svc.jobs.svc", "spark.driver.port=7078",
		"spark.executor.cores=2", "spark.executor.memory=512m", "spark.kubernetes.container.image=spark:3.5.5",
		"spark.kubernetes.namespace=jobs",
	}, settings...), "\n"))
	if err != nil {
		panic(err)
	}
	return c
}

func newBackend(t *testing.T, want int, settings ...string) *backend {
	t.Helper()
	driver := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "jobs", Name: "etl-driver", UID: "driver",
		Labels: map[string]string{"spark-version": "3.5.5"}}}
	return &backend{client: fake.NewClientset(driver), conf: conf(settings...), driver: driver, prefix: "etl-0123456789abcdef",
		confMap: "spark-exec-1-conf-map", want: want}
}

func executorNames(t *testing.T, b *backend) []string {
	t.Helper()
	pods, err := b.client.CoreV1().Pods("jobs").List(t.Context(), metav1.ListOptions{LabelSelector: "spark-role=executor"})
	require.NoError(t, err)
	var names []string
	for _, pod := range pods.Items {
		names = append(names, pod.Name)
	}
	slices.Sort(names)
	return names
}

func end(t *testing.T, b *backend, name string) {
	t.Helper()
	pod, err := b.client.CoreV1().Pods("jobs").Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	pod.Status.Phase = corev1.PodFailed
	_, err = b.client.CoreV1().Pods("jobs").UpdateStatus(t.Context(), pod, metav1.UpdateOptions{})
	require.NoError(t, err)
}

func TestExecutorsAreReplacedUnderNewNumbers(t *testing.T) {
	b := newBackend(t, 2)
	require.NoError(t, b.allocate(t.Context()))
	require.NoError(t, b.allocate(t.Context()))
	require.Equal(t, []string{"etl-0123456789abcdef-exec-1", "etl-0123456789abcdef-exec-2"}, executorNames(t, b))
	end(t, b, "etl-0123456789abcdef-exec-1")
	require.NoError(t, b.allocate(t.Context()))
	require.Equal(t, []string{"etl-0123456789abcdef-exec-2", "etl-0123456789abcdef-exec-3"}, executorNames(t, b))
}

func TestExecutorsAreKeptWhereTheSettingsSaySo(t *testing.T) {
	b := newBackend(t, 1, "spark.kubernetes.executor.deleteOnTermination=false")
	require.NoError(t, b.allocate(t.Context()))
	end(t, b, "etl-0123456789abcdef-exec-1")
	require.NoError(t, b.allocate(t.Context()))
	require.Equal(t, []string{"etl-0123456789abcdef-exec-1", "etl-0123456789abcdef-exec-2"}, executorNames(t, b))
}

func TestExecutorPod(t *testing.T) {
	template := filepath.Join(t.TempDir(), "template.yaml")
	require.NoError(t, os.WriteFile(template, []byte(`
metadata:
  ownerReferences: [{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, name: etl, uid: app}]
spec:
  containers: [{name: spark-kubernetes-executor, resources: {limits: {ephemeral-storage: 20Mi}}}]
`), 0o600))
	pod, err := newBackend(t, 1, "spark.kubernetes.executor.podTemplateFile="+template, "spark.executorEnv.EXECUTOR_DOES=heap",
		"spark.kubernetes.executor.label.sparkoperator.k8s.io/app-name=etl").executorPod(7)
	require.NoError(t, err)
	require.Equal(t, "etl-0123456789abcdef-exec-7", pod.Name)
	require.Equal(t, map[string]string{"spark-role": "executor", "spark-exec-id": "7", "spark-exec-resourceprofile-id": "0",
		"spark-app-selector": "spark-1", "spark-app-name": "etl", "spark-version": "3.5.5", "sparkoperator.k8s.io/app-name": "etl"}, pod.Labels)
	require.Equal(t, []string{"SparkApplication etl", "Pod etl-driver"}, []string{
		fmt.Sprint(pod.OwnerReferences[0].Kind, " ", pod.OwnerReferences[0].Name),
		fmt.Sprint(pod.OwnerReferences[1].Kind, " ", pod.OwnerReferences[1].Name)})
	require.True(t, *pod.OwnerReferences[1].Controller)
	c := pod.Spec.Containers[0]
	require.Equal(t, "spark-kubernetes-executor", c.Name)
	require.Contains(t, c.Env, corev1.EnvVar{Name: "SPARK_DRIVER_URL",
		Value: "spark://CoarseGrainedScheduler@etl-1-driver-svc.jobs.svc:7078"})
	require.Contains(t, c.Env, corev1.EnvVar{Name: "EXECUTOR_DOES", Value: "heap"})
	require.Equal(t, "896Mi", c.Resources.Limits.Memory().String())
	require.Equal(t, "20Mi", c.Resources.Limits.StorageEphemeral().String())
	require.Equal(t, "spark-local-dir-1", pod.Spec.Volumes[0].Name)
}

func TestParse(t *testing.T) {
	c, err := parse([]string{"--properties-file", "f", "--class", "Main", "local:///app.jar", "context", "sleep", "5"})
	require.NoError(t, err)
	require.Equal(t, command{properties: "f", resource: "local:///app.jar", context: true, args: []string{"sleep", "5"}}, c)
	require.Equal(t, []string{"java", "-Xmx512m", "-Da=b", "-cp", "/opt/spark/jars", "Job", "sleep", "5"},
		c.program(sparkconf.Conf{"spark.driver.memory": "512m", "spark.driver.extraJavaOptions": "-Da=b"}))
	c.resource = "local:///opt/spark/work-dir/nomodule.py"
	require.Equal(t, []string{"python3", "/opt/spark/work-dir/nomodule.py", "sleep", "5"}, c.program(sparkconf.Conf{}))
	_, err = parse([]string{"--properties-file", "f"})
	require.Error(t, err)
}

func TestExitCodesAreThoseOfAContainer(t *testing.T) {
	for script, want := range map[string]ending{"exit 0": {}, "exit 7": {code: 7}, "exit 137": {code: 137},
		"kill -KILL $$": {code: 137, killed: true}, "kill -TERM $$": {code: 143}} {
		end, err := supervise(t.Context(), []string{"sh", "-c", script})
		require.NoError(t, err, script)
		require.Equal(t, want, end, script)
	}
	_, err := supervise(t.Context(), []string{"/no/such/program"})
	require.Error(t, err)
}

func TestDynamicAllocationFollowsTheTasks(t *testing.T) {
	c := conf("spark.dynamicAllocation.enabled=true", "spark.dynamicAllocation.minExecutors=1", "spark.dynamicAllocation.maxExecutors=3")
	first, resize, err := target(c)
	require.NoError(t, err)
	require.Equal(t, 1, first)
	require.Equal(t, []int{3, 1, 3}, []int{resize(0), resize(wave), resize(2 * wave)})
	c["spark.dynamicAllocation.initialExecutors"] = "2"
	first, _, err = target(c)
	require.NoError(t, err)
	require.Equal(t, 2, first)
	_, _, err = target(conf("spark.dynamicAllocation.enabled=true"))
	require.ErrorContains(t, err, "minExecutors")
	first, resize, err = target(conf("spark.executor.instances=4"))
	require.NoError(t, err)
	require.Nil(t, resize)
	require.Equal(t, 4, first)
}

// TestExecutorsWithAClaimEach: the pod comes first, and its claim is the driver's.
func TestExecutorsWithAClaimEach(t *testing.T) {
	const volume = "spark.kubernetes.executor.volumes.persistentVolumeClaim.data."
	b := newBackend(t, 2, volume+"mount.path=/data", volume+"options.claimName=OnDemand", volume+"options.storageClass=disks",
		volume+"options.sizeLimit=1Gi")
	require.NoError(t, b.allocate(t.Context()))
	claims, err := b.client.CoreV1().PersistentVolumeClaims("jobs").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, claims.Items, 2)
	for i, claim := range claims.Items {
		name := fmt.Sprintf("etl-0123456789abcdef-exec-%d", i+1)
		require.Equal(t, name+"-pvc-0", claim.Name)
		require.Equal(t, "etl-driver", claim.OwnerReferences[0].Name)
		pod, err := b.client.CoreV1().Pods("jobs").Get(t.Context(), name, metav1.GetOptions{})
		require.NoError(t, err)
		require.Equal(t, claim.Name, pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName)
	}
}
