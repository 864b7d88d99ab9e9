package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

// backend is the driver's part in the cluster: KubernetesClusterSchedulerBackend, with ExecutorPodsAllocator and
// ExecutorPodsLifecycleManager.
type backend struct {
	client  kubernetes.Interface
	conf    sparkconf.Conf
	driver  *corev1.Pod
	prefix  string // of the executors' names
	confMap string
	want    int
	resize  func(time.Duration) int // with dynamic allocation: how many are wanted after that time; nil without
	orders  *executors
	last    int // highest id so far
	cancel  context.CancelFunc
	done    chan struct{}
}

func startBackend(ctx context.Context, conf sparkconf.Conf, orders *executors) (*backend, error) {
	config, err := rest.InClusterConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the service account: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	b := &backend{client: client, conf: conf, orders: orders, done: make(chan struct{})}
	if b.want, b.resize, err = target(conf); err != nil {
		return nil, err
	}
	namespace := conf.First("spark.kubernetes.namespace")
	// ExecutorPodsAllocator looks for its own pod first, to make it the executors' owner.
	name := conf.First("spark.kubernetes.driver.pod.name")
	if b.driver, err = client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{}); err != nil {
		return nil, fmt.Errorf("getting driver pod %q in namespace %q: %w", name, namespace, err)
	}
	if b.prefix, err = sparkconf.Prefix(conf.First("spark.app.name")); err != nil {
		return nil, err
	}
	id, err := sparkconf.HexID(8)
	if err != nil {
		return nil, err
	}
	b.confMap = "spark-exec-" + id + "-conf-map"
	if err := b.allocate(ctx); err != nil {
		return nil, err
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: b.confMap, OwnerReferences: b.owners(), Labels: b.selector()},
		Immutable: new(true), Data: map[string]string{sparkconf.File: conf.Properties()}}
	if _, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, configMap, metav1.CreateOptions{}); err != nil {
		return nil, fmt.Errorf("creating the executors' settings: %w", err)
	}
	allocating, cancel := context.WithCancel(ctx)
	b.cancel = cancel
	go b.run(allocating)
	return b, nil
}

// run looks after the executors every second (spark.kubernetes.allocation.batch.delay), until the driver stops.
func (b *backend) run(ctx context.Context) {
	defer close(b.done)
	start := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
		b.follow(time.Since(start))
		if err := b.allocate(ctx); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "WARN ExecutorPodsAllocator:", err)
		}
	}
}

// allocate deletes executors that ended, unless they are to be kept, and asks for as many as are missing.
func (b *backend) allocate(ctx context.Context) error {
	pods := b.client.CoreV1().Pods(b.driver.Namespace)
	selector := metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: b.selector()})
	list, err := pods.List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return fmt.Errorf("listing executors: %w", err)
	}
	active := 0
	for _, pod := range list.Items {
		switch {
		case pod.DeletionTimestamp != nil:
		case pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed:
			active++
		case b.conf["spark.kubernetes.executor.deleteOnTermination"] != "false":
			if err := pods.Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
				return fmt.Errorf("deleting executor %q: %w", pod.Name, err)
			}
		}
	}
	for ; active < b.want; active++ {
		pod, err := b.executorPod(b.last + 1)
		if err != nil {
			return err
		}
		if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating executor %q: %w", pod.Name, err)
		}
		if err := b.createClaims(ctx, pod.Name); err != nil {
			return err
		}
		b.last++
		fmt.Fprintf(os.Stderr, "INFO ExecutorPodsAllocator: asked for executor %d\n", b.last)
	}
	return nil
}

// createClaims makes the claims of an executor, after its pod. They are the driver's, so that executors can take them over
// (spark.kubernetes.driver.ownPersistentVolumeClaim).
func (b *backend) createClaims(ctx context.Context, executor string) error {
	claims, err := b.conf.Claims(executor, sparkconf.Executor, map[string]string{"spark-app-selector": b.conf["spark.app.id"]})
	if err != nil {
		return err
	}
	for i := range claims {
		claims[i].OwnerReferences = b.owners()
		if _, err := b.client.CoreV1().PersistentVolumeClaims(b.driver.Namespace).Create(ctx, &claims[i], metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating claim %q: %w", claims[i].Name, err)
		}
	}
	return nil
}

func (b *backend) selector() map[string]string {
	return map[string]string{"spark-app-selector": b.conf["spark.app.id"], "spark-role": "executor"}
}

func (b *backend) owners() []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: b.driver.Name, UID: b.driver.UID, Controller: new(true)}}
}

// stop deletes the executors and their settings, as Spark does whether the application succeeded or not. A driver that is killed
// leaves both behind.
func (b *backend) stop(ctx context.Context) error {
	b.cancel()
	<-b.done
	if b.conf["spark.kubernetes.executor.deleteOnTermination"] == "false" {
		return nil
	}
	selector := metav1.ListOptions{LabelSelector: metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: b.selector()})}
	return errors.Join(
		b.client.CoreV1().Pods(b.driver.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, selector),
		b.client.CoreV1().ConfigMaps(b.driver.Namespace).Delete(ctx, b.confMap, metav1.DeleteOptions{}))
}
