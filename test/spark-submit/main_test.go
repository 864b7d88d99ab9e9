package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// submission returns arguments as the operator builds them, with more settings.
func submission(settings ...string) []string {
	args := []string{"--master", "k8s://https://127.0.0.1:6443", "--deploy-mode", "cluster", "--class", "Main", "--name", "pi"}
	for _, setting := range append([]string{"spark.kubernetes.namespace=jobs", "spark.kubernetes.driver.pod.name=pi-driver",
		"spark.kubernetes.container.image=spark:3.5.5"}, settings...) {
		args = append(args, "--conf", setting)
	}
	return append(args, "local:///app.jar", "10")
}

func pod(t *testing.T, settings ...string) *corev1.Pod {
	t.Helper()
	j, err := parse(submission(settings...))
	require.NoError(t, err)
	p, err := driverPod(j, names{app: "spark-1", confMap: "conf-map", template: "template"})
	require.NoError(t, err)
	return p
}

func TestDriverPod(t *testing.T) {
	p := pod(t,
		"spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name=pi",
		"spark.kubernetes.driver.annotation.note=yes",
		"spark.kubernetes.authenticate.driver.serviceAccountName=runner",
		"spark.kubernetes.driverEnv.A=1",
		"spark.kubernetes.driver.secretKeyRef.B=secret:key",
		"spark.kubernetes.driver.secrets.certs=/certs",
		"spark.kubernetes.driver.volumes.emptyDir.scratch.mount.path=/scratch",
		"spark.kubernetes.driver.volumes.emptyDir.scratch.options.sizeLimit=1Gi",
	)
	c := p.Spec.Containers[0]
	require.Equal(t, "jobs/pi-driver", p.Namespace+"/"+p.Name)
	require.Equal(t, "spark-kubernetes-driver", c.Name)
	require.Equal(t, "pi", p.Labels["sparkoperator.k8s.io/app-name"])
	require.Equal(t, "driver", p.Labels["spark-role"])
	require.Equal(t, "spark-1", p.Labels["spark-app-selector"])
	require.Equal(t, map[string]string{"note": "yes"}, p.Annotations)
	require.Equal(t, "runner", p.Spec.ServiceAccountName)
	require.Contains(t, c.Env, corev1.EnvVar{Name: "A", Value: "1"})
	require.Equal(t, "local:///app.jar 10", strings.Join(c.Args[len(c.Args)-2:], " "))
	require.Contains(t, c.VolumeMounts, corev1.VolumeMount{Name: "certs-volume", MountPath: "/certs"})
	require.Contains(t, c.VolumeMounts, corev1.VolumeMount{Name: "scratch", MountPath: "/scratch"})
}

func TestTemplateComesFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "template.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
metadata:
  labels: {from: template, spark-role: overridden}
  ownerReferences: [{apiVersion: v1, kind: A, name: owner, uid: "1"}]
spec:
  containers: [{name: sidecar, image: s}, {name: main, workingDir: /w}]
`), 0o600))
	p := pod(t, "spark.kubernetes.driver.podTemplateFile="+file, "spark.kubernetes.driver.podTemplateContainerName=main")
	require.Equal(t, "template", p.Labels["from"])
	require.Equal(t, "driver", p.Labels["spark-role"])
	require.Equal(t, "owner", p.OwnerReferences[0].Name)
	require.Equal(t, "sidecar", p.Spec.Containers[0].Name)
	require.Equal(t, "spark-kubernetes-driver", p.Spec.Containers[1].Name)
	require.Equal(t, "/w", p.Spec.Containers[1].WorkingDir)
}

func TestMemory(t *testing.T) {
	for want, settings := range map[string][]string{
		"1408Mi": nil, // 1 GiB and the least overhead
		"896Mi":  {"spark.driver.memory=512m"},
		"11Gi":   {"spark.driver.memory=10g"},
		"12Gi":   {"spark.driver.memory=10g", "spark.driver.memoryOverhead=2g"},
	} {
		limit := pod(t, settings...).Spec.Containers[0].Resources.Limits[corev1.ResourceMemory]
		require.Equal(t, want, limit.String(), settings)
	}
}

func TestTheLastSettingWins(t *testing.T) {
	require.Equal(t, "elsewhere", pod(t, "spark.kubernetes.namespace=elsewhere").Namespace)
}

func TestRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"--deploy-mode must be either":         {"--master", "k8s://x", "--deploy-mode", "", "app"},
		"master must start with k8s://":        {"--master", "local", "--deploy-mode", "cluster", "app"},
		"missing application resource":         {"--master", "k8s://x", "--deploy-mode", "cluster"},
		"missing argument for option --conf":   {"--conf"},
		`configuration "spark.x" has no value`: {"--conf", "spark.x"},
	} {
		_, err := parse(args)
		require.ErrorContains(t, err, want)
	}
}
