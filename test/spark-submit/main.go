// Command spark-submit does what Spark's does to a Kubernetes cluster in cluster mode and no more:
// it creates the driver pod, its properties and its service from the --conf arguments and the pod
// template. The operator calls it as $SPARK_HOME/bin/spark-submit. No JVM is needed for that.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
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
	config, err := access()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	return create(ctx, client, job)
}

// access is that of a kubeconfig, or within a pod that of its service account.
func access() (*rest.Config, error) {
	if file := os.Getenv("KUBECONFIG"); file != "" {
		return clientcmd.BuildConfigFromFlags("", file)
	}
	return rest.InClusterConfig()
}

// create follows the order of Spark's own client: first the pod, then what the pod owns (KubernetesClientApplication.scala).
func create(ctx context.Context, client kubernetes.Interface, j job) error {
	n, err := newNames(j)
	if err != nil {
		return err
	}
	pod, err := driverPod(j, n)
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
	configMaps := []*corev1.ConfigMap{{ObjectMeta: metav1.ObjectMeta{Name: n.confMap}, Immutable: new(true),
		Data: map[string]string{sparkconf.File: j.properties(created, n)}}}
	if path := j.executorTemplate(); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading the executors' pod template: %w", err)
		}
		configMaps = append(configMaps, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: n.template}, Immutable: new(true),
			Data: map[string]string{templateKey: string(text)}})
	}
	owners := []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: created.Name, UID: created.UID, Controller: new(true)}}
	for _, configMap := range configMaps {
		configMap.OwnerReferences = owners
		if _, err := client.CoreV1().ConfigMaps(pod.Namespace).Create(ctx, configMap, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating ConfigMap %q: %w", configMap.Name, err)
		}
	}
	service := driverService(j, n)
	service.OwnerReferences = owners
	if _, err := client.CoreV1().Services(pod.Namespace).Create(ctx, service, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating the driver's service: %w", err)
	}
	return nil
}

// driverService is the headless Service by which executors find their driver. It selects Spark's labels and those of the settings,
// not those of the pod template (DriverServiceFeatureStep).
func driverService(j job, n names) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: n.service, Labels: map[string]string{"spark-app-selector": n.app}},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone,
			Selector:  sparkconf.Overlay(j.conf.Under("spark.kubernetes.driver.label."), ownLabels(j, n)),
			Ports: []corev1.ServicePort{{Name: "driver-rpc-port", Port: 7078}, {Name: "blockmanager", Port: 7079},
				{Name: "spark-ui", Port: 4040}},
		},
	}
}

// remember notes where the operator put the pod templates, so that the bed can remove them: the
// operator does so only when the application goes.
func remember(j job) error {
	template := j.conf["spark.kubernetes.driver.podTemplateFile"]
	if template == "" || os.Getenv("KUBECONFIG") == "" {
		return nil // within a pod, where it goes with the container
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
