package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// orphanedDriver deletes an application whose driver lost its reference, as one that the webhook did not see.
func orphanedDriver(t *testing.T, s situation) {
	ns := s.namespace(t, "orphaned")
	s.application(t, ns, "etl")
	s.grow(t, ns, "etl", 1, 2, 2)
	pods := s.cp.Client.CoreV1().Pods(ns)
	_, err := pods.Patch(t.Context(), "etl-driver", types.MergePatchType, []byte(`{"metadata":{"ownerReferences":null}}`),
		metav1.PatchOptions{})
	require.NoError(t, err)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"))
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings(), "five minutes have not passed")
	o := s.doctor.scan(t, "-n", ns, "--new-after", "0s")
	require.Equal(t, []string{"error proven SD4001 Pod orphaned/etl-driver"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `SparkApplication "etl" does not exist; it and 2 other pods hold 1 core and 0.9 GiB`)
	require.Equal(t, 3, o.report.Items[0].Affected)
	require.NotContains(t, o.stderr, "rechecking in", "nothing would collect it")
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "etl-driver", corev1.PodSucceeded))
	o = s.doctor.scan(t, "-n", ns, "--new-after", "0s")
	require.Contains(t, o.findings(), "warning proven SD4001 Pod orphaned/etl-driver", o.stdout)
	require.Len(t, o.findings(), 2, "the executors run on, and the driver is their owner")
	require.NoError(t, pods.Delete(t.Context(), "etl-driver", metav1.DeleteOptions{}))
	until(t, "the executors to be collected", func(ctx context.Context) (bool, error) {
		list, err := pods.List(ctx, metav1.ListOptions{})
		return err == nil && len(list.Items) == 0, err
	})
}

// executorsWithTwoOwners shows what 2.4.0 to 2.5.2 leave when a driver goes: the application holds its executors.
func executorsWithTwoOwners(t *testing.T, s situation) {
	ns := s.namespace(t, "leftover")
	app := s.application(t, ns, "etl")
	driver, err := s.cp.WaitForPod(t.Context(), ns, "etl-driver")
	require.NoError(t, err)
	second := metav1.OwnerReference{APIVersion: app.GetAPIVersion(), Kind: app.GetKind(), Name: app.GetName(), UID: app.GetUID()}
	executors, err := s.cp.CreateExecutors(t.Context(), driver, 1, 2, second)
	require.NoError(t, err)
	for _, pod := range executors {
		_, err := s.cp.WaitForPod(t.Context(), ns, pod.Name)
		require.NoError(t, err)
	}
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--new-after", "0s").findings())
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "etl-driver", corev1.PodFailed))
	_, err = s.cp.WaitForState(t.Context(), ns, "etl", "FAILED")
	require.NoError(t, err)
	const others = "SD8001" // says that the application failed
	require.Empty(t, s.doctor.scan(t, "-n", ns, "--skip-checks", others).findings(), "five minutes have not passed")
	want := []string{"warning proven SD4003 Pod leftover/" + executors[0].Name}
	o := s.doctor.scan(t, "-n", ns, "--new-after", "0s", "--skip-checks", others)
	require.Equal(t, want, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `outlived its driver "etl-driver", which has exited; it and 1 other executor request neither CPU nor memory`)

	pods := s.cp.Client.CoreV1().Pods(ns)
	require.NoError(t, pods.Delete(t.Context(), "etl-driver", metav1.DeleteOptions{}))
	until(t, "the garbage collector to leave the executors to the application", func(ctx context.Context) (bool, error) {
		pod, err := pods.Get(ctx, executors[0].Name, metav1.GetOptions{})
		return err == nil && len(pod.OwnerReferences) == 1, err
	})
	o = s.doctor.scan(t, "-n", ns, "--new-after", "0s", "--skip-checks", others)
	require.Equal(t, want, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `outlived its driver "etl-driver", which does not exist`)
	s.deleteApp(t, ns, "etl", metav1.DeletePropagationBackground)
	until(t, "the executors to be collected", func(ctx context.Context) (bool, error) {
		_, err := pods.Get(ctx, executors[1].Name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), err
	})
}

// webhookField is one field that only the webhook brings: what a role sets, what the spec sets, and what a pod
// without it proves.
type webhookField struct {
	role, spec map[string]any
	verdict    string
}

const provenVerdict, likelyVerdict = "error proven", "warning likely"

func webhookFields() map[string]webhookField {
	list := func(v ...map[string]any) []any {
		out := make([]any, 0, len(v))
		for _, one := range v {
			out = append(out, one)
		}
		return out
	}
	role := func(field string, value any, verdict string) webhookField {
		return webhookField{role: map[string]any{field: value}, verdict: verdict}
	}
	apart := map[string]any{"preferredDuringSchedulingIgnoredDuringExecution": list(map[string]any{"weight": int64(1),
		"podAffinityTerm": map[string]any{"topologyKey": "kubernetes.io/hostname", "labelSelector": map[string]any{}}})}
	container := map[string]any{"name": "helper", "image": "busybox"}
	fields := map[string]webhookField{
		"env":            role("env", list(map[string]any{"name": "STAGE", "value": "x"}), provenVerdict),
		"envfrom":        role("envFrom", list(map[string]any{"secretRef": map[string]any{"name": "creds"}}), provenVerdict),
		"configmaps":     role("configMaps", list(map[string]any{"name": "rules", "path": "/rules"}), provenVerdict),
		"sidecars":       role("sidecars", list(container), provenVerdict),
		"initcontainers": role("initContainers", list(container), provenVerdict),
		"volumes": {
			role: map[string]any{"volumeMounts": list(map[string]any{"name": "data", "mountPath": "/data"})},
			spec: map[string]any{"volumes": list(map[string]any{"name": "data", "emptyDir": map[string]any{}})}, verdict: provenVerdict,
		},
		"sparkconfigmap":  {spec: map[string]any{"sparkConfigMap": "spark-conf"}, verdict: provenVerdict},
		"hadoopconfigmap": {spec: map[string]any{"hadoopConfigMap": "hadoop-conf"}, verdict: provenVerdict},
		"monitoring": {spec: map[string]any{"monitoring": map[string]any{
			"exposeDriverMetrics": true, "exposeExecutorMetrics": true, "prometheus": map[string]any{"jmxExporterJar": "/jmx.jar"},
		}}, verdict: likelyVerdict},
		"tolerations":        role("tolerations", list(map[string]any{"key": "dedicated", "operator": "Exists"}), likelyVerdict),
		"affinity":           role("affinity", map[string]any{"podAntiAffinity": apart}, likelyVerdict),
		"nodeselector":       role("nodeSelector", map[string]any{"pool": "spark"}, likelyVerdict),
		"podsecuritycontext": role("podSecurityContext", map[string]any{"fsGroup": int64(185)}, likelyVerdict),
		"securitycontext":    role("securityContext", map[string]any{"runAsUser": int64(185)}, likelyVerdict),
		"hostnetwork":        role("hostNetwork", true, likelyVerdict),
		"dnsconfig":          role("dnsConfig", map[string]any{"nameservers": []any{"10.0.0.1"}}, likelyVerdict),
		"hostaliases":        role("hostAliases", list(map[string]any{"ip": "10.0.0.2", "hostnames": []any{"db"}}), likelyVerdict),
		"shareprocess":       role("shareProcessNamespace", true, likelyVerdict),
		"grace":              role("terminationGracePeriodSeconds", int64(120), likelyVerdict),
		"lifecycle": role("lifecycle", map[string]any{"preStop": map[string]any{"exec": map[string]any{"command": []any{"sync"}}}},
			likelyVerdict),
		"ports":         role("ports", list(map[string]any{"name": "jmx", "protocol": "TCP", "containerPort": int64(9999)}), likelyVerdict),
		"gpu":           role("gpu", map[string]any{"name": "nvidia.com/gpu", "quantity": int64(1)}, likelyVerdict),
		"schedulername": role("schedulerName", "binpack", likelyVerdict),
		"priorityclass": role("priorityClassName", "high", likelyVerdict),
		"memorylimit":   role("memoryLimit", "2g", likelyVerdict),
	}
	two := map[string]any{}
	for _, name := range []string{"tolerations", "hostaliases"} {
		for field, value := range fields[name].role {
			two[field] = value
		}
	}
	fields["two-values"] = webhookField{role: two, verdict: provenVerdict}
	return fields
}

// apply makes an application of which both roles set the field and nothing else that the webhook brings.
func (f webhookField) apply(app *unstructured.Unstructured) {
	spec := app.Object["spec"].(map[string]any)
	for _, name := range []string{"driver", "executor"} {
		role := spec[name].(map[string]any)
		delete(role, "env")
		for field, value := range f.role {
			role[field] = value
		}
	}
	for field, value := range f.spec {
		spec[field] = value
	}
}

func priorityClasses() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}
}

// failurePolicy changes what happens to what the webhooks of the operator do not answer for.
func (s situation) failurePolicy(t *testing.T, policy string) {
	t.Helper()
	patch := func(n int) []byte {
		var ops []string
		for i := range n {
			ops = append(ops, fmt.Sprintf(`{"op":"replace","path":"/webhooks/%d/failurePolicy","value":%q}`, i, policy))
		}
		return []byte("[" + strings.Join(ops, ",") + "]")
	}
	admission, name := s.cp.Client.AdmissionregistrationV1(), "spark-operator-webhook"
	m, err := admission.MutatingWebhookConfigurations().Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	_, err = admission.MutatingWebhookConfigurations().Patch(t.Context(), name, types.JSONPatchType, patch(len(m.Webhooks)),
		metav1.PatchOptions{})
	require.NoError(t, err)
	v, err := admission.ValidatingWebhookConfigurations().Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	_, err = admission.ValidatingWebhookConfigurations().Patch(t.Context(), name, types.JSONPatchType, patch(len(v.Webhooks)),
		metav1.PatchOptions{})
	require.NoError(t, err)
}

// everyField makes one application a field, each with a driver and an executor.
func (s situation) everyField(t *testing.T, ns string) []string {
	t.Helper()
	class := map[string]any{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": map[string]any{"name": "high"},
		"value": int64(100)}
	_, err := s.cp.Dynamic.Resource(priorityClasses()).Create(t.Context(), &unstructured.Unstructured{Object: class}, metav1.CreateOptions{})
	require.True(t, err == nil || apierrors.IsAlreadyExists(err), "%v", err)
	var want []string
	for name, field := range webhookFields() {
		app := controlplane.NewApplication(ns, name)
		field.apply(app)
		_, err := s.cp.CreateApplication(t.Context(), app)
		require.NoError(t, err, name)
		want = append(want, fmt.Sprintf("%s SD4002 SparkApplication %s/%s", field.verdict, ns, name))
	}
	for name := range webhookFields() {
		var driver *corev1.Pod
		until(t, "the driver of "+name, func(ctx context.Context) (bool, error) {
			driver, err = s.cp.Client.CoreV1().Pods(ns).Get(ctx, name+"-driver", metav1.GetOptions{})
			return err == nil, err
		})
		_, err := s.cp.CreateExecutors(t.Context(), driver, 1, 1)
		require.NoError(t, err, name)
		until(t, "the submission of "+name, func(ctx context.Context) (bool, error) {
			app, err := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			id, _, err := unstructured.NestedString(app.Object, "status", "submissionID")
			return id == driver.Labels["sparkoperator.k8s.io/submission-id"], err
		})
	}
	slices.Sort(want)
	return want
}

// mutatedPods takes every field through the real webhook: none may look as if it had not run.
func mutatedPods(t *testing.T, s situation) {
	ns := s.namespace(t, "mutated")
	s.everyField(t, ns)
	o := s.doctor.scan(t, "-n", ns, "--checks", "SD4001,SD4002,SD4003", "--new-after", "0s")
	require.Empty(t, o.findings(), o.stdout)
	s.executorEnvAlone(t, ns)
	require.NoError(t, s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).DeleteCollection(t.Context(), metav1.DeleteOptions{},
		metav1.ListOptions{}))
}

// executorEnvAlone shows that 2.2.1 gives executors no env where the driver has none, and later releases do.
func (s situation) executorEnvAlone(t *testing.T, ns string) {
	t.Helper()
	s.application(t, ns, "alone", func(app *unstructured.Unstructured) {
		unstructured.RemoveNestedField(app.Object, "spec", "driver", "env")
	})
	s.grow(t, ns, "alone", 1, 1, 1)
	o := s.doctor.scan(t, "sparkapplication/alone", "-n", ns, "--checks", "SD4002")
	if s.version >= "2.3" {
		require.Empty(t, o.findings(), o.stdout)
		return
	}
	require.Equal(t, []string{"warning proven SD4002 SparkApplication mutated/alone"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "adds the executors' env only if the driver has one (#2586): 1 executor without env (FROM_WEBHOOK)")
}

// unmutatedPods makes the same applications while the webhook is down and the policy is Ignore: all must be found.
func unmutatedPods(t *testing.T, s situation) {
	ns := s.namespace(t, "bypassed")
	s.withWebhookDown(t, func() {
		want := s.everyField(t, ns)
		o := s.doctor.scan(t, "-n", ns, "--checks", "SD4002")
		got := o.findings()
		slices.Sort(got)
		require.Equal(t, want, got, o.stdout)
		for _, item := range o.report.Items {
			require.True(t, strings.HasPrefix(item.Message, "all 2 pods lack"), item.Message)
			require.GreaterOrEqual(t, item.Affected, 2, "the driver and the executor")
		}
	})
	s.webhookReturns(t, ns)
	require.NoError(t, s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).DeleteCollection(t.Context(), metav1.DeleteOptions{},
		metav1.ListOptions{}))
}

// withWebhookDown runs fn while nothing answers for the webhook, and pods are let through.
func (s situation) withWebhookDown(t *testing.T, fn func()) {
	t.Helper()
	s.failurePolicy(t, "Ignore")
	defer s.failurePolicy(t, "Fail")
	require.NoError(t, s.op.StopWebhook(t.Context()))
	defer func() { require.NoError(t, s.op.StartWebhook(t.Context())) }()
	fn()
}

// webhookReturns adds an executor that is mutated to a driver that is not.
func (s situation) webhookReturns(t *testing.T, ns string) {
	t.Helper()
	driver, err := s.cp.Client.CoreV1().Pods(ns).Get(t.Context(), "env-driver", metav1.GetOptions{})
	require.NoError(t, err)
	_, err = s.cp.CreateExecutors(t.Context(), driver, 2, 1)
	require.NoError(t, err)
	o := s.doctor.scan(t, "sparkapplication/env", "-n", ns, "--checks", "SD4002")
	require.Equal(t, []string{"error proven SD4002 SparkApplication bypassed/env"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "2 of 3 pods lack fields that only the webhook adds: spec.driver.env (STAGE), spec.executor.env (STAGE)")
}
