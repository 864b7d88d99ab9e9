package situations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/retry"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// scale gives a component so many replicas.
func scale(component string, replicas int32) Step {
	return Step{fmt.Sprintf("scale the %s to %d", component, replicas), func(ctx context.Context, p place) error {
		if _, err := p.cp.Client.AppsV1().Deployments(operatorNamespace).UpdateScale(ctx, deploymentOf(component), &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Namespace: operatorNamespace, Name: deploymentOf(component)},
			Spec:       autoscalingv1.ScaleSpec{Replicas: replicas}}, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("scaling the %s: %w", component, err)
		}
		return controlplane.Until(ctx, patience, "the "+component, func(ctx context.Context) (bool, error) {
			pods, err := operatorPods(ctx, p, component)
			return err == nil && len(pods) == int(replicas), fmt.Errorf("%d pods: %w", len(pods), err)
		})
	}}
}

// withoutElection makes every replica of the controller act.
func withoutElection() Step {
	return Step{"leader election off", func(ctx context.Context, p place) error {
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			deployments := p.cp.Client.AppsV1().Deployments(operatorNamespace)
			d, err := deployments.Get(ctx, deploymentOf("controller"), metav1.GetOptions{})
			if err != nil {
				return err
			}
			c := &d.Spec.Template.Spec.Containers[0]
			c.Args = slices.DeleteFunc(c.Args, func(arg string) bool { return strings.HasPrefix(arg, "--leader-election") })
			c.Args = append(c.Args, "--leader-election=false")
			_, err = deployments.Update(ctx, d, metav1.UpdateOptions{})
			return err
		})
	}}
}

// crowdNamespace holds applications for the controller to watch, and is not recorded.
const crowdNamespace = "crowd"

// crowd creates suspended applications of 1 MiB each. The controller keeps all that it watches in memory.
func crowd(applications int) Step {
	return Step{fmt.Sprintf("create %d suspended applications of 1 MiB", applications), func(ctx context.Context, p place) error {
		for i := range applications {
			spec, err := decoded(base)
			if err != nil {
				return err
			}
			spec["suspend"] = true
			spec["sparkConf"] = map[string]any{"spark.app.note": strings.Repeat("x", 1<<20)}
			app := &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
				"metadata": map[string]any{"namespace": crowdNamespace, "name": fmt.Sprintf("etl-%d", i)}, "spec": spec,
			}}
			if err := admitted(ctx, p, app); err != nil {
				return fmt.Errorf("creating application %d: %w", i, err)
			}
		}
		return nil
	}}
}
