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

// createPod creates a pod on a node, so that nothing has to be scheduled; kwok runs it.
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
		ObjectMeta: metav1.ObjectMeta{Namespace: app.namespace, Name: name, Labels: labels, OwnerReferences: []metav1.OwnerReference{owner}},
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
	return pod, nil
}

// waitForPods waits until no pod of the fleet is pending.
func (l *loader) waitForPods(ctx context.Context) error {
	for i := range l.fleet.Namespaces {
		namespace := l.namespace(i)
		err := wait.PollUntilContextTimeout(ctx, 500*time.Millisecond, 10*time.Minute, true, func(ctx context.Context) (bool, error) {
			list, err := l.typed.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Pending", Limit: 1})
			return err == nil && len(list.Items) == 0, nil
		})
		if err != nil {
			return fmt.Errorf("waiting for the pods of %q to run: %w", namespace, err)
		}
	}
	return nil
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
