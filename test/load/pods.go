package load

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// createPods creates the drivers and then the executors, which their drivers own.
func (l *loader) createPods(ctx context.Context, apps []application) error {
	drivers := make([]*corev1.Pod, min(len(apps), l.fleet.Pods))
	err := l.each(ctx, len(drivers), func(ctx context.Context, i int) error {
		var err error
		drivers[i], err = l.createPod(ctx, apps[i], i, apps[i].name+"-driver", map[string]string{"spark-role": "driver"}, apps[i].owner)
		return err
	})
	if err != nil {
		return err
	}
	return l.each(ctx, l.fleet.Pods-len(drivers), func(ctx context.Context, i int) error {
		app, driver, id := apps[i%len(apps)], drivers[i%len(apps)], strconv.Itoa(i/len(apps)+1)
		yes := true
		owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: driver.Name, UID: driver.UID, Controller: &yes}
		labels := map[string]string{"spark-role": "executor", "spark-exec-id": id, "spark-exec-resourceprofile-id": "0"}
		_, err := l.createPod(ctx, app, i, app.name+"-8f1d2c9b7a6e5f40-exec-"+id, labels, owner)
		return err
	})
}

// createPod creates a pod on a node, so that nothing has to be scheduled, and says that it runs: kwok would
// take longer for so many.
func (l *loader) createPod(ctx context.Context, app application, i int, name string, labels map[string]string, owner metav1.OwnerReference) (*corev1.Pod, error) {
	for key, value := range map[string]string{
		"sparkoperator.k8s.io/app-name":                   app.name,
		"sparkoperator.k8s.io/launched-by-spark-operator": "true",
		"sparkoperator.k8s.io/mutated-by-spark-operator":  "true",
		"sparkoperator.k8s.io/submission-id":              app.submission,
		"spark-app-selector":                              "spark-" + strings.ReplaceAll(app.submission, "-", ""),
		"spark-app-name":                                  app.name,
		"spark-version":                                   "3.5.5",
		"team":                                            "data",
	} {
		labels[key] = value
	}
	role := labels["spark-role"]
	size := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m"), corev1.ResourceMemory: resource.MustParse("10Mi")}
	pod, err := l.typed.CoreV1().Pods(app.namespace).Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: app.namespace, Name: name, Labels: labels,
			Annotations: map[string]string{controlplane.NotKwok: "true"}, OwnerReferences: []metav1.OwnerReference{owner}},
		Spec: corev1.PodSpec{
			NodeName: l.nodes[i%len(l.nodes)], RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{
				Name: "spark-kubernetes-" + role, Image: "registry.invalid/data/spark:3.5.5", Args: []string{role},
				Resources: corev1.ResourceRequirements{Requests: size, Limits: size},
				Env: []corev1.EnvVar{
					{Name: "STAGE", Value: "production"}, {Name: "SPARK_USER", Value: "spark"},
					{Name: "SPARK_APPLICATION_ID", Value: labels["spark-app-selector"]}, {Name: "SPARK_CONF_DIR", Value: "/opt/spark/conf"},
				},
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating pod %q: %w", name, err)
	}
	pod.Status = running(pod, i)
	if pod, err = l.typed.CoreV1().Pods(app.namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return nil, fmt.Errorf("writing the status of pod %q: %w", name, err)
	}
	return pod, nil
}

// running returns the status that a kubelet would have written.
func running(pod *corev1.Pod, i int) corev1.PodStatus {
	ip := fmt.Sprintf("10.%d.%d.%d", 128+i>>16, i>>8&255, i&255)
	started := true
	status := corev1.PodStatus{Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}}, StartTime: &pod.CreationTimestamp}
	for _, kind := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		status.Conditions = append(status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: pod.CreationTimestamp})
	}
	for _, c := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, Started: &started,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: pod.CreationTimestamp}},
		})
	}
	return status
}

// waitForAccount waits for what every pod of a namespace needs.
func (l *loader) waitForAccount(ctx context.Context, namespace string) error {
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := l.typed.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the service account of %q: %w", namespace, err)
	}
	return nil
}
