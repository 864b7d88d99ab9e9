package sparkconf

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

func TestPropertiesAreReadAsTheyWereWritten(t *testing.T) {
	c := Conf{"spark.app.name": "pi", "spark.driver.extraJavaOptions": "-Da=b -Dc=d"}
	read, err := Parse("# a comment\n" + c.Properties())
	require.NoError(t, err)
	require.Equal(t, c, read)
	_, err = Parse("spark.app.name")
	require.Error(t, err)
}

func TestPrefixIsADNSLabel(t *testing.T) {
	for app, want := range map[string]string{"Daily ETL (v2)": `^daily-etl-v2-[0-9a-f]{16}$`, "1st": `^x1st-[0-9a-f]{16}$`} {
		prefix, err := Prefix(app)
		require.NoError(t, err)
		require.Regexp(t, want, prefix)
	}
}

func TestLocalDirs(t *testing.T) {
	pod, c := &corev1.Pod{}, &corev1.Container{}
	require.NoError(t, Conf{"spark.kubernetes.local.dirs.tmpfs": "true"}.AddVolumes(pod, c, Driver))
	require.Equal(t, "spark-local-dir-1", pod.Spec.Volumes[0].Name)
	require.Equal(t, corev1.StorageMediumMemory, pod.Spec.Volumes[0].EmptyDir.Medium)
	require.Equal(t, corev1.EnvVar{Name: "SPARK_LOCAL_DIRS", Value: c.VolumeMounts[0].MountPath}, c.Env[0])

	pod, c = &corev1.Pod{}, &corev1.Container{}
	require.NoError(t, Conf{"spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-a.mount.path": "/spill"}.AddVolumes(pod, c, Executor))
	require.Len(t, pod.Spec.Volumes, 1)
	require.Equal(t, "/spill", c.Env[0].Value)
}
