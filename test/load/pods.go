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

// createParts creates the driver and the executors, which the driver owns, and what else Spark makes and Kubernetes
// says. It returns their UIDs.
func (l *loader) createParts(ctx context.Context, app application) ([]string, error) {
	driver, err := l.createPod(ctx, app, 0, app.name+"-driver", map[string]string{"spark-role": "driver"}, app.owner)
	if err != nil {
		return nil, err
	}
	uids := []string{string(driver.UID)}
	yes := true
	owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: driver.Name, UID: driver.UID, Controller: &yes}
	for i := 1; i < l.fleet.podsEach(); i++ {
		id := strconv.Itoa(i)
		labels := map[string]string{"spark-role": "executor", "spark-exec-id": id, "spark-exec-resourceprofile-id": "0"}
		pod, err := l.createPod(ctx, app, i, app.name+"-8f1d2c9b7a6e5f40-exec-"+id, labels, owner)
		if err != nil {
			return nil, err
		}
		uids = append(uids, string(pod.UID))
	}
	extras, err := l.createExtras(ctx, app, owner)
	return append(uids, extras...), err
}

// createExtras creates the driver's ConfigMap and Service, and an event.
func (l *loader) createExtras(ctx context.Context, app application, driver metav1.OwnerReference) ([]string, error) {
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: app.namespace, Name: app.name + name, OwnerReferences: []metav1.OwnerReference{driver},
			Labels: map[string]string{"spark-app-selector": "spark-" + strings.ReplaceAll(app.submission, "-", ""), "spark-app-name": app.name}}
	}
	cm, err := l.typed.CoreV1().ConfigMaps(app.namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: meta("-8f1d2c9b-conf-map"),
		Data: map[string]string{"spark.properties": strings.Repeat("spark.some.ordinary.setting=a value of ordinary length\n", 40)}},
		metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating a ConfigMap: %w", err)
	}
	svc, err := l.typed.CoreV1().Services(app.namespace).Create(ctx, &corev1.Service{ObjectMeta: meta("-8f1d2c9b-driver-svc"),
		Spec: corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Selector: map[string]string{"spark-app-name": app.name},
			Ports: []corev1.ServicePort{{Name: "driver-rpc-port", Port: 7078}}}}, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating a Service: %w", err)
	}
	event, err := l.typed.CoreV1().Events(app.namespace).Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: app.namespace, Name: app.name + "-driver.17a2b3c4d5e6f708"},
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: app.namespace, Name: driver.Name, UID: driver.UID},
		Reason:         "Pulled", Message: "Container image already present on machine", Type: corev1.EventTypeNormal, Count: 1,
		LastTimestamp: metav1.Now(), FirstTimestamp: metav1.Now(),
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating an event: %w", err)
	}
	return []string{string(cm.UID), string(svc.UID), string(event.UID)}, nil
}

// createPod creates a pod on a node, so that nothing has to be scheduled, and says that it runs: kwok would
// take longer for so many.
func (l *loader) createPod(ctx context.Context, app application, i int, name string, labels map[string]string,
	owner metav1.OwnerReference) (*corev1.Pod, error) {
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
		status.Conditions = append(status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue,
			LastTransitionTime: pod.CreationTimestamp})
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
