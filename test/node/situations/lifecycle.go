package situations

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
		// A policy of the cluster, such as one that protects what runs, forbids what the operator is about to do.
		{"suspending-refused", []Step{does("context, hang"), state("RUNNING"), running(executor), protect(driver),
			change(`{"spec": {"suspend": true}}`), state("SUSPENDING")}},
		{"invalidating-refused", []Step{does("context, hang"), state("RUNNING"), running(executor), protect(driver),
			change(`{"spec": {"arguments": ["context", "sleep", "5"]}}`), state("INVALIDATING"), pause(5 * time.Second), unprotect()}},
		// A job that is over cannot be suspended, and stays what it is.
		{"suspended-too-late", []Step{does("context, sleep, '5'"), state("COMPLETED"), change(`{"spec": {"suspend": true}}`),
			pause(5 * time.Second), state("COMPLETED")}},
		{"resuming-held", []Step{etl(keptDriver("hang")), state("RUNNING"), change(`{"spec": {"suspend": true}}`), state("SUSPENDED"),
			change(`{"spec": {"suspend": false}}`)}},
		// From 2.4.0 to 2.5.2 the application owns executors, too, so that they stay when their driver goes (kubeflow/spark-operator#2961).
		// A driver that can, deletes them; these cannot.
		{"suspended-executors-stay", []Step{etl(`
arguments: [context, deaf]
driver: {terminationGracePeriodSeconds: 2}
executor: {coreRequest: "64"}`), state("RUNNING"), unschedulable(executor), pause(10 * time.Second), change(`{"spec": {"suspend": true}}`),
			gone(driver), state("SUSPENDED")}},
		{"failed-executors-stay", []Step{etl(`
arguments: [context, after, "5", direct]
driver: {javaOptions: "-XX:MaxDirectMemorySize=4g"}
executor: {coreRequest: "64"}`), state("FAILED"), ended(driver, spark(driver), "OOMKilled", 137), unschedulable(executor)}},
		{"retried-executors-stay", []Step{etl(`
arguments: [context, hang]
sparkConf: {spark.executorEnv.EXECUTOR_DOES: hang}
restartPolicy: {type: OnFailure, onFailureRetries: 2, onFailureRetryInterval: 1}`), state("RUNNING"), running(executor),
			pause(10 * time.Second), crash(driver), attempt(2), state("RUNNING"), running(executor)}}, // it must have found its driver
		// The driver keeps the pods of its executors, which end with it all the same.
		{"executors-kept", []Step{etl(`
arguments: [context, sleep, "15"]
sparkConf: {spark.kubernetes.executor.deleteOnTermination: "false"}`), state("RUNNING"), running(executor), state("COMPLETED"),
			ended(executor, spark(executor), "Completed", 0)}},
		{"suspended-executors-left", []Step{etl(`{arguments: [context, hang], executor: {coreRequest: "64"}}`), state("RUNNING"),
			unschedulable(executor), change(`{"spec": {"suspend": true}}`), gone(driver), state("SUSPENDED")}},
		{"driver-name-taken", []Step{takenName(map[string]string{"spark-role": driver, "spark-app-selector": "spark-of-march"}),
			does("context, hang"), state("FAILED")}},
		// Backups and copy tools make objects without their ownerReferences.
		{"orphan-driver", []Step{does("context, hang"), state("RUNNING"), running(executor), disown(driver),
			forget(metav1.DeletePropagationBackground),
			pause(aMinute)}},
		{"orphan-service", []Step{does("context, sleep, '5'"), state("COMPLETED"), disownService("etl-ui-svc"),
			forget(metav1.DeletePropagationBackground), gone(driver), pause(aMinute)}},
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

// attempt waits until the operator has started a driver so many times.
func attempt(want int64) Step {
	return Step{fmt.Sprintf("attempt %d", want), func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, fmt.Sprintf("attempt %d", want), func(ctx context.Context) (bool, error) {
			app, err := p.cp.Dynamic.Resource(controlplane.Applications()).Namespace(p.namespace).Get(ctx, "etl", metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			got, _, _ := unstructured.NestedInt64(app.Object, "status", "executionAttempts")
			return got == want, fmt.Errorf("attempt %d", got)
		})
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

// disownService takes the ownerReferences of a Service away.
func disownService(name string) Step {
	return Step{"remove the owners of Service " + name, func(ctx context.Context, p place) error {
		_, err := p.cp.Client.CoreV1().Services(p.namespace).Patch(ctx, name, types.MergePatchType,
			[]byte(`{"metadata": {"ownerReferences": null}}`), metav1.PatchOptions{})
		return err
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
