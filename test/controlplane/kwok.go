package controlplane

import (
	"context"
	_ "embed" // the stages below
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

//go:embed kwok.yaml
var podStages string

const kwokOptions = `apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
options:
  manageAllNodes: true
  enableDebuggingHandlers: true
  enableCRDs: [PortForward, Logs]
  cidr: 10.128.0.0/12
  nodeIP: %[1]s
  nodePort: %[2]d
  serverAddress: %[1]s:%[2]d
  tlsCertFile: %[3]s
  tlsPrivateKeyFile: %[4]s
  nodeLeaseDurationSeconds: 40
  nodeLeaseParallelism: 4
  nodePlayStageParallelism: 4
  podPlayStageParallelism: 16
`

// startKwok creates the nodes and the program that plays their kubelets.
func (cp *ControlPlane) startKwok(ctx context.Context) error {
	dir, err := cp.builder.Kwok(ctx)
	if err != nil {
		return err
	}
	var definitions [][]byte
	for _, name := range []string{"portforwards", "logs"} {
		text, err := os.ReadFile(filepath.Join(dir, "crds", "kwok.x-k8s.io_"+name+".yaml"))
		if err != nil {
			return fmt.Errorf("reading kwok's definitions: %w", err)
		}
		definitions = append(definitions, text)
	}
	if err := cp.applyCRDs(ctx, definitions...); err != nil {
		return err
	}
	ports, err := cp.ports.free(1)
	if err != nil {
		return err
	}
	parts := []string{fmt.Sprintf(kwokOptions, cp.address, ports[0], cp.file(servingCert), cp.file(servingKey)), podStages}
	for _, name := range []string{"fast/node-initialize.yaml", "heartbeat-with-lease/node-heartbeat-with-lease.yaml"} {
		text, err := os.ReadFile(filepath.Join(dir, "stage", "node", name))
		if err != nil {
			return fmt.Errorf("reading kwok's stages: %w", err)
		}
		parts = append(parts, string(text))
	}
	config := cp.file("kwok.yaml")
	if err := os.WriteFile(config, []byte(strings.Join(parts, "\n---\n")), 0o600); err != nil {
		return fmt.Errorf("writing kwok's configuration: %w", err)
	}
	for i := range max(1, cp.opts.Nodes) {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", i)}}
		if _, err := cp.Client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating a node: %w", err)
		}
	}
	_, err = cp.run("kwok", dir+"/kwok", "--kubeconfig="+cp.admin, "--config="+config)
	return err
}

func (cp *ControlPlane) waitForNodes(ctx context.Context) error {
	return Until(ctx, time.Minute, "the nodes", func(ctx context.Context) (bool, error) {
		nodes, err := cp.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, node := range nodes.Items {
			// Taints go last: the node controller keeps a new node tainted until it has seen it ready.
			if len(node.Spec.Taints) > 0 || node.Status.Phase != corev1.NodeRunning {
				return false, fmt.Errorf("node %q: phase %q, taints %v", node.Name, node.Status.Phase, node.Spec.Taints)
			}
		}
		return len(nodes.Items) > 0, nil
	})
}
