package situations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
)

// base is an application that a node of two cores has room for fifty times. What it does is in its arguments.
const base = `
type: Scala
mode: cluster
sparkVersion: 3.5.5
image: ` + images.SparkName + `
imagePullPolicy: IfNotPresent
mainClass: Job
mainApplicationFile: local:///opt/spark/jars/job.jar
restartPolicy: {type: Never}
driver: {cores: 1, coreRequest: 10m, memory: 128m, serviceAccount: spark-operator-spark}
executor: {cores: 1, coreRequest: 10m, memory: 128m, instances: 1}
`

// etl is the application of a situation. settings are YAML, laid over base.
func etl(settings string) Step {
	return Step{"create application etl", func(ctx context.Context, p place) error {
		spec, err := decoded(base)
		if err != nil {
			return err
		}
		over, err := decoded(settings)
		if err != nil {
			return err
		}
		controlplane.Merge(spec, over)
		app := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
			"metadata": map[string]any{"namespace": p.namespace, "name": "etl"}, "spec": spec,
		}}
		return admitted(ctx, p, app)
	}}
}

// admitted creates an application, again where the webhook did not answer: on a busy machine its liveness probe times out, so that
// the kubelet restarts it.
func admitted(ctx context.Context, p place, app *unstructured.Unstructured) error {
	var refused error
	err := controlplane.Until(ctx, patience, "the application to be admitted", func(ctx context.Context) (bool, error) {
		_, err := p.cp.CreateApplication(ctx, app)
		if err != nil && strings.Contains(err.Error(), "failed calling webhook") {
			return false, err
		}
		refused = err
		return true, nil
	})
	return errors.Join(err, refused)
}

// does is an application whose driver does what the arguments say.
func does(arguments string) Step { return etl("arguments: [" + arguments + "]") }

// object creates an object of the situation's namespace.
func object(resource schema.GroupVersionResource, text string) Step {
	return Step{"create an object of " + resource.Resource, func(ctx context.Context, p place) error {
		o, err := decoded(text)
		if err != nil {
			return err
		}
		_, err = p.cp.Dynamic.Resource(resource).Namespace(p.namespace).Create(ctx, &unstructured.Unstructured{Object: o}, metav1.CreateOptions{})
		return err
	}}
}

// state waits until the operator has given the application a state.
func state(want string) Step {
	return Step{"application to be " + want, func(ctx context.Context, p place) error {
		return controlplane.Until(ctx, patience, "state "+want, func(ctx context.Context) (bool, error) {
			app, err := p.cp.Dynamic.Resource(controlplane.Applications()).Namespace(p.namespace).Get(ctx, "etl", metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			got, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
			message, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "errorMessage")
			return got == want, fmt.Errorf("state %q %s", got, message)
		})
	}}
}

// decoded keeps integers, which the API server's types ask for.
func decoded(text string) (map[string]any, error) {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("decoding YAML: %w", err)
	}
	var o map[string]any
	if err := utiljson.Unmarshal(data, &o); err != nil {
		return nil, fmt.Errorf("decoding JSON: %w", err)
	}
	return o, nil
}
