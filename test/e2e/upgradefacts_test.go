package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const newest = "2.5.2"

// TestUpgradeFacts proves what pkg/operator says that releases refuse of what was stored before them. There is no way to a
// stored object that a release would not admit but to store it first: with CRDs of 2.5.2 that ask for less, as older ones do.
func TestUpgradeFacts(t *testing.T) {
	t.Parallel()
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: newest})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	for _, ns := range []string{"names", "main-file", "settings"} {
		require.NoError(t, cp.CreateNamespace(t.Context(), ns))
	}
	u := upgraded{situation{cp: cp, version: newest}}
	u.relaxCRD(t)
	for _, name := range []string{"1st.job", "1st.doomed"} {
		u.store(t, "names", name, func(map[string]any) {})
	}
	u.scheduled(t, "names", "1st.schedule", map[string]any{"suspend": true})
	u.store(t, "main-file", "none", func(spec map[string]any) { delete(spec, "mainApplicationFile") })
	u.store(t, "main-file", "twice", setTwice)
	denied := map[string]any{"spark.master": "k8s://elsewhere"}
	u.store(t, "settings", "sets-master", func(spec map[string]any) { spec["sparkConf"] = denied })
	template := controlplane.NewApplication("settings", "unused").Object["spec"].(map[string]any)
	template["sparkConf"] = denied
	u.scheduled(t, "settings", "nightly", map[string]any{"template": template})
	require.NoError(t, cp.InstallCRDs(t.Context(), newest))

	t.Run("required without a webhook", u.requiredWithoutWebhook)
	t.Run("names", u.names)
	t.Run("required", u.required)
	t.Run("settings", u.settings)
	t.Run("claims of drivers", u.claims)
}

type upgraded struct{ situation }

// The ways to change an application, none of which is made.
type change struct {
	subresource []string
	patch       string
}

func changes() map[string]change {
	return map[string]change{
		"label":     {nil, `{"metadata":{"labels":{"a":"b"}}}`},
		"finalizer": {nil, `{"metadata":{"finalizers":null}}`},
		"spec":      {nil, `{"spec":{"timeToLiveSeconds":1000}}`},
		"status":    {[]string{"status"}, `{"status":{"applicationState":{"state":"RUNNING"}}}`},
	}
}

// refused returns what is refused, and that all is refused with the same words.
func (u upgraded) refused(t *testing.T, ns, name, words string) []string {
	t.Helper()
	var out []string
	for _, what := range slices.Sorted(maps.Keys(changes())) {
		c := changes()[what]
		_, err := u.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns).Patch(t.Context(), name, types.MergePatchType, []byte(c.patch),
			metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}, c.subresource...)
		if err != nil {
			require.ErrorContains(t, err, words)
			out = append(out, what)
		}
	}
	return out
}

// store creates a finished application with a finalizer.
func (u upgraded) store(t *testing.T, ns, name string, set func(spec map[string]any)) {
	t.Helper()
	app := controlplane.NewApplication(ns, name)
	app.SetFinalizers([]string{"example.com/keep"})
	set(app.Object["spec"].(map[string]any))
	apps := u.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns)
	until(t, "the API server to go by the CRD", func(ctx context.Context) (bool, error) {
		_, err := apps.Create(ctx, app.DeepCopy(), metav1.CreateOptions{})
		return err == nil, err
	})
	_, err := apps.Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"status":{"applicationState":{"state":"COMPLETED"},"driverInfo":{}}}`), metav1.PatchOptions{}, "status")
	require.NoError(t, err)
}

func setTwice(spec map[string]any) {
	env := map[string]any{"name": "A", "value": "1"}
	spec["driver"].(map[string]any)["sidecars"] = []any{map[string]any{"name": "proxy", "image": "proxy", "env": []any{env, env}}}
}

// relaxCRD takes from the CRD what 2.1.0 and 2.1.1 added to it.
func (u upgraded) relaxCRD(t *testing.T) {
	t.Helper()
	const spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec"
	const env = spec + "/properties/driver/properties/sidecars/items/properties/env"
	crds := u.cp.Dynamic.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1",
		Resource: "customresourcedefinitions"})
	_, err := crds.Patch(t.Context(), "sparkapplications.sparkoperator.k8s.io", types.JSONPatchType, []byte(`[
		{"op":"replace","path":"`+spec+`/required","value":["driver","executor","sparkVersion","type"]},
		{"op":"remove","path":"`+env+`/x-kubernetes-list-type"},
		{"op":"remove","path":"`+env+`/x-kubernetes-list-map-keys"}]`), metav1.PatchOptions{})
	require.NoError(t, err)
}

func (u *upgraded) install(t *testing.T, version, ns string) {
	t.Helper()
	release := "v" + strings.ReplaceAll(version, ".", "")
	op, err := u.cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, Release: release, Namespace: release,
		JobNamespaces: []string{ns}})
	require.NoError(t, err)
	u.op, u.version = op, version
}

// requiredWithoutWebhook: the API server checks again only what is changed, so that a new field in a list of required ones
// is asked for by changes of the spec alone (CRDValidationRatcheting, on by default since Kubernetes 1.30).
func (u upgraded) requiredWithoutWebhook(t *testing.T) {
	until(t, "the API server to go by the CRD", func(context.Context) (bool, error) {
		return len(u.refused(t, "main-file", "none", "spec.mainApplicationFile: Required value")) > 0, nil
	})
	require.Equal(t, []string{"spec"}, u.refused(t, "main-file", "none", "spec.mainApplicationFile: Required value"))
	require.Empty(t, u.refused(t, "main-file", "twice", ""), "what was twice may stay so")
	again := controlplane.NewApplication("main-file", "twice-again")
	setTwice(again.Object["spec"].(map[string]any))
	_, err := u.cp.CreateApplication(t.Context(), again)
	require.ErrorContains(t, err, `spec.driver.sidecars[0].env[1]: Duplicate value: {"name":"A"}`)
}

// names: an application from before 2.4.0 can be deleted, but not changed. Its status can.
func (u upgraded) names(t *testing.T) {
	u.install(t, "2.4.0", "names")
	require.Equal(t, []string{"finalizer", "label", "spec"}, u.refused(t, "names", "1st.job",
		`invalid SparkApplication name "1st.job": a DNS-1035 label must`))
	_, err := u.cp.Dynamic.Resource(schedules()).Namespace("names").Patch(t.Context(), "1st.schedule", types.MergePatchType,
		[]byte(changes()["label"].patch), metav1.PatchOptions{})
	require.ErrorContains(t, err, `invalid ScheduledSparkApplication name "1st.schedule"`)
	apps := u.cp.Dynamic.Resource(controlplane.Applications()).Namespace("names")
	require.NoError(t, apps.Delete(t.Context(), "1st.doomed", metav1.DeleteOptions{}))
	require.Contains(t, u.refused(t, "names", "1st.doomed", "invalid SparkApplication name"), "finalizer", "and so it stays")
}

// required: with a webhook nothing can be changed without adding the field, since the webhook for defaults sends the
// object back with a null in its place; whether the CRD asks for the field or is an old one does not matter. The status can.
func (u upgraded) required(t *testing.T) {
	u.install(t, "2.2.1", "main-file")
	const words = `spec.mainApplicationFile in body must be of type string: "null"`
	require.Equal(t, []string{"finalizer", "label", "spec"}, u.refused(t, "main-file", "none", words))
	u.relaxCRD(t)
	probe := controlplane.NewApplication("settings", "probe") // where no webhook is yet
	delete(probe.Object["spec"].(map[string]any), "mainApplicationFile")
	until(t, "the API server to go by the CRD", func(ctx context.Context) (bool, error) {
		_, err := u.cp.Dynamic.Resource(controlplane.Applications()).Namespace("settings").Create(ctx, probe.DeepCopy(),
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil, err
	})
	require.Equal(t, []string{"finalizer", "label", "spec"}, u.refused(t, "main-file", "none", words))
	_, err := u.cp.Dynamic.Resource(controlplane.Applications()).Namespace("main-file").Patch(t.Context(), "none", types.MergePatchType,
		[]byte(`{"spec":{"mainApplicationFile":"local:///a.jar"}}`), metav1.PatchOptions{})
	require.NoError(t, err)
}

// settings: 2.5.2 leaves what is stored alone until the spec is changed. A schedule goes on as if nothing were wrong, but makes no
// run any more; only the log of the controller says so.
func (u upgraded) settings(t *testing.T) {
	require.NoError(t, u.cp.InstallCRDs(t.Context(), newest))
	u.install(t, newest, "settings")
	require.Equal(t, []string{"spec"}, u.refused(t, "settings", "sets-master", `sparkConf key "spark.master" is not allowed`))
	until(t, "the controller to want a run", func(context.Context) (bool, error) {
		return strings.Contains(u.op.Logs(), "Failed to start next run"), nil
	})
	require.True(t, strings.Contains(u.op.Logs(), "is not allowed: this value is managed by the operator"), "the log says why")
	require.Empty(t, u.runsOf(t, "settings", "nightly"))
	got, err := u.cp.Dynamic.Resource(schedules()).Namespace("settings").Get(t.Context(), "nightly", metav1.GetOptions{})
	require.NoError(t, err)
	status, _, err := unstructured.NestedMap(got.Object, "status")
	require.NoError(t, err)
	require.Equal(t, "Scheduled", status["scheduleState"], "it looks well")
	require.Equal(t, []string{"nextRun", "scheduleState"}, withoutNull(status), "nothing else is said, and the next run does not come")
	events, err := u.cp.Client.CoreV1().Events("settings").List(t.Context(), metav1.ListOptions{FieldSelector: "involvedObject.name=nightly"})
	require.NoError(t, err)
	require.Empty(t, events.Items)
}

func withoutNull(status map[string]any) []string {
	var out []string
	for _, field := range slices.Sorted(maps.Keys(status)) {
		if status[field] != nil {
			out = append(out, field)
		}
	}
	return out
}

// claims: spark-submit runs in the controller's pod, with its account. It is a stand-in here, so that what is proven is what the
// account may do: from 2.5.1 on it may not create the claim of a driver.
func (u upgraded) claims(t *testing.T) {
	for version, may := range map[string]bool{"2.5.0": true, "2.5.1": false} {
		ns := "claims-" + strings.ReplaceAll(version, ".", "")
		require.NoError(t, u.cp.CreateNamespace(t.Context(), ns))
		u.install(t, version, ns)
		account := fmt.Sprintf("system:serviceaccount:%[1]s:%[1]s-spark-operator-controller", u.op.Namespace)
		asked, err := u.cp.Client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(),
			&authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
				User: account, ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: ns, Verb: "create",
					Resource: "persistentvolumeclaims"},
			}}, metav1.CreateOptions{})
		require.NoError(t, err)
		require.Equal(t, may, asked.Status.Allowed, version)

		config := rest.CopyConfig(u.cp.RESTConfig())
		config.Impersonate.UserName = account
		client, err := kubernetes.NewForConfig(config)
		require.NoError(t, err)
		_, err = client.CoreV1().PersistentVolumeClaims(ns).Create(t.Context(), &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: "pi-driver-pvc-0"},
			Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
			},
		}, metav1.CreateOptions{})
		require.Equal(t, !may, apierrors.IsForbidden(err), "%s: %v", version, err)
		_, err = client.CoreV1().Pods(ns).List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err, "it is the account that was meant")
	}
}
