package operator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// webhookDeployment is what charts make, as far as certificates go (charts/spark-operator-chart/templates at each tag).
func webhookDeployment(image string, ports []snapshot.ContainerPort, mounts []snapshot.SecretMount, args ...string) snapshot.Deployment {
	return snapshot.Deployment{
		Object: snapshot.Object{Ref: snapshot.Ref{Namespace: "ns", Name: "spark-operator-webhook"}}, Mounts: mounts,
		Selector: map[string]string{"app": "spark"},
		Containers: []snapshot.Container{
			{Name: "istio-proxy", Image: "istio/proxyv2:1.20.0", Ports: []snapshot.ContainerPort{{Name: "http", Port: 15090}}},
			{Name: "spark-operator", Image: image, Args: args, Ports: ports},
		},
	}
}

func TestCertificateUse(t *testing.T) {
	const image = "docker.io/kubeflow/spark-operator:"
	named := []snapshot.ContainerPort{{Name: "metrics", Port: 8080}, {Name: "webhook", Port: 9443}}
	mounted := []snapshot.SecretMount{{Volume: "token", Secret: "other"}, {Volume: "webhook-certs", Secret: "full-webhook-certs"}}
	secret := func(namespace, name string) snapshot.Key {
		return snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Secret"}, Namespace: namespace, Name: name}
	}
	for name, c := range map[string]struct {
		deployment snapshot.Deployment
		use        CertificateUse
		secret     snapshot.Key
		port       int32
	}{
		"chart 1.1.27": {
			webhookDeployment(image+"v1beta2-1.3.8-3.1.1", nil, mounted, "-enable-webhook=true", "-webhook-svc-name=svc", "-webhook-port=8081"),
			MountedFiles, secret("ns", "full-webhook-certs"), 8081,
		},
		"chart 1.3.2, default port": {
			webhookDeployment(image+"v1beta2-1.5.0-3.5.0", nil, mounted, "-enable-webhook=true", "-webhook-svc-name=svc"),
			MountedFiles, secret("ns", "full-webhook-certs"), 8080,
		},
		"chart 1.4.6": {
			webhookDeployment(image+"v1beta2-1.6.2-3.5.0", []snapshot.ContainerPort{{Name: "webhook", Port: 8080}}, nil, "-enable-webhook=true",
				"-webhook-secret-name=certs", "-webhook-secret-namespace=other"),
			OnePerReplica, secret("other", "certs"), 8080,
		},
		"chart 1.4 with an image of one's own": {
			webhookDeployment("registry.example/spark-operator:latest", nil, nil, "-enable-webhook=true", "-webhook-secret-name=certs"),
			OnePerReplica, secret("ns", "certs"), 8080,
		},
		"2.0.2": {
			webhookDeployment(image+"2.0.2", named, nil, "webhook", "start", "--webhook-secret-name=certs", "--webhook-port=443"),
			ReadAtStart, secret("ns", "certs"), 9443,
		},
		"2.2.0": {
			webhookDeployment(image+"2.2.0", nil, nil, "webhook", "start", "--webhook-secret-name=certs", "--webhook-port=10250"),
			CheckedAtStart, secret("ns", "certs"), 10250,
		},
		"2.5.2 by kustomize": {
			webhookDeployment(image+"2.5.2", nil, nil, "webhook", "start", "--webhook-secret-name=certs",
				"--webhook-secret-namespace=$(WEBHOOK_NAMESPACE)", "--webhook-port=none"),
			CheckedAtStart, secret("ns", "certs"), 9443,
		},
		"cert-manager": {
			webhookDeployment(image+"2.5.1", named, nil, "webhook", "start", "--webhook-secret-name=certs", "--enable-cert-manager=true"),
			FromCertManager, secret("ns", "certs"), 9443,
		},
		"cert-manager off": {
			webhookDeployment(image+"2.5.1", named, nil, "webhook", "start", "--webhook-secret-name=certs", "--enable-cert-manager=false"),
			CheckedAtStart, secret("ns", "certs"), 9443,
		},
		"a fork counts as the newest": {
			webhookDeployment("registry.example/spark-operator/controller:acme", named, nil, "webhook", "start", "--webhook-secret-name=certs"),
			CheckedAtStart, secret("ns", "certs"), 9443,
		},
	} {
		t.Run(name, func(t *testing.T) {
			found := Find([]snapshot.Deployment{c.deployment})
			require.Len(t, found, 1)
			in := &found[0]
			require.Equal(t, c.use, in.CertificateUse())
			require.Equal(t, c.secret, in.WebhookSecret())
			require.Equal(t, c.port, in.WebhookPort())
		})
	}
	off := Find([]snapshot.Deployment{webhookDeployment(image+"v1beta2-1.3.8-3.1.1", nil, mounted, "-enable-webhook=false",
		"-webhook-svc-name=svc")})
	require.Equal(t, NoCertificate, off[0].CertificateUse())
	require.Empty(t, off[0].WebhookSecret())
}

func TestWebhookPods(t *testing.T) {
	in := &Find([]snapshot.Deployment{webhookDeployment("kubeflow/spark-operator:2.5.1", nil, nil, "webhook", "start",
		"--webhook-svc-name=svc")})[0]
	labels := snapshot.LabelsOf(map[string]string{"app": "spark", "pod-template-hash": "x"})
	pod := func(change func(*snapshot.OperatorPod)) snapshot.OperatorPod {
		p := snapshot.OperatorPod{Object: snapshot.Object{Ref: snapshot.Ref{Namespace: "ns", Name: "p"}, Labels: labels}, Ready: true,
			Phase: "Running"}
		change(&p)
		return p
	}
	start := time.Unix(1000, 0)
	good := pod(func(p *snapshot.OperatorPod) {
		p.Runs = []snapshot.ContainerRun{{Name: "istio-proxy", Started: start.Add(-time.Hour)}, {Name: "spark-operator", Started: start}}
	})
	pods := in.WebhookPods([]snapshot.OperatorPod{
		good,
		pod(func(p *snapshot.OperatorPod) { p.Ready = false }),
		pod(func(p *snapshot.OperatorPod) { p.Phase = "Succeeded" }),
		pod(func(p *snapshot.OperatorPod) { p.Seldom = &snapshot.Seldom{Deleted: start} }),
		pod(func(p *snapshot.OperatorPod) { p.Namespace = "elsewhere" }),
		pod(func(p *snapshot.OperatorPod) { p.Labels = snapshot.LabelsOf(map[string]string{"app": "other"}) }),
	})
	require.Len(t, pods, 1)
	run, known := in.WebhookRun(pods[0])
	require.True(t, known)
	require.Equal(t, start, run.Started, "of the operator's own container")
	_, known = in.WebhookRun(&snapshot.OperatorPod{})
	require.False(t, known)
}
