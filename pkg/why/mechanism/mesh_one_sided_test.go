package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestMeshOneSided: a proxy at both sides, or at neither, does not tell them apart, and one that leaves the port alone refuses nothing.
func TestMeshOneSided(t *testing.T) {
	const inject = "sidecar.istio.io/inject"
	pod := func(proxy string, annotations map[string]string) *corev1.Pod {
		p := &corev1.Pod{}
		p.Annotations = annotations
		p.Spec.Containers = []corev1.Container{{Name: "spark"}}
		if proxy != "" {
			p.Spec.InitContainers = []corev1.Container{{Name: proxy}}
		}
		return p
	}
	cut := cause.Cause{Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.DriverUnreached{Cut: true}}}}
	timed := cause.Cause{Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.DriverUnreached{}}}}
	for name, row := range map[string]struct {
		driver, executor *corev1.Pod
		about            cause.Cause
		want             bool
		optout           string
	}{
		"at the driver": {pod("istio-proxy", nil), pod("", map[string]string{inject: "false"}), cut, true, "annotations"},
		"no word of it": {pod("linkerd-proxy", nil), pod("", nil), cut, true, ""},
		"at both":       {pod("istio-proxy", nil), pod("istio-proxy", nil), cut, false, ""},
		"at neither":    {pod("", nil), pod("", nil), cut, false, ""},
		"timed out":     {pod("istio-proxy", nil), pod("", nil), timed, false, ""},
		"port excluded": {pod("istio-proxy", map[string]string{excludedPorts: "7078,7079"}), pod("", nil), cut, false, ""},
	} {
		v := &View{Evidence: &app.Evidence{}, Driver: row.driver, Executors: []*corev1.Pod{row.executor}}
		c, is := OutsideItsMesh(v, &row.about)
		require.Equal(t, row.want, is, name)
		if is {
			require.Equal(t, row.optout, c.Detail.(MeshOneSided).Optout, name) //nolint:forcetypeassert // it returns no other
		}
	}
}
