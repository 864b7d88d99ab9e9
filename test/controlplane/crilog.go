package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// criLog writes what a program prints as a container runtime does: each line with its time and stream
// (kubernetes/design-proposals-archive, node/kubelet-cri-logging.md). kwok serves it as the kubelet would.
type criLog struct {
	file *os.File
	rest []byte // of a line that has not ended
}

func newCRILog(path string) (*criLog, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("creating a container's log: %w", err)
	}
	return &criLog{file: file}, nil
}

// Write takes part of what is printed. os/exec calls it from one goroutine.
func (l *criLog) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		if _, err := fmt.Fprintf(l.file, "%s stdout F %s\n", time.Now().UTC().Format(time.RFC3339Nano), line); err != nil {
			return 0, err
		}
		l.rest = rest
	}
}

// shareLog tells kwok where a pod's log is, and that of the container before a restart.
func (op *Operator) shareLog(ctx context.Context, pod *corev1.Pod, file, previous string) error {
	resource := op.cp.Dynamic.Resource(schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1",
		Resource: "logs"}).Namespace(pod.Namespace)
	if err := resource.Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("forgetting the log of pod %q: %w", pod.Name, err)
	}
	one := map[string]any{"containers": []any{pod.Spec.Containers[0].Name}, "logsFile": file}
	if previous != "" {
		one["previousLogsFile"] = previous
	}
	_, err := resource.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kwok.x-k8s.io/v1alpha1",
		"kind":       "Logs",
		"metadata": map[string]any{
			"name": pod.Name, "namespace": pod.Namespace,
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": pod.Name, "uid": string(pod.UID)}},
		},
		"spec": map[string]any{"logs": []any{one}},
	}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("sharing the log of pod %q: %w", pod.Name, err)
	}
	return nil
}
