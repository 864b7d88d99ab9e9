package controlplane

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
)

// Restart does what `kubectl rollout restart` does to a component's Deployment and waits for the end
// of the rollout.
func (op *Operator) Restart(ctx context.Context, component string) error {
	deployments := op.cp.Client.AppsV1().Deployments(op.Namespace)
	list, err := deployments.List(ctx, metav1.ListOptions{LabelSelector: op.selector(component)})
	if err != nil {
		return fmt.Errorf("listing the %s's Deployment: %w", component, err)
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{
		"annotations": map[string]string{"kubectl.kubernetes.io/restartedAt": time.Now().Format(time.RFC3339Nano)},
	}}}})
	if err != nil {
		return fmt.Errorf("encoding the restart: %w", err)
	}
	for _, d := range list.Items {
		if _, err := deployments.Patch(ctx, d.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("restarting %q: %w", d.Name, err)
		}
	}
	return op.waitForDeployments(ctx)
}

// ServedSerial returns the serial number of the certificate that one webhook pod serves, seen
// through a port-forward to that pod alone. kwok learns of a new pod's forward a moment after the pod is ready.
func (op *Operator) ServedSerial(ctx context.Context, pod string) (serial string, err error) {
	err = Until(ctx, 30*time.Second, "webhook pod "+pod+" to answer", func(ctx context.Context) (bool, error) {
		serial, err = op.servedSerial(ctx, pod)
		return err == nil, err
	})
	return serial, err
}

func (op *Operator) servedSerial(ctx context.Context, pod string) (string, error) {
	address, stop, err := op.cp.PortForward(op.Namespace, pod, op.WebhookPort())
	if err != nil {
		return "", err
	}
	defer stop()
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}} // the certificate itself is what is asked for
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("greeting webhook pod %q: %w", pod, err)
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.String(), nil
}

// WebhookPort is the port of the webhook's pods and Service.
func (op *Operator) WebhookPort() int {
	if op.relay == nil {
		return chartWebhookPort
	}
	return op.relay.Port
}

// PortForward forwards a local port to a pod's port until stop is called.
func (cp *ControlPlane) PortForward(namespace, pod string, port int) (address string, stop func(), err error) {
	transport, upgrader, err := spdy.RoundTripperFor(cp.RESTConfig())
	if err != nil {
		return "", nil, fmt.Errorf("preparing a port-forward: %w", err)
	}
	url := cp.Client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("portforward").URL()
	dialer := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, url)
	stopped, ready := make(chan struct{}), make(chan struct{})
	forwarder, err := portforward.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{fmt.Sprintf("0:%d", port)}, stopped, ready,
		io.Discard, io.Discard)
	if err != nil {
		return "", nil, fmt.Errorf("preparing a port-forward: %w", err)
	}
	failed := make(chan error, 1)
	go func() { failed <- forwarder.ForwardPorts() }()
	select {
	case err := <-failed:
		return "", nil, fmt.Errorf("forwarding to pod %q: %w", pod, err)
	case <-ready:
	}
	ports, err := forwarder.GetPorts()
	if err != nil {
		close(stopped)
		return "", nil, fmt.Errorf("reading the forwarded port: %w", err)
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(ports[0].Local)), func() { close(stopped) }, nil
}

// Scale sets the replicas of a component's Deployment and waits until that many run. For
// the webhook, it also waits for the endpoints of its Service, which is what the API server goes by.
func (op *Operator) Scale(ctx context.Context, component string, replicas int) error {
	deployments := op.cp.Client.AppsV1().Deployments(op.Namespace)
	list, err := deployments.List(ctx, metav1.ListOptions{LabelSelector: op.selector(component)})
	if err != nil {
		return fmt.Errorf("listing the %s's Deployment: %w", component, err)
	}
	patch := []byte(fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
	for _, d := range list.Items {
		if _, err := deployments.Patch(ctx, d.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("scaling %q: %w", d.Name, err)
		}
	}
	if err := op.waitForDeployments(ctx); err != nil {
		return err
	}
	if component != webhook {
		return nil // only the webhook has a Service
	}
	return op.WaitForEndpoints(ctx, replicas)
}

// WaitForEndpoints waits until that many ready replicas are behind the webhook's Service.
func (op *Operator) WaitForEndpoints(ctx context.Context, want int) error {
	return Until(ctx, time.Minute, "the webhook Service's endpoints", func(ctx context.Context) (bool, error) {
		slices, err := op.cp.Client.DiscoveryV1().EndpointSlices(op.Namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		ready := 0
		for _, slice := range slices.Items {
			for _, endpoint := range slice.Endpoints {
				if endpoint.Conditions.Ready != nil && *endpoint.Conditions.Ready {
					ready++
				}
			}
		}
		return ready == want, fmt.Errorf("%d ready", ready)
	})
}
