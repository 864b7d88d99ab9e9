package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// startNode starts a real node, or says why kwok plays one. The caller stops what it started.
func (d *demo) startNode(ctx context.Context, missing error) (stop func() error, err error) {
	if missing != nil {
		d.say("kwok plays the node, and pods report what the demo sets. No real node runs here: %v.", missing)
		return func() error { return nil }, nil
	}
	d.say("A real node: kubelet, containerd, runc. Pods run, with a JVM in each driver and executor.")
	archives, err := images.Archives(ctx, d.cp.Builder(), release)
	if err != nil {
		return nil, err
	}
	n, err := node.Start(ctx, d.cp, node.Options{Log: d.stderr, Images: archives})
	if err != nil {
		return nil, err
	}
	return n.Stop, nil
}

// drain takes the webhook's pods away, as an upgrade of the nodes does.
func (d *demo) drain(ctx context.Context) error {
	if err := d.cordon(ctx, true); err != nil {
		return err
	}
	if err := d.cp.Client.CoreV1().Pods(d.op.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=webhook"}); err != nil {
		return fmt.Errorf("draining the webhook: %w", err)
	}
	return d.op.WaitForEndpoints(ctx, 0)
}

// undrain lets them come back.
func (d *demo) undrain(ctx context.Context) error {
	if err := d.cordon(ctx, false); err != nil {
		return err
	}
	return d.op.WaitForEndpoints(ctx, 1)
}

func (d *demo) cordon(ctx context.Context, on bool) error {
	nodes, err := d.cp.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	patch := fmt.Appendf(nil, `{"spec": {"unschedulable": %t}}`, on)
	for _, n := range nodes.Items {
		if _, err := d.cp.Client.CoreV1().Nodes().Patch(ctx, n.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("cordoning node %q: %w", n.Name, err)
		}
	}
	return nil
}

// job is an application that a node of two cores has room for. On a real node its arguments are what the driver does.
func job(name string, arguments ...any) *unstructured.Unstructured {
	app := controlplane.NewApplication("shop", name)
	spec := app.Object["spec"].(map[string]any)
	spec["arguments"] = append([]any{"context"}, arguments...)
	for _, role := range []string{"driver", "executor"} {
		settings := spec[role].(map[string]any)
		settings["coreRequest"], settings["memory"] = "10m", "128m"
	}
	return app
}

// fails is a job that exceeds its memory limit, which only a real node enforces.
func (d *demo) fails(ctx context.Context) error {
	d.say("A job fails, and its SparkApplication says only with which exit code. Why did it fail?")
	app := job("report", "direct")
	app.Object["spec"].(map[string]any)["driver"].(map[string]any)["javaOptions"] = "-XX:MaxDirectMemorySize=4g"
	if _, err := d.cp.CreateApplication(ctx, app); err != nil {
		return err
	}
	if _, err := d.cp.WaitForState(ctx, "shop", "report", "FAILED"); err != nil {
		return err
	}
	return d.doctor(ctx, 0, "OOMKilled overhead", "why", "report", "-n", "shop")
}
