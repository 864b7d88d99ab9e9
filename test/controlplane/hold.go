package controlplane

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// StopWebhook ends the webhook's processes and keeps them down: its pods are no longer ready, its
// Service has no endpoints, and the configurations still say what they said.
func (op *Operator) StopWebhook(ctx context.Context) error {
	if err := op.hold(ctx, webhook); err != nil {
		return err
	}
	return op.WaitForEndpoints(ctx, 0)
}

// StartWebhook undoes StopWebhook and returns when applications are admitted again.
func (op *Operator) StartWebhook(ctx context.Context) error {
	if err := op.release(ctx, webhook); err != nil {
		return err
	}
	return op.waitForAdmission(ctx)
}

// DropConnections closes those over which the API server calls the webhook, as idle ones are from time to time: each
// further call goes to whichever replica is next.
func (op *Operator) DropConnections() { op.relay.Drop() }

// LetWebhookStart undoes StopWebhook and does not wait: the webhook may be unable to start.
func (op *Operator) LetWebhookStart() { op.setHeld(webhook, false) }

// StopController ends the controller's processes and keeps them down.
func (op *Operator) StopController(ctx context.Context) error { return op.hold(ctx, controller) }

// LetControllerStart undoes StopController and does not wait: the controller may be unable to start.
func (op *Operator) LetControllerStart() { op.setHeld(controller, false) }

// StartController undoes StopController.
func (op *Operator) StartController(ctx context.Context) error { return op.release(ctx, controller) }

func (op *Operator) hold(ctx context.Context, component string) error {
	if op.relay == nil {
		return fmt.Errorf("the %s runs on a real node: scale its Deployment, or signal its pods", component)
	}
	op.setHeld(component, true)
	if err := op.waitForReady(ctx, component, false); err != nil {
		return err
	}
	return op.forgetLeases(ctx, component)
}

func (op *Operator) release(ctx context.Context, component string) error {
	op.setHeld(component, false)
	return op.waitForReady(ctx, component, true)
}

func (op *Operator) setHeld(component string, held bool) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.held[component] = held
}

func (op *Operator) waitForReady(ctx context.Context, component string, want bool) error {
	return Until(ctx, 30*time.Second, fmt.Sprintf("the %s's pods to have ready=%t", component, want), func(ctx context.Context) (bool, error) {
		pods, err := op.Pods(ctx, component)
		if err != nil {
			return false, err
		}
		for i := range pods {
			if PodReady(&pods[i]) != want {
				return false, fmt.Errorf("pod %q has ready=%t", pods[i].Name, !want)
			}
		}
		return true, nil
	})
}

// forgetLeases clears the holder of a component's lease. The operator does not give its lease up
// when it ends (LeaderElectionReleaseOnCancel is off), so a successor would wait for it to expire.
func (op *Operator) forgetLeases(ctx context.Context, component string) error {
	leases := op.cp.Client.CoordinationV1().Leases(op.Namespace)
	list, err := leases.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing leases: %w", err)
	}
	pods, err := op.Pods(ctx, component)
	if err != nil {
		return err
	}
	for _, lease := range list.Items {
		if !namedBy(pods, lease.Name) {
			continue
		}
		patch := []byte(`{"spec":{"holderIdentity":""}}`)
		if _, err := leases.Patch(ctx, lease.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("clearing lease %q: %w", lease.Name, err)
		}
	}
	return nil
}

// namedBy says whether a pod's arguments name the lease.
func namedBy(pods []corev1.Pod, lease string) bool {
	for _, pod := range pods {
		if slices.Contains(pod.Spec.Containers[0].Args, "--leader-election-lock-name="+lease) {
			return true
		}
	}
	return false
}

// HoldSubmissions makes every spark-submit wait, as one does whose dependencies do not download, until release is
// called. A controller writes the state of an application only when its submission is over.
func (op *Operator) HoldSubmissions() (release func() error, err error) {
	program := op.sparkSubmit()
	real := op.sparkSubmit() + ".real"
	signal := op.sparkSubmit() + ".go"
	if err := os.Rename(program, real); err != nil {
		return nil, fmt.Errorf("moving spark-submit: %w", err)
	}
	script := fmt.Sprintf("#!/bin/sh\nwhile [ ! -e %q ]; do sleep 0.1; done\nexec %q \"$@\"\n", signal, real)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil { //nolint:gosec // it is run
		return nil, fmt.Errorf("writing a spark-submit that waits: %w", err)
	}
	return func() error {
		if err := os.WriteFile(signal, nil, 0o600); err != nil {
			return fmt.Errorf("letting spark-submit go on: %w", err)
		}
		return nil
	}, nil
}
