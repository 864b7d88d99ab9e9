package record

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// stuckDeletion holds a driver by the finalizer of a fork of the operator (#2076), and lets its application wait for it.
func (r *recorder) stuckDeletion(ctx context.Context) error {
	j := job{namespace: "nightly", name: "ledger", class: "com.example.finance.Ledger"}
	if err := r.run(ctx, j); err != nil {
		return err
	}
	if _, err := r.patchPod(ctx, j.namespace, "ledger-driver", `{"metadata":{"finalizers":["kubeflow/spark-operator"]}}`); err != nil {
		return err
	}
	foreground := metav1.DeletePropagationForeground
	err := r.cp.Dynamic.Resource(controlplane.Applications()).Namespace(j.namespace).Delete(ctx, j.name,
		metav1.DeleteOptions{PropagationPolicy: &foreground})
	if err != nil {
		return fmt.Errorf("deleting application %q: %w", j.name, err)
	}
	return controlplane.Until(ctx, patience, "the driver to be terminating", func(ctx context.Context) (bool, error) {
		pod, err := r.cp.Client.CoreV1().Pods(j.namespace).Get(ctx, "ledger-driver", metav1.GetOptions{})
		return err == nil && pod.DeletionTimestamp != nil, err
	})
}

// driverWithoutOwner takes the reference away, as a restore from a backup does.
func (r *recorder) driverWithoutOwner(ctx context.Context) error {
	j := job{namespace: "streaming", name: "sessions", class: "com.example.web.Sessions"}
	if err := r.run(ctx, j); err != nil {
		return err
	}
	_, err := r.patchPod(ctx, j.namespace, "sessions-driver", `{"metadata":{"ownerReferences":null}}`)
	return err
}

// grownStatus writes what the operator has written after weeks of dynamic allocation: the one thing here that takes
// too long to let it happen.
func (r *recorder) grownStatus(ctx context.Context) error {
	const ended, weeks = 13_000, 3
	j := job{namespace: "streaming", name: "clickstream", class: "com.example.web.Clickstream", dynamic: true}
	if err := r.run(ctx, j); err != nil {
		return err
	}
	driver, err := r.cp.WaitForPod(ctx, j.namespace, "clickstream-driver")
	if err != nil {
		return err
	}
	states := map[string]string{}
	for id := 1; id <= ended; id++ {
		states[fmt.Sprintf("%s-exec-%d", driver.Labels["spark-app-selector"], id)] = "COMPLETED"
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{
		"executorState":             states,
		"lastSubmissionAttemptTime": time.Now().AddDate(0, 0, -7*weeks).UTC().Format(time.RFC3339),
	}})
	if err != nil {
		return fmt.Errorf("encoding a status: %w", err)
	}
	if err := r.patchApplication(ctx, j.namespace, j.name, patch, "status"); err != nil {
		return err
	}
	j.executors = 4
	return r.executors(ctx, j, ended+1)
}

// lostDriver deletes a driver while the controller is down, as the drain of a node can.
func (r *recorder) lostDriver(ctx context.Context) error {
	j := job{namespace: "nightly", name: "inventory", class: "com.example.stock.Inventory"}
	if err := r.run(ctx, j); err != nil {
		return err
	}
	if err := r.op.StopController(ctx); err != nil {
		return err
	}
	if err := r.killPod(ctx, j.namespace, "inventory-driver"); err != nil {
		return err
	}
	if err := r.op.StartController(ctx); err != nil {
		return err
	}
	_, err := r.cp.WaitForState(ctx, j.namespace, j.name, "FAILED")
	return err
}

// takenByCollector makes an application that a workflow in another namespace owns, and watches it go.
func (r *recorder) takenByCollector(ctx context.Context) error {
	owner, err := r.workflow(ctx, "sales-m2wkd")
	if err != nil {
		return err
	}
	j := job{namespace: "team-a", name: "sales-5tz9r", class: "com.example.sales.Daily", owners: []metav1.OwnerReference{owner}}
	if _, err := r.cp.CreateApplication(ctx, j.object()); err != nil {
		return err
	}
	if err := r.cp.WaitForGone(ctx, controlplane.Applications(), j.namespace, j.name); err != nil {
		return err
	}
	return controlplane.Until(ctx, patience, "the garbage collector's event", func(ctx context.Context) (bool, error) {
		events, err := r.cp.Client.CoreV1().Events(j.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=OwnerRefInvalidNamespace"})
		return err == nil && len(events.Items) > 0, err
	})
}

// foreignOwner makes the next application of that template, which the garbage collector has not seen yet.
func (r *recorder) foreignOwner(ctx context.Context) error {
	owner, err := r.workflow(ctx, "sales-x7q4n")
	if err != nil {
		return err
	}
	return r.run(ctx, job{namespace: "team-a", name: "sales-8kd2v", class: "com.example.sales.Daily", executors: 2,
		owners: []metav1.OwnerReference{owner}})
}

// workflow returns the reference that Argo's setOwnerReference writes.
func (r *recorder) workflow(ctx context.Context, name string) (metav1.OwnerReference, error) {
	resource := schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "workflows"}
	w, err := r.cp.Dynamic.Resource(resource).Namespace("argo").Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("reading workflow %q: %w", name, err)
	}
	return *metav1.NewControllerRef(w, resource.GroupVersion().WithKind("Workflow")), nil
}
