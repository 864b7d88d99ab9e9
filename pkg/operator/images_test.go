package operator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestRepository(t *testing.T) {
	for image, want := range map[string]struct {
		repository string
		mirrored   bool
	}{
		"kubeflow/spark-operator:v1beta2-1.6.2-3.5.0":                     {"docker.io/kubeflow/spark-operator", false},
		"docker.io/kubeflow/spark-operator:2.1.1":                         {"docker.io/kubeflow/spark-operator", false},
		"ghcr.io/kubeflow/spark-operator/controller@sha256:00":            {"ghcr.io/kubeflow/spark-operator/controller", false},
		"gcr.io/spark-operator/spark-operator:v1beta2-1.2.3-3.1.1":        {"gcr.io/spark-operator/spark-operator", false},
		"registry.example.com:5000/kubeflow/spark-operator:2.1.1":         {"registry.example.com:5000/kubeflow/spark-operator", true},
		"registry.example.com/kubeflow/spark-operator/controller:2.5.2@x": {"registry.example.com/kubeflow/spark-operator/controller", true},
		"team/spark-operator:2.1.1":                                       {"docker.io/team/spark-operator", true},
		"":                                                                {"", false},
	} {
		d := &snapshot.Deployment{Containers: []snapshot.Container{{Image: image, Args: []string{"controller", "start"}}}}
		in := &Installation{Controller: d}
		require.Equal(t, want.repository, in.Repository(), image)
		require.Equal(t, want.mirrored, in.Mirrored(), image)
	}
	require.Equal(t, "registry.example.com:5000", RegistryOf("registry.example.com:5000/kubeflow/spark-operator"))
	require.False(t, (&Installation{}).Mirrored(), "no controller")
	for _, v := range append(Releases(), version(1, 6, 2)) {
		chart, ok := ChartOf(v)
		require.True(t, ok)
		require.Contains(t, Repositories(), chart.Repository)
	}
}
