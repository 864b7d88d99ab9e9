package operator

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

func TestLowPort(t *testing.T) {
	root, spark, yes := int64(0), int64(185), true
	for name, c := range map[string]struct {
		release   string
		arg       string
		pod       *corev1.PodSecurityContext
		container *corev1.SecurityContext
		want      string
	}{
		"the chart's port":    {"2.5.2", "--webhook-port=9443", nil, nil, ""},
		"443":                 {"2.5.2", "--webhook-port=443", nil, nil, "443"},
		"443 as another user": {"2.5.2", "--webhook-port=443", nil, &corev1.SecurityContext{RunAsUser: &spark}, "443"},
		"443 as root":         {"2.5.2", "--webhook-port=443", &corev1.PodSecurityContext{RunAsUser: &root}, nil, ""},
		"a pod of root, not this": {"2.5.2", "--webhook-port=443", &corev1.PodSecurityContext{RunAsUser: &root},
			&corev1.SecurityContext{RunAsUser: &spark}, "443"},
		"443 with the capability": {"2.5.2", "--webhook-port=443", nil,
			&corev1.SecurityContext{Capabilities: &corev1.Capabilities{Add: []corev1.Capability{"NET_BIND_SERVICE"},
				Drop: []corev1.Capability{"ALL"}}}, ""},
		"443 in a privileged one": {"2.5.2", "--webhook-port=443", nil, &corev1.SecurityContext{Privileged: &yes}, ""},
		"443 with the sysctl": {"2.5.2", "--webhook-port=443",
			&corev1.PodSecurityContext{Sysctls: []corev1.Sysctl{{Name: "net.ipv4.ip_unprivileged_port_start", Value: "0"}}}, nil, ""},
		"443 with another sysctl": {"2.5.2", "--webhook-port=443",
			&corev1.PodSecurityContext{Sysctls: []corev1.Sysctl{{Name: "net.core.somaxconn", Value: "1024"}}}, nil, "443"},
		"443 where the program may": {"2.0.2", "--webhook-port=443", nil, nil, ""},
		"metrics":                   {"2.5.2", "--metrics-bind-address=:80", nil, nil, ":80"},
		"no metrics":                {"2.5.2", "--metrics-bind-address=0", nil, nil, ""},
		"a port that is a variable": {"2.5.2", "--webhook-port=$(PORT)", nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := appsv1.Deployment{}
			d.Name, d.Namespace = "spark-operator-webhook", "spark-operator"
			d.Spec.Template.Spec = corev1.PodSpec{SecurityContext: c.pod, Containers: []corev1.Container{{
				Name: "webhook", Image: "ghcr.io/kubeflow/spark-operator/controller:" + c.release, Args: []string{"webhook", "start", c.arg},
				SecurityContext: c.container,
			}}}
			raw, err := d.Marshal()
			require.NoError(t, err)
			src, _ := snapshot.SourceOf(snapshot.Deployments)
			record, err := wire.Decode(src, wire.Item{Encoding: snapshot.Protobuf, Raw: raw})
			require.NoError(t, err)
			deployment, isDeployment := record.(*snapshot.Deployment)
			require.True(t, isDeployment)
			v, err := ReleaseNamed(c.release)
			require.NoError(t, err)
			in := Installation{Version: v.Application, Recognised: true, Webhook: deployment}
			use, low := in.LowPort(deployment)
			require.Equal(t, c.want, use.Value)
			require.Equal(t, c.want != "", low)
		})
	}
}
