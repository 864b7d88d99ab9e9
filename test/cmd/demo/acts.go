package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const (
	patience = time.Minute
	// The names of the chart.
	webhookConfiguration = "spark-operator-webhook"
	webhookSecret        = "spark-operator-webhook-certs"
)

func (d *demo) healthy(ctx context.Context) error {
	if err := d.application(ctx, job("orders", "hang")); err != nil {
		return err
	}
	d.say("An application runs. All is well:")
	return d.doctor(ctx, 0, "", "scan", "--probe")
}

// down is a webhook that cannot be reached and does not have to be.
func (d *demo) down(ctx context.Context) error {
	d.say("A colleague sets failurePolicy: Ignore, so that deployments succeed without the webhook. Then the webhook's node is drained.")
	configurations := d.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	got, err := configurations.Get(ctx, webhookConfiguration, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for i := range got.Webhooks {
		got.Webhooks[i].FailurePolicy = new(admissionv1.Ignore)
	}
	if _, err := configurations.Update(ctx, got, metav1.UpdateOptions{FieldManager: "kubectl-edit"}); err != nil {
		return err
	}
	if err := d.drain(ctx); err != nil {
		return err
	}
	if err := d.doctor(ctx, 1, "SD1001 SD1002", "scan"); err != nil {
		return err
	}
	d.say("The node comes back, and the webhook with it.")
	return d.undrain(ctx)
}

// diverging makes two replicas with two certificates.
func (d *demo) diverging(ctx context.Context) error {
	d.say("A second replica. Then the certificate's Secret is deleted, and one replica replaced: it makes a certificate of its own.")
	if err := d.op.Scale(ctx, "webhook", 2); err != nil {
		return err
	}
	if err := d.cp.Client.CoreV1().Secrets(d.op.Namespace).Delete(ctx, webhookSecret, metav1.DeleteOptions{}); err != nil {
		return err
	}
	pods, err := d.op.Pods(ctx, "webhook")
	if err != nil {
		return err
	}
	if err := d.cp.Client.CoreV1().Pods(d.op.Namespace).Delete(ctx, pods[0].Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	err = controlplane.Until(ctx, patience, "two replicas", func(ctx context.Context) (bool, error) {
		now, err := d.op.Pods(ctx, "webhook")
		ready := slices.DeleteFunc(now, func(p corev1.Pod) bool { return p.Name == pods[0].Name || !controlplane.PodReady(&p) })
		return err == nil && len(ready) == 2, err
	})
	if err != nil {
		return err
	}
	if err := d.doctor(ctx, 1, "SD1003 SD1005", "scan", "--probe"); err != nil {
		return err
	}
	d.say("The replicas read the Secret when they start: a restart. When both are trusted, the webhook may fail closed again.")
	if err := d.doctor(ctx, 0, "SD1003 SD1005 resolved", "fix", "SD1003", "SD1005", "--probe", "--max-risk", "disruptive",
		"--yes"); err != nil {
		return err
	}
	return d.doctor(ctx, 0, "SD1001 resolved", "fix", "SD1001", "--probe", "--max-risk", "disruptive", "--yes")
}

// objects breaks three applications, while nothing is garbage-collected: it would take the first one in an instant.
func (d *demo) objects(ctx context.Context) (err error) {
	d.say("An application gets an owner in another namespace, one hangs on a finalizer, and one has run for weeks.")
	clickstream := job("clickstream", "hang")
	clickstream.Object["spec"].(map[string]any)["dynamicAllocation"] = map[string]any{"enabled": true, "minExecutors": int64(1),
		"maxExecutors": int64(2)}
	for _, app := range []*unstructured.Unstructured{job("invoices", "hang"), job("ledger", "sleep", "8"), clickstream} {
		if err := d.application(ctx, app); err != nil {
			return err
		}
	}
	if err := d.ended(ctx, "ledger"); err != nil {
		return err
	}
	if err := d.grown(ctx, "clickstream"); err != nil {
		return err
	}
	if err := d.cp.CreateNamespace(ctx, "argo"); err != nil {
		return err
	}
	owner, err := d.cp.Client.CoreV1().ConfigMaps("argo").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "workflow"}},
		metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := d.cp.PauseControllerManager(); err != nil {
		return err
	}
	defer func() {
		if resumed := d.cp.ResumeControllerManager(); err == nil {
			err = resumed
		}
	}()
	references := map[string]any{"metadata": map[string]any{"ownerReferences": []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap",
		Name: owner.Name, UID: owner.UID}}}}
	if err := d.patch(ctx, "invoices", references); err != nil {
		return err
	}
	err = controlplane.Until(ctx, patience, "a second of being stuck", func(ctx context.Context) (bool, error) {
		app, err := d.cp.Dynamic.Resource(controlplane.Applications()).Namespace("shop").Get(ctx, "ledger", metav1.GetOptions{})
		return err == nil && time.Since(app.GetDeletionTimestamp().Time) > 2*time.Second, err
	})
	if err != nil {
		return err
	}
	if err := d.doctor(ctx, 1, "SD2001 SD2005 SD3001", "scan"); err != nil {
		return err
	}
	d.say("What would be done? Nothing is written by this:")
	if err := d.doctor(ctx, 0, "SD2001 SD2005 SD3001", "fix", "SD2001", "SD2005", "SD3001", "--max-risk", "destructive",
		"--dry-run=server"); err != nil {
		return err
	}
	d.say("And now in earnest:")
	return d.doctor(ctx, 0, "resolved", "fix", "SD2001", "SD2005", "SD3001", "--max-risk", "destructive", "--yes")
}

func (d *demo) end(ctx context.Context) error {
	d.say("Nothing is broken any more:")
	return d.doctor(ctx, 0, "", "scan", "--probe", "--fail-on", "warning")
}

// application creates one and waits until it runs.
func (d *demo) application(ctx context.Context, app *unstructured.Unstructured) error {
	if _, err := d.cp.CreateApplication(ctx, app); err != nil {
		return err
	}
	_, err := d.cp.WaitForState(ctx, app.GetNamespace(), app.GetName(), "RUNNING")
	return err
}

// ended ends an application that has a finalizer of an operator before 2.x, and deletes it.
func (d *demo) ended(ctx context.Context, name string) error {
	held := map[string]any{"metadata": map[string]any{"finalizers": []string{"sparkoperator.k8s.io/finalizer"}}}
	if err := d.patch(ctx, name, held); err != nil {
		return err
	}
	if !d.real { // else its program ends
		if err := d.cp.EndPod(ctx, "shop", name+"-driver", corev1.PodSucceeded); err != nil {
			return err
		}
	}
	if _, err := d.cp.WaitForState(ctx, "shop", name, "COMPLETED"); err != nil {
		return err
	}
	return d.cp.Dynamic.Resource(controlplane.Applications()).Namespace("shop").Delete(ctx, name, metav1.DeleteOptions{})
}

// grown writes what the operator writes in weeks of dynamic allocation.
func (d *demo) grown(ctx context.Context, name string) error {
	driver, err := d.cp.WaitForPod(ctx, "shop", name+"-driver")
	if err != nil {
		return err
	}
	states := map[string]string{}
	for id := 1; id <= 21_000; id++ {
		states[fmt.Sprintf("%s-exec-%d", driver.Labels["spark-app-selector"], id)] = "COMPLETED"
	}
	submitted := time.Now().AddDate(0, 0, -21).UTC().Format(time.RFC3339)
	return d.patch(ctx, name, map[string]any{"status": map[string]any{"executorState": states, "lastSubmissionAttemptTime": submitted}},
		"status")
}

func (d *demo) patch(ctx context.Context, name string, patch map[string]any, subresources ...string) error {
	raw, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	_, err = d.cp.Dynamic.Resource(controlplane.Applications()).Namespace("shop").Patch(ctx, name, types.MergePatchType, raw,
		metav1.PatchOptions{}, subresources...)
	return err
}
