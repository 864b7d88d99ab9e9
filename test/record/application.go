package record

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// patience bounds every wait but the one that makes faults old.
const patience = time.Minute

// job is an application as its team writes it.
type job struct {
	namespace, name, class string
	executors              int
	dynamic                bool // dynamic allocation
	owners                 []metav1.OwnerReference
}

func (j job) spec() map[string]any {
	env := []any{map[string]any{"name": "STAGE", "value": "production"}}
	spec := map[string]any{
		"type": "Scala", "mode": "cluster", "sparkVersion": "3.5.5", "image": "spark:3.5.5", "imagePullPolicy": "IfNotPresent",
		"mainClass": j.class, "mainApplicationFile": "local:///opt/spark/jars/" + j.name + ".jar",
		"sparkConf": map[string]any{
			"spark.sql.shuffle.partitions": "200",
			"spark.eventLog.enabled":       "true",
			"spark.eventLog.dir":           "s3a://spark-history/" + j.namespace,
		},
		"restartPolicy": map[string]any{"type": "Never"},
		"driver":        map[string]any{"cores": int64(1), "memory": "2g", "serviceAccount": "spark-operator-spark", "env": env},
		"executor":      map[string]any{"cores": int64(2), "memory": "4g", "instances": int64(max(1, j.executors)), "env": env},
	}
	if j.dynamic {
		spec["dynamicAllocation"] = map[string]any{"enabled": true, "initialExecutors": int64(2), "minExecutors": int64(2),
			"maxExecutors": int64(60)}
	}
	return spec
}

func (j job) object() *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "spec": j.spec(),
		"metadata": map[string]any{"namespace": j.namespace, "name": j.name, "labels": map[string]any{"team": j.namespace}},
	}}
	o.SetOwnerReferences(j.owners)
	return o
}

// run creates an application, waits until its driver runs, and gives it executors.
func (r *recorder) run(ctx context.Context, j job) error {
	r.say("running %s/%s", j.namespace, j.name)
	if _, err := r.cp.CreateApplication(ctx, j.object()); err != nil {
		return err
	}
	if _, err := r.cp.WaitForState(ctx, j.namespace, j.name, "RUNNING"); err != nil {
		return err
	}
	return r.executors(ctx, j, 1)
}

// executors starts those of a driver, from an id on. 2.5.1 adds the application to their owners
// (internal/controller/sparkapplication/submission.go@v2.5.1, executorPodTemplateOption).
func (r *recorder) executors(ctx context.Context, j job, first int) error {
	driver, err := r.cp.WaitForPod(ctx, j.namespace, j.name+"-driver")
	if err != nil || j.executors == 0 {
		return err
	}
	owner := driver.OwnerReferences[0]
	owner.Controller, owner.BlockOwnerDeletion = nil, nil
	pods, err := r.cp.CreateExecutors(ctx, driver, first, j.executors, owner)
	if err != nil {
		return err
	}
	return controlplane.Until(ctx, patience, "the executors of "+j.name+" in its status", func(ctx context.Context) (bool, error) {
		app, err := r.cp.Dynamic.Resource(controlplane.Applications()).Namespace(j.namespace).Get(ctx, j.name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		states, _, err := unstructured.NestedStringMap(app.Object, "status", "executorState")
		last := pods[len(pods)-1].Name
		return states[last] == "RUNNING", fmt.Errorf("%s is %q: %w", last, states[last], err)
	})
}

func (r *recorder) patchApplication(ctx context.Context, namespace, name string, patch []byte, subresources ...string) error {
	_, err := r.cp.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Patch(ctx, name, types.MergePatchType, patch,
		metav1.PatchOptions{}, subresources...)
	if err != nil {
		return fmt.Errorf("patching application %q: %w", name, err)
	}
	return nil
}

func (r *recorder) patchPod(ctx context.Context, namespace, name, patch string) (*corev1.Pod, error) {
	pod, err := r.cp.Client.CoreV1().Pods(namespace).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		return nil, fmt.Errorf("patching pod %q: %w", name, err)
	}
	return pod, nil
}

func (r *recorder) killPod(ctx context.Context, namespace, name string) error {
	zero := int64(0)
	if err := r.cp.Client.CoreV1().Pods(namespace).Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &zero}); err != nil {
		return fmt.Errorf("deleting pod %q: %w", name, err)
	}
	return nil
}
