package situations

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// Roles, as Spark labels its pods.
const (
	driver   = "driver"
	executor = "executor"
)

// spark is the name of Spark's container in pods of a role.
func spark(role string) string { return "spark-kubernetes-" + role }

// until waits for a pod of a role of which something holds.
func until(role, what string, holds func(*corev1.Pod) bool) Step {
	return Step{role + " " + what, func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, role+" "+what, func(ctx context.Context) (bool, error) {
			pods, err := podsOf(ctx, p, role)
			if err != nil {
				return false, err
			}
			var seen []string
			for i := range pods {
				if holds(&pods[i]) {
					return true, nil
				}
				seen = append(seen, fmt.Sprintf("%s %s %s %s", pods[i].Name, pods[i].Status.Phase, pods[i].Status.Reason, states(&pods[i])))
			}
			return false, fmt.Errorf("pods: %q", seen)
		})
	}}
}

func podsOf(ctx context.Context, p place, role string) ([]corev1.Pod, error) {
	list, err := p.cp.Client.CoreV1().Pods(p.namespace).List(ctx, metav1.ListOptions{LabelSelector: "spark-role=" + role})
	if err != nil {
		return nil, fmt.Errorf("listing pods: %w", err)
	}
	return list.Items, nil
}

func statuses(pod *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
}

func states(pod *corev1.Pod) (text string) {
	for _, c := range statuses(pod) {
		switch {
		case c.State.Waiting != nil:
			text += fmt.Sprintf("%s waits %s; ", c.Name, c.State.Waiting.Reason)
		case c.State.Terminated != nil:
			text += fmt.Sprintf("%s ended %s %d; ", c.Name, c.State.Terminated.Reason, c.State.Terminated.ExitCode)
		default:
			text += c.Name + " runs; "
		}
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			text += c.Message
		}
	}
	return text
}

// running waits until Spark's container in a pod of a role runs.
func running(role string) Step {
	return until(role, "runs", func(pod *corev1.Pod) bool {
		return pod.Status.Phase == corev1.PodRunning && slices.ContainsFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
			return c.Name == spark(role) && c.State.Running != nil
		})
	})
}

// ended waits until a container has ended for a reason with an exit code.
func ended(role, container, reason string, code int32) Step {
	return until(role, fmt.Sprintf("ended %s %d", reason, code), func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(statuses(pod), func(c corev1.ContainerStatus) bool {
			t := c.State.Terminated
			return c.Name == container && t != nil && t.Reason == reason && t.ExitCode == code
		})
	})
}

// waits waits until a container waits for one of some reasons.
func waits(role string, reasons ...string) Step {
	return until(role, fmt.Sprintf("waits for %q", reasons), func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(statuses(pod), func(c corev1.ContainerStatus) bool {
			return c.State.Waiting != nil && slices.Contains(reasons, c.State.Waiting.Reason)
		})
	})
}

// failed waits until a pod has failed for a reason of its own, such as Evicted.
func failed(role, reason string) Step {
	return until(role, "failed "+reason, func(pod *corev1.Pod) bool {
		return pod.Status.Phase == corev1.PodFailed && pod.Status.Reason == reason
	})
}

// unschedulable waits until the scheduler has found no node for a pod.
func unschedulable(role string) Step {
	return until(role, "is unschedulable", func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonUnschedulable
		})
	})
}

// event waits for an event about the situation's objects.
func event(reason string) Step {
	return Step{"event " + reason, func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, "event "+reason, func(ctx context.Context) (bool, error) {
			list, err := p.cp.Client.CoreV1().Events(p.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
			if err != nil {
				return false, err
			}
			return len(list.Items) > 0, fmt.Errorf("none")
		})
	}}
}

// remove deletes the pods of a role, as kubectl delete does.
func remove(role string) Step {
	return Step{"delete " + role, func(ctx context.Context, p place) error {
		return p.cp.Client.CoreV1().Pods(p.namespace).DeleteCollection(ctx, metav1.DeleteOptions{},
			metav1.ListOptions{LabelSelector: "spark-role=" + role})
	}}
}

// evict asks the API server to evict the pods of a role, as kubectl drain does.
func evict(role string) Step {
	return Step{"evict " + role, func(ctx context.Context, p place) error {
		pods, err := podsOf(ctx, p, role)
		if err != nil {
			return err
		}
		for _, pod := range pods {
			err := p.cp.Client.PolicyV1().Evictions(p.namespace).Evict(ctx, &policyv1.Eviction{
				ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: pod.Name}})
			if err != nil && !apierrors.IsNotFound(err) {
				return fmt.Errorf("evicting pod %q: %w", pod.Name, err)
			}
		}
		return nil
	}}
}

// gone waits until no pod of a role is left.
func gone(role string) Step {
	return Step{role + " gone", func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, role+" to be gone", func(ctx context.Context) (bool, error) {
			pods, err := podsOf(ctx, p, role)
			return err == nil && len(pods) == 0, fmt.Errorf("%d are left: %w", len(pods), err)
		})
	}}
}
