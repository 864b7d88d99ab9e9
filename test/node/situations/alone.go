package situations

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// Alone returns the situations that change the operator or the node. They happen and are recorded one after the other, when the others
// have been recorded; after the last ones there is no node.
func Alone() []Situation {
	return []Situation{
		// A Role that is kept apart from the chart lacks what the operator needs to move the application on.
		{denied, []Step{does("context, hang"), state("RUNNING"), running(executor), withdraw(denied, statusOfApplications),
			change(`{"spec": {"suspend": true}}`), pause(aMinute), state("RUNNING")}},
		{"webhook-killed", []Step{failurePolicy("Ignore"), kill("webhook"), etl(`
arguments: [context, hang]
driver: {env: [{name: REGION, value: eu}]}
executor: {env: [{name: REGION, value: eu}]}`), state("RUNNING"), running(executor), ready("webhook")}},
		// It starts well, and does not hold what it is to watch.
		{"controller-oom-killed", []Step{failurePolicy("Fail"), etl(`{arguments: [context, hang]}`), state("RUNNING"),
			limit("controller", "90Mi"), ready("controller"), crowd(40), restarted("controller", "OOMKilled")}},
		{"controller-recovered", []Step{limit("controller", "1Gi"), ready("controller"), etl(`{arguments: [context, hang]}`), state("RUNNING"),
			running(executor)}},
		// The operator had made the driver, and ended before it wrote so.
		{"submitted-twice", []Step{scale("controller", 0), etl(`{arguments: [context, hang]}`), takenName(map[string]string{
			"spark-role": driver, "sparkoperator.k8s.io/app-name": "etl", "sparkoperator.k8s.io/launched-by-spark-operator": "true",
			"sparkoperator.k8s.io/submission-id": "before"}), pause(2 * time.Second), scale("controller", 1), state("FAILED"),
			pause(aMinute)}},
		{"driver-lost-unseen", []Step{etl(`{arguments: [context, hang]}`), state("RUNNING"), running(executor), scale("controller", 0),
			remove(driver), gone(driver), pause(aMinute)}},
		{"node-lost", []Step{scale("controller", 1), ready("controller"), etl(`{arguments: [context, hang]}`), state("RUNNING"), running(executor), stopNode(), unready(driver),
			pause(aMinute)}},
		{"node-removed", []Step{removeNode(), gone(driver), pause(aMinute)}},
		{"node-memory-pressure", []Step{startNode(memoryPressure()), ready("controller"), ready("webhook"), etl(`
arguments: [context, direct, "3750"]
driver: {memoryLimit: 6g, javaOptions: -XX:MaxDirectMemorySize=5g}`), failed(driver, "Evicted"), state("FAILED")}},
		{"node-disk-pressure", []Step{startNode(diskPressure()), ready("controller"), ready("webhook"),
			does("context, write, /tmp/shuffle, '3000'"), failed(driver, "Evicted"), state("FAILED")}},
		{"no-election", []Step{startNode(asEver()), withoutElection(), scale("controller", 2), ready("controller"), ready("webhook"),
			etl(`{arguments: [context, hang]}`), pause(aMinute)}},
	}
}

// denied is the situation in which the operator may not change a status.
const (
	denied               = "suspending-not-permitted"
	statusOfApplications = "sparkapplications/status"
)

// afterwards undoes what a situation does to a scan of any namespace, when it has been recorded.
func afterwards(s Situation) []Step {
	if s.Name == denied {
		return []Step{grant(denied, statusOfApplications)}
	}
	return nil
}

// operatorNamespace is where the chart is installed.
const operatorNamespace = "spark-operator"

func deploymentOf(component string) string { return "spark-operator-" + component }

func operatorPods(ctx context.Context, p place, component string) ([]corev1.Pod, error) {
	list, err := p.cp.Client.CoreV1().Pods(operatorNamespace).List(ctx,
		metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=" + component})
	if err != nil {
		return nil, fmt.Errorf("listing the operator's pods: %w", err)
	}
	return list.Items, nil
}

// kill deletes the pods of a component without giving them time, as a node does that goes down.
func kill(component string) Step {
	return Step{"kill the " + component, func(ctx context.Context, p place) error {
		return p.cp.Client.CoreV1().Pods(operatorNamespace).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))},
			metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=" + component})
	}}
}

// ready waits until a component has as many ready pods as it wants, and no others.
func ready(component string) Step {
	return Step{component + " ready", func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, "the "+component, func(ctx context.Context) (bool, error) {
			d, err := p.cp.Client.AppsV1().Deployments(operatorNamespace).Get(ctx, deploymentOf(component), metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			s := d.Status
			return s.ObservedGeneration >= d.Generation && s.ReadyReplicas == *d.Spec.Replicas && s.Replicas == *d.Spec.Replicas &&
				s.UpdatedReplicas == *d.Spec.Replicas, fmt.Errorf("%d of %d ready", s.ReadyReplicas, s.Replicas)
		})
	}}
}

// limit gives the containers of a component a memory limit, which rolls it out.
func limit(component, memory string) Step {
	return Step{"limit the " + component + " to " + memory, func(ctx context.Context, p place) error {
		patch := fmt.Sprintf(`{"spec": {"template": {"spec": {"containers": [{"name": %q, "resources": {"limits": {"memory": %q}}}]}}}}`,
			deploymentOf(component), memory)
		_, err := p.cp.Client.AppsV1().Deployments(operatorNamespace).Patch(ctx, deploymentOf(component), types.StrategicMergePatchType,
			[]byte(patch), metav1.PatchOptions{})
		return err
	}}
}

// restarted waits until a container of a component has ended for a reason.
func restarted(component, reason string) Step {
	return Step{component + " ended " + reason, func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, component+" to end", func(ctx context.Context) (bool, error) {
			pods, err := operatorPods(ctx, p, component)
			if err != nil {
				return false, err
			}
			ended := func(t *corev1.ContainerStateTerminated) bool { return t != nil && t.Reason == reason }
			for i := range pods {
				if slices.ContainsFunc(statuses(&pods[i]), func(c corev1.ContainerStatus) bool {
					return ended(c.State.Terminated) || ended(c.LastTerminationState.Terminated)
				}) {
					return true, nil
				}
			}
			return false, fmt.Errorf("none of %d pods", len(pods))
		})
	}}
}

// failurePolicy says whether the API server admits what the operator's webhooks do not answer: Fail is the default, Ignore was that of
// 1.x.
func failurePolicy(policy string) Step {
	return Step{"failurePolicy " + policy, func(ctx context.Context, p place) error {
		selector := metav1.ListOptions{LabelSelector: "app.kubernetes.io/instance=spark-operator"}
		registration := p.cp.Client.AdmissionregistrationV1()
		mutating, err := registration.MutatingWebhookConfigurations().List(ctx, selector)
		if err != nil {
			return fmt.Errorf("listing webhooks: %w", err)
		}
		validating, err := registration.ValidatingWebhookConfigurations().List(ctx, selector)
		if err != nil {
			return fmt.Errorf("listing webhooks: %w", err)
		}
		for _, c := range mutating.Items {
			if _, err := registration.MutatingWebhookConfigurations().Patch(ctx, c.Name, types.JSONPatchType, withPolicy(policy, len(c.Webhooks)),
				metav1.PatchOptions{}); err != nil {
				return fmt.Errorf("patching %q: %w", c.Name, err)
			}
		}
		for _, c := range validating.Items {
			if _, err := registration.ValidatingWebhookConfigurations().Patch(ctx, c.Name, types.JSONPatchType, withPolicy(policy, len(c.Webhooks)),
				metav1.PatchOptions{}); err != nil {
				return fmt.Errorf("patching %q: %w", c.Name, err)
			}
		}
		return nil
	}}
}

func withPolicy(policy string, webhooks int) []byte {
	var patch []map[string]string
	for i := range webhooks {
		patch = append(patch, map[string]string{"op": "replace", "path": fmt.Sprintf("/webhooks/%d/failurePolicy", i), "value": policy})
	}
	text, err := json.Marshal(patch)
	if err != nil {
		panic(err)
	}
	return text
}

// stopNode ends the node as a power failure does.
func stopNode() Step {
	return Step{"stop the node", func(_ context.Context, p place) error { return p.node.Stop() }}
}

// unready waits until the node controller has marked a pod as not ready, for want of its kubelet.
func unready(role string) Step {
	return until(role, "is marked as not ready", func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionFalse
		})
	})
}

// removeNode deletes the Node, as a cloud's controller does when the machine is gone.
func removeNode() Step {
	return Step{"delete the Node", func(ctx context.Context, p place) error {
		return p.cp.Client.CoreV1().Nodes().Delete(ctx, p.node.Name, metav1.DeleteOptions{})
	}}
}

// aMinute is what a fault must last at least to count, with the flags that the table of findings uses.
const aMinute = 65 * time.Second

// pause lets time pass.
func pause(d time.Duration) Step {
	return Step{"wait " + d.String(), func(ctx context.Context, _ place) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d):
			return nil
		}
	}}
}
