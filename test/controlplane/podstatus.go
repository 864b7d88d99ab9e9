package controlplane

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// reportPod writes the state of a pod's process into the pod, as a kubelet would.
func (op *Operator) reportPod(ctx context.Context, pod *corev1.Pod, p *podProcess) error {
	container := pod.Spec.Containers[0]
	state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(p.started)}}
	if !p.process.alive() {
		state = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	}
	status := corev1.ContainerStatus{
		Name: container.Name, Image: container.Image, Ready: p.ready, Started: &p.ready, RestartCount: p.restarts, State: state,
	}
	if reported(pod, status) {
		return nil
	}
	ready := corev1.ConditionFalse
	if p.ready {
		ready = corev1.ConditionTrue
	}
	now := metav1.Now()
	patch, err := json.Marshal(map[string]any{"status": corev1.PodStatus{
		Phase: corev1.PodRunning,
		Conditions: []corev1.PodCondition{
			{Type: corev1.PodInitialized, Status: corev1.ConditionTrue, LastTransitionTime: now},
			{Type: corev1.ContainersReady, Status: ready, LastTransitionTime: now},
			{Type: corev1.PodReady, Status: ready, LastTransitionTime: now},
		},
		ContainerStatuses: []corev1.ContainerStatus{status},
		HostIP:            op.cp.address,
		PodIP:             op.cp.address,
		PodIPs:            []corev1.PodIP{{IP: op.cp.address}},
		StartTime:         &pod.CreationTimestamp,
	}})
	if err != nil {
		return fmt.Errorf("encoding a pod's status: %w", err)
	}
	_, err = op.cp.Client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{},
		"status")
	if err != nil {
		return fmt.Errorf("reporting the state of pod %q: %w", pod.Name, err)
	}
	return nil
}

// reported says whether the pod shows this container status already.
func reported(pod *corev1.Pod, want corev1.ContainerStatus) bool {
	if len(pod.Status.ContainerStatuses) != 1 {
		return false
	}
	got := pod.Status.ContainerStatuses[0]
	sameState := (got.State.Running == nil) == (want.State.Running == nil)
	return sameState && got.Ready == want.Ready && got.RestartCount == want.RestartCount
}

// forwardPort tells kwok where a port-forward to the pod's webhook port goes, so that each replica
// can be reached alone although all report one address.
func (op *Operator) forwardPort(ctx context.Context, pod *corev1.Pod, to int) error {
	resource := op.cp.Dynamic.Resource(schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1",
		Resource: "portforwards"}).Namespace(pod.Namespace)
	err := resource.Delete(ctx, pod.Name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("forgetting the port of pod %q: %w", pod.Name, err)
	}
	_, err = resource.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kwok.x-k8s.io/v1alpha1",
		"kind":       "PortForward",
		"metadata": map[string]any{
			"name": pod.Name, "namespace": pod.Namespace,
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": pod.Name, "uid": string(pod.UID)}},
		},
		"spec": map[string]any{"forwards": []any{map[string]any{
			"ports":  []any{int64(op.relay.Port)},
			"target": map[string]any{"address": "127.0.0.1", "port": int64(to)},
		}}},
	}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("forwarding the port of pod %q: %w", pod.Name, err)
	}
	return nil
}
