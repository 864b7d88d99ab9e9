package record

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// healthy are applications that nothing is wrong with.
func (r *recorder) healthy(ctx context.Context) error {
	for _, j := range []job{
		{namespace: "team-a", name: "customers", class: "com.example.customers.Sync", executors: 2},
		{namespace: "streaming", name: "orders", class: "com.example.orders.Stream", executors: 3, dynamic: true},
		{namespace: "reporting", name: "dashboards", class: "com.example.reporting.Dashboards", executors: 2},
		{namespace: "reporting", name: "churn", class: "com.example.reporting.Churn", executors: 2},
	} {
		if err := r.run(ctx, j); err != nil {
			return err
		}
	}
	return r.schedule(ctx)
}

// completed is an application whose driver ended well.
func (r *recorder) completed(ctx context.Context) error {
	if err := r.run(ctx, job{namespace: "reporting", name: "month-end", class: "com.example.reporting.MonthEnd"}); err != nil {
		return err
	}
	if err := r.cp.EndPod(ctx, "reporting", "month-end-driver", corev1.PodSucceeded); err != nil {
		return err
	}
	_, err := r.cp.WaitForState(ctx, "reporting", "month-end", "COMPLETED")
	return err
}

// schedule starts an application every ten minutes, so that the recording holds one.
func (r *recorder) schedule(ctx context.Context) error {
	resource := schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1beta2", Resource: "scheduledsparkapplications"}
	j := job{namespace: "nightly", name: "compaction", class: "com.example.lake.Compaction", executors: 1}
	_, err := r.cp.Dynamic.Resource(resource).Namespace(j.namespace).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "ScheduledSparkApplication", "metadata": map[string]any{"name": j.name},
		"spec": map[string]any{"schedule": "*/10 * * * *", "concurrencyPolicy": "Forbid", "template": j.spec()},
	}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating the schedule: %w", err)
	}
	return nil
}
