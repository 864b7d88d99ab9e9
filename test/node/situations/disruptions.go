package situations

import (
	"context"
	"fmt"
	"strconv"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
)

// disruptions are pods that the cluster takes away.
func disruptions() []Situation {
	return []Situation{
		{"driver-deleted", []Step{does("context, hang"), state("RUNNING"), running(executor), remove(driver), gone(driver), gone(executor),
			state("FAILED")}},
		{"driver-drained", []Step{does("context, hang"), state("RUNNING"), running(executor), evict(driver), gone(driver), state("FAILED")}},
		{"driver-drained-kept", []Step{etl(keptDriver("hang")), state("RUNNING"), evict(driver), ended(driver, spark(driver), "Error", 143)}},
		{"executors-without-driver", []Step{etl(`{arguments: [context, hang], executor: {coreRequest: "64"}}`), state("RUNNING"),
			unschedulable(executor), remove(driver), gone(driver), state("FAILED")}},
		{"driver-preempted", []Step{offer("slot-a"), etl(`
arguments: [context, hang]
driver: {template: {spec: {containers: [{name: spark-kubernetes-driver, resources: {limits: {example.com/slot-a: "1"}}}]}}}`),
			state("RUNNING"), preempt("slot-a"), event("Preempted"), gone(driver), state("FAILED")}},
		{"executor-preempted", []Step{offer("slot-b"), etl(`
arguments: [context, hang]
executor: {template: {spec: {containers: [{name: spark-kubernetes-executor, resources: {limits: {example.com/slot-b: "1"}}}]}}}`),
			state("RUNNING"), running(executor), preempt("slot-b"), event("Preempted"), unschedulable(executor)}},
	}
}

// offer makes each ready node offer one of an extended resource, so that preemption disturbs no other situation
// (kubernetes.io/docs/tasks/administer-cluster/extended-resource-node).
func offer(name string) Step {
	return Step{"offer " + name, func(ctx context.Context, p place) error {
		nodes, err := p.cp.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return fmt.Errorf("listing nodes: %w", err)
		}
		patch := fmt.Sprintf(`[{"op": "add", "path": "/status/capacity/example.com~1%[1]s", "value": "1"},
			{"op": "add", "path": "/status/allocatable/example.com~1%[1]s", "value": "1"}]`, name)
		for _, node := range nodes.Items {
			if node.Spec.Unschedulable || len(node.Spec.Taints) > 0 {
				continue
			}
			if _, err := p.cp.Client.CoreV1().Nodes().Patch(ctx, node.Name, types.JSONPatchType, []byte(patch), metav1.PatchOptions{},
				"status"); err != nil {
				return fmt.Errorf("offering %s on node %q: %w", name, node.Name, err)
			}
		}
		return nil
	}}
}

// preempt creates a pod of high priority that wants an extended resource.
func preempt(name string) Step {
	return Step{"preempt " + name, func(ctx context.Context, p place) error {
		class := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "urgent"}, Value: 1000}
		if _, err := p.cp.Client.SchedulingV1().PriorityClasses().Create(ctx, class, metav1.CreateOptions{}); err != nil &&
			!apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("creating a priority class: %w", err)
		}
		want := corev1.ResourceList{corev1.ResourceName("example.com/" + name): resource.MustParse("1")}
		_, err := p.cp.Client.CoreV1().Pods(p.namespace).Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "urgent"},
			Spec: corev1.PodSpec{PriorityClassName: "urgent", TerminationGracePeriodSeconds: new(int64(1)), Containers: []corev1.Container{{
				Name: "main", Image: images.SparkName, Command: []string{"/bin/sleep", "7200"}, Resources: corev1.ResourceRequirements{Limits: want}}}},
		}, metav1.CreateOptions{})
		return err
	}}
}

// crash kills the JVMs of a role's pods, as the kernel does for want of memory: they cannot clean up.
func crash(role string) Step {
	return Step{"kill the process of " + role, func(ctx context.Context, p place) error {
		pods, err := podsOf(ctx, p, role)
		if err != nil {
			return err
		}
		for _, pod := range pods {
			if err := p.node.SignalPod(pod.UID, "java", syscall.SIGKILL); err != nil {
				return err
			}
		}
		return nil
	}}
}

// replaced waits until an executor of at least that number exists: those before it are gone.
func replaced(least int) Step {
	return until(executor, fmt.Sprintf("has number %d", least), func(pod *corev1.Pod) bool {
		n, err := strconv.Atoi(pod.Labels["spark-exec-id"])
		return err == nil && n >= least && pod.Status.Phase != corev1.PodPending
	})
}

// removeDriverServices deletes the headless Services by which executors find their driver.
func removeDriverServices() Step {
	return Step{"delete the driver's Service", func(ctx context.Context, p place) error {
		list, err := p.cp.Client.CoreV1().Services(p.namespace).List(ctx, metav1.ListOptions{LabelSelector: "spark-app-selector"})
		if err != nil {
			return fmt.Errorf("listing Services: %w", err)
		}
		for _, service := range list.Items {
			if err := p.cp.Client.CoreV1().Services(p.namespace).Delete(ctx, service.Name, metav1.DeleteOptions{}); err != nil {
				return fmt.Errorf("deleting Service %q: %w", service.Name, err)
			}
		}
		return controlplane.Until(ctx, patience, "the Service to be gone", func(ctx context.Context) (bool, error) {
			list, err := p.cp.Client.CoreV1().Services(p.namespace).List(ctx, metav1.ListOptions{LabelSelector: "spark-app-selector"})
			return err == nil && len(list.Items) == 0, err
		})
	}}
}
