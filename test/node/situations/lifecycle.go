package situations

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
)

// lifecycle is what the operator waits for between two runs, and what an application leaves behind.
func lifecycle() []Situation {
	const runsAgain = "restartPolicy: {type: Always}\n"
	return []Situation{
		{"rerun-held", []Step{etl(`
arguments: [context, sleep, "5"]
driver: {template: {metadata: {finalizers: [example.com/accounting]}, spec: {containers: [{name: spark-kubernetes-driver}]}}}
` + runsAgain), state("PENDING_RERUN")}},
		{"changed-held", []Step{etl(keptDriver("hang")), state("RUNNING"), change(`{"spec": {"arguments": ["context", "sleep", "5"]}}`),
			state("PENDING_RERUN")}},
		{"suspending-held", []Step{etl(keptDriver("hang")), state("RUNNING"), change(`{"spec": {"suspend": true}}`), state("SUSPENDING")}},
		{"suspended-executors-left", []Step{etl(`{arguments: [context, hang], executor: {coreRequest: "64"}}`), state("RUNNING"),
			unschedulable(executor), change(`{"spec": {"suspend": true}}`), gone(driver), state("SUSPENDED")}},
		{"driver-name-taken", []Step{takenName(map[string]string{"spark-role": driver, "spark-app-selector": "spark-of-march"}), does("context, hang"), state("FAILED")}},
		// Backups and copy tools make objects without their ownerReferences.
		{"orphan-driver", []Step{does("context, hang"), state("RUNNING"), running(executor), disown(driver), forget(metav1.DeletePropagationBackground),
			pause(aMinute)}},
		{"orphan-service", []Step{does("context, sleep, '5'"), state("COMPLETED"), forget(metav1.DeletePropagationOrphan), remove(driver),
			gone(driver), pause(aMinute)}},
	}
}

// change patches the application.
func change(patch string) Step {
	return Step{"patch application etl with " + patch, func(ctx context.Context, p place) error {
		_, err := p.cp.Dynamic.Resource(controlplane.Applications()).Namespace(p.namespace).Patch(ctx, "etl", types.MergePatchType, []byte(patch),
			metav1.PatchOptions{})
		return err
	}}
}

// forget deletes the application.
func forget(how metav1.DeletionPropagation) Step {
	return Step{"delete application etl, " + string(how), func(ctx context.Context, p place) error {
		return p.cp.Dynamic.Resource(controlplane.Applications()).Namespace(p.namespace).Delete(ctx, "etl",
			metav1.DeleteOptions{PropagationPolicy: &how})
	}}
}

// disown takes the ownerReferences of a role's pods away.
func disown(role string) Step {
	return Step{"remove the owners of " + role, func(ctx context.Context, p place) error {
		pods, err := podsOf(ctx, p, role)
		if err != nil {
			return err
		}
		for _, pod := range pods {
			if _, err := p.cp.Client.CoreV1().Pods(p.namespace).Patch(ctx, pod.Name, types.MergePatchType,
				[]byte(`{"metadata": {"ownerReferences": null}}`), metav1.PatchOptions{}); err != nil {
				return fmt.Errorf("removing the owners of pod %q: %w", pod.Name, err)
			}
		}
		return nil
	}}
}

// takenName creates a pod of the name that the application's driver will have.
func takenName(labels map[string]string) Step {
	return Step{"create pod etl-driver", func(ctx context.Context, p place) error {
		_, err := p.cp.Client.CoreV1().Pods(p.namespace).Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "etl-driver", Labels: labels},
			Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: spark(driver),
				Image: images.SparkName, Command: []string{"/bin/sleep", "7200"}}}},
		}, metav1.CreateOptions{})
		return err
	}}
}
