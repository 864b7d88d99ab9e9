package controlplane

import (
	"context"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WaitUntilReady waits for the Deployments, the certificate in the webhook configurations and for
// the API server to reach the webhook.
func (op *Operator) WaitUntilReady(ctx context.Context) error {
	if err := op.waitForDeployments(ctx); err != nil {
		return err
	}
	return op.waitForAdmission(ctx)
}

func (op *Operator) selector(component string) string {
	selector := "app.kubernetes.io/instance=" + op.Release
	if component != "" {
		selector += ",app.kubernetes.io/component=" + component
	}
	return selector
}

func (op *Operator) waitForDeployments(ctx context.Context) error {
	err := Until(ctx, time.Minute, "the operator's Deployments", func(ctx context.Context) (bool, error) {
		list, err := op.cp.Client.AppsV1().Deployments(op.Namespace).List(ctx, metav1.ListOptions{LabelSelector: op.selector("")})
		if err != nil {
			return false, err
		}
		for i := range list.Items {
			if d := &list.Items[i]; !rolledOut(d) {
				return false, fmt.Errorf("deployment %q: %d of %d ready", d.Name, d.Status.ReadyReplicas, *d.Spec.Replicas)
			}
		}
		return len(list.Items) > 0, nil
	})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, op.Logs())
	}
	return nil
}

func rolledOut(d *appsv1.Deployment) bool {
	want := *d.Spec.Replicas
	return d.Status.ObservedGeneration >= d.Generation && d.Status.UpdatedReplicas == want &&
		d.Status.ReadyReplicas == want && d.Status.Replicas == want
}

// waitForAdmission tries to create an application without keeping it. Any answer but a failed call
// comes from the webhook itself. Without a webhook there is nothing to wait for.
func (op *Operator) waitForAdmission(ctx context.Context) error {
	namespace := "default"
	if len(op.jobNamespaces) > 0 && op.jobNamespaces[0] != "" {
		namespace = op.jobNamespaces[0]
	}
	err := Until(ctx, time.Minute, "the operator's webhook", func(ctx context.Context) (bool, error) {
		if err := op.bundlesFilled(ctx); err != nil {
			return false, err
		}
		app := NewApplication(namespace, "testbed-admission")
		_, err := op.cp.Dynamic.Resource(Applications()).Namespace(namespace).Create(ctx, app,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		failedCall := err != nil && (apierrors.IsInternalError(err) || strings.Contains(err.Error(), "failed calling webhook"))
		return !failedCall, err
	})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, op.Logs())
	}
	return nil
}

// bundlesFilled returns an error while a webhook of the release has no caBundle.
func (op *Operator) bundlesFilled(ctx context.Context) error {
	selector := metav1.ListOptions{LabelSelector: op.selector("")}
	mutating, err := op.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().List(ctx, selector)
	if err != nil {
		return err
	}
	validating, err := op.cp.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().List(ctx, selector)
	if err != nil {
		return err
	}
	for _, c := range mutating.Items {
		for _, w := range c.Webhooks {
			if len(w.ClientConfig.CABundle) == 0 {
				return fmt.Errorf("webhook %q has no caBundle", w.Name)
			}
		}
	}
	for _, c := range validating.Items {
		for _, w := range c.Webhooks {
			if len(w.ClientConfig.CABundle) == 0 {
				return fmt.Errorf("webhook %q has no caBundle", w.Name)
			}
		}
	}
	return nil
}

// Pods returns the pods of a component, "controller" or "webhook".
func (op *Operator) Pods(ctx context.Context, component string) ([]corev1.Pod, error) {
	list, err := op.cp.Client.CoreV1().Pods(op.Namespace).List(ctx, metav1.ListOptions{LabelSelector: op.selector(component)})
	if err != nil {
		return nil, fmt.Errorf("listing the operator's pods: %w", err)
	}
	return list.Items, nil
}

// Logs returns the ends of the logs of the processes that run now.
func (op *Operator) Logs() string {
	op.mu.Lock()
	defer op.mu.Unlock()
	var text strings.Builder
	for _, p := range op.running {
		fmt.Fprintf(&text, "--- %s\n%s\n", p.pod.Name, logTail(p.process.log))
	}
	return text.String()
}
