// Command spark-submit does what Spark's does to a Kubernetes cluster in cluster mode and no more:
// it creates the driver pod, its properties and its service from the --conf arguments and the pod
// template. The operator calls it as $SPARK_HOME/bin/spark-submit. No JVM is needed for that.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := submit(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "Exception in thread \"main\" %v\n", err)
		os.Exit(1)
	}
}

func submit(ctx context.Context, args []string) error {
	job, err := parse(args)
	if err != nil {
		return err
	}
	if err := remember(job); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	return create(ctx, client, job)
}

// create follows the order of Spark's own client: first the pod, then what the pod owns.
func create(ctx context.Context, client kubernetes.Interface, j job) error {
	id, err := hexID(16)
	if err != nil {
		return err
	}
	confMap := "spark-drv-" + id[:16] + "-conf-map"
	pod, err := driverPod(j, "spark-"+id, confMap)
	if err != nil {
		return err
	}
	created, err := client.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		// The operator looks for this code in the output (ErrorCodePodAlreadyExists).
		return fmt.Errorf("creating the driver pod: %w, Received status: Status(apiVersion=v1, code=409)", err)
	}
	if err != nil {
		return fmt.Errorf("creating the driver pod: %w", err)
	}
	yes := true
	owned := metav1.ObjectMeta{
		Namespace:       pod.Namespace,
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: created.Name, UID: created.UID, Controller: &yes}},
	}
	owned.Name = confMap
	properties := &corev1.ConfigMap{ObjectMeta: owned, Data: map[string]string{"spark.properties": j.properties()}}
	if _, err := client.CoreV1().ConfigMaps(pod.Namespace).Create(ctx, properties, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating the properties: %w", err)
	}
	owned.Name = "driver-" + id[:16] + "-driver-svc"
	owned.Labels = map[string]string{"spark-app-selector": "spark-" + id}
	service := &corev1.Service{ObjectMeta: owned, Spec: corev1.ServiceSpec{
		ClusterIP: corev1.ClusterIPNone,
		Selector:  map[string]string{"spark-role": "driver", "spark-app-selector": "spark-" + id},
		Ports: []corev1.ServicePort{{Name: "driver-rpc-port", Port: 7078}, {Name: "blockmanager", Port: 7079},
			{Name: "spark-ui", Port: 4040}},
	}}
	if _, err := client.CoreV1().Services(pod.Namespace).Create(ctx, service, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating the driver's service: %w", err)
	}
	return nil
}

func hexID(bytes int) (string, error) {
	id := make([]byte, bytes)
	if _, err := rand.Read(id); err != nil {
		return "", fmt.Errorf("making an identifier: %w", err)
	}
	return hex.EncodeToString(id), nil
}

// remember notes where the operator put the pod templates, so that the bed can remove them: the
// operator does so only when the application goes.
func remember(j job) error {
	template := j.conf["spark.kubernetes.driver.podTemplateFile"]
	if template == "" {
		return nil
	}
	file, err := os.OpenFile(filepath.Join(os.Getenv("SPARK_HOME"), "templates"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("noting the pod template: %w", err)
	}
	defer file.Close()
	if _, err := fmt.Fprintln(file, template); err != nil {
		return fmt.Errorf("noting the pod template: %w", err)
	}
	return nil
}
