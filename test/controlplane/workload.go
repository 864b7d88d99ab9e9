package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Applications is the resource of SparkApplications.
func Applications() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1beta2", Resource: "sparkapplications"}
}

// NewApplication returns a SparkApplication that every supported release admits. Its driver has an
// env, which only the webhook brings into the pod.
func NewApplication(namespace, name string) *unstructured.Unstructured {
	role := func(extra map[string]any) map[string]any {
		all := map[string]any{"cores": int64(1), "memory": "512m", "env": []any{map[string]any{"name": "FROM_WEBHOOK", "value": "yes"}}}
		maps.Copy(all, extra)
		return all
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2",
		"kind":       "SparkApplication",
		"metadata":   map[string]any{"namespace": namespace, "name": name},
		"spec": map[string]any{
			"type": "Scala", "mode": "cluster", "sparkVersion": "3.5.5", "image": "spark:3.5.5",
			"mainClass":           "org.apache.spark.examples.SparkPi",
			"mainApplicationFile": "local:///opt/spark/examples/jars/spark-examples.jar",
			"restartPolicy":       map[string]any{"type": "Never"},
			"driver":              role(map[string]any{"serviceAccount": "spark-operator-spark"}),
			"executor":            role(map[string]any{"instances": int64(1)}),
		},
	}}
}

// CreateApplication creates an application.
func (cp *ControlPlane) CreateApplication(ctx context.Context, app *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	created, err := cp.Dynamic.Resource(Applications()).Namespace(app.GetNamespace()).Create(ctx, app, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating application %q: %w", app.GetName(), err)
	}
	return created, nil
}

// WaitForState waits until an application's state is the given one, such as "RUNNING".
func (cp *ControlPlane) WaitForState(ctx context.Context, namespace, name, state string) (*unstructured.Unstructured, error) {
	var app *unstructured.Unstructured
	err := Until(ctx, time.Minute, fmt.Sprintf("application %q to be %s", name, state), func(ctx context.Context) (bool, error) {
		var err error
		if app, err = cp.Dynamic.Resource(Applications()).Namespace(namespace).Get(ctx, name, metav1.GetOptions{}); err != nil {
			return false, err
		}
		got, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
		message, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "errorMessage")
		return got == state, fmt.Errorf("state %q %s", got, message)
	})
	return app, err
}

// WaitForPod waits until a pod exists and is running and ready.
func (cp *ControlPlane) WaitForPod(ctx context.Context, namespace, name string) (*corev1.Pod, error) {
	var pod *corev1.Pod
	err := Until(ctx, time.Minute, fmt.Sprintf("pod %q to be ready", name), func(ctx context.Context) (bool, error) {
		var err error
		if pod, err = cp.Client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{}); err != nil {
			return false, err
		}
		return PodReady(pod), fmt.Errorf("phase %s", pod.Status.Phase)
	})
	return pod, err
}

// WaitForGone waits until an object does not exist any more.
func (cp *ControlPlane) WaitForGone(ctx context.Context, resource schema.GroupVersionResource, namespace, name string) error {
	return Until(ctx, time.Minute, fmt.Sprintf("%s %q to be gone", resource.Resource, name), func(ctx context.Context) (bool, error) {
		_, err := cp.Dynamic.Resource(resource).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), err
	})
}

// PodReady says whether a pod's condition Ready is true.
func PodReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// EndPod makes a pod's containers end, with the phase Succeeded or Failed.
func (cp *ControlPlane) EndPod(ctx context.Context, namespace, name string, phase corev1.PodPhase) error {
	pod, err := cp.Client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("ending pod %q: %w", name, err)
	}
	now := metav1.Now()
	end := corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: pod.CreationTimestamp, FinishedAt: now}
	if phase == corev1.PodFailed {
		end.Reason, end.ExitCode = "Error", 1
	}
	status := corev1.PodStatus{Phase: phase, Conditions: []corev1.PodCondition{
		{Type: corev1.ContainersReady, Status: corev1.ConditionFalse, LastTransitionTime: now},
		{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: now},
	}}
	for _, c := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, State: corev1.ContainerState{Terminated: &end},
		})
	}
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return fmt.Errorf("encoding a pod's end: %w", err)
	}
	if _, err := cp.Client.CoreV1().Pods(namespace).Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{},
		"status"); err != nil {
		return fmt.Errorf("ending pod %q: %w", name, err)
	}
	return nil
}

// CreateExecutors creates the executors first, first+1, … of a driver, as the driver itself would.
// Spark makes the driver their owner; releases 2.4.0 to 2.5.2 add the application through the pod
// template, which the caller gives as another owner.
func (cp *ControlPlane) CreateExecutors(ctx context.Context, driver *corev1.Pod, first, count int,
	owners ...metav1.OwnerReference) ([]*corev1.Pod, error) {
	yes := true
	var pods []*corev1.Pod
	for id := first; id < first+count; id++ {
		labels := maps.Clone(driver.Labels)
		maps.Copy(labels, map[string]string{"spark-role": "executor", "spark-exec-id": strconv.Itoa(id), "spark-exec-resourceprofile-id": "0"})
		own := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: driver.Name, UID: driver.UID, Controller: &yes}
		pod, err := cp.Client.CoreV1().Pods(driver.Namespace).Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: driver.Namespace, Name: fmt.Sprintf("%s-exec-%d", driver.Labels["spark-app-selector"], id),
				Labels: labels, OwnerReferences: append([]metav1.OwnerReference{own}, owners...),
			},
			Spec: corev1.PodSpec{
				ServiceAccountName: driver.Spec.ServiceAccountName, RestartPolicy: corev1.RestartPolicyNever,
				Containers: []corev1.Container{{Name: "spark-kubernetes-executor", Image: driver.Spec.Containers[0].Image, Args: []string{"executor"}}},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			return nil, fmt.Errorf("creating executor %d: %w", id, err)
		}
		pods = append(pods, pod)
	}
	return pods, nil
}
