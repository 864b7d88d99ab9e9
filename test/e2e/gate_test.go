package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestGate upgrades an operator from release to release, with the charts as they are. Before each hop gate says what will
// break; after it exactly that is broken.
func TestGate(t *testing.T) {
	t.Parallel()
	const ns = "jobs"
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.3.0"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{
		Version: "2.3.0", JobNamespaces: []string{ns},
		// Its name is none for a Service: without the UI's the application runs on all releases that admit it.
		Values: map[string]any{"controller": map[string]any{"uiService": map[string]any{"enable": false}}},
	})
	require.NoError(t, err)
	h := hops{situation{cp: cp, op: op, doctor: as(t, cp, build(t), "admin"), version: "2.3.0"}, ns}
	for _, name := range []string{"1st.job", "etl"} {
		_, err := cp.CreateApplication(t.Context(), controlplane.NewApplication(ns, name))
		require.NoError(t, err)
		_, err = cp.WaitForState(t.Context(), ns, name, "RUNNING")
		require.NoError(t, err)
	}
	template := controlplane.NewApplication(ns, "unused").Object["spec"].(map[string]any)
	h.scheduled(t, ns, "good", map[string]any{"concurrencyPolicy": "Forbid", "template": template})
	denying, _, err := unstructured.NestedMap(map[string]any{"spec": template}, "spec")
	require.NoError(t, err)
	denying["sparkConf"] = map[string]any{"spark.kubernetes.container.image": "spark:4.0.0"}
	h.scheduled(t, ns, "feed", map[string]any{"concurrencyPolicy": "Forbid", "template": denying})
	h.runsAgain(t, "good")
	h.runsAgain(t, "feed")

	// The last patch of 1st.job that works.
	require.NoError(t, h.label("1st.job", "2.3.0"))
	require.Equal(t, 1, h.gate(t, "2.4.0",
		"error proven SD7006 SparkApplication jobs/1st.job",
		"warning likely SD7003 CustomResourceDefinition /scheduledsparkapplications.sparkoperator.k8s.io",
		"warning likely SD7003 CustomResourceDefinition /sparkapplications.sparkoperator.k8s.io",
		"warning likely SD7003 CustomResourceDefinition /sparkconnects.sparkoperator.k8s.io",
	))
	h.upgrade(t, "2.4.0")
	require.ErrorContains(t, h.label("1st.job", "2.4.0"), `invalid SparkApplication name "1st.job"`)
	require.NoError(t, cp.EndPod(t.Context(), ns, "1st.job-driver", corev1.PodSucceeded))
	_, err = cp.WaitForState(t.Context(), ns, "1st.job", "COMPLETED")
	require.NoError(t, err, "its status is no business of the webhook")
	held := controlplane.NewApplication(ns, "held")
	held.Object["spec"].(map[string]any)["suspend"] = true
	_, err = cp.CreateApplication(t.Context(), held)
	require.NoError(t, err)
	_, err = cp.WaitForState(t.Context(), ns, "held", "RUNNING")
	require.NoError(t, err, "the CRD of 2.3.0 drops spec.suspend")
	h.works(t, "2.4.0")
	h.runsAgain(t, "feed")

	require.Equal(t, 0, h.gate(t, "2.5.1"), "what 2.4.0 has broken is not news")
	h.upgrade(t, "2.5.1")
	h.works(t, "2.5.1")
	h.runsAgain(t, "feed")

	require.Equal(t, 1, h.gate(t, "2.5.2", "error proven SD7007 ScheduledSparkApplication jobs/feed"))
	h.upgrade(t, "2.5.2")
	h.works(t, "2.5.2")
	last := h.endRun(t, "feed")
	until(t, "the controller to be refused a run", func(context.Context) (bool, error) {
		logs := op.Logs()
		return strings.Contains(logs, "denied the request") && strings.Contains(logs, "spark.kubernetes.container.image"), nil
	})
	for _, run := range h.runsOf(t, ns, "feed") {
		require.LessOrEqual(t, run.GetName(), last, "no run was made since: their names end with the time")
	}
	require.NoError(t, h.label("etl", "last"))
}

// hops is an installation that goes from release to release.
type hops struct {
	situation
	ns string
}

// gate asks for an upgrade, compares the findings, which come with the hop, and returns the exit code.
func (h hops) gate(t *testing.T, to string, want ...string) int {
	t.Helper()
	o := h.doctor.run(t, "gate", "--to", to, "-o", "json", "--confirm-after", "1s")
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &o.report), o.stdout+o.stderr)
	require.Equal(t, append([]string{}, want...), o.findings(), o.stdout)

	// With the chart rendered there is nothing more, and what was likely is proven.
	manifests, err := h.op.Render(t.Context(), to)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "target.yaml")
	require.NoError(t, os.WriteFile(file, []byte(manifests), 0o600))
	rendered := h.doctor.run(t, "gate", "--to", to, "--target-manifests", file, "-o", "json", "--confirm-after", "1s")
	require.NoError(t, json.Unmarshal([]byte(rendered.stdout), &rendered.report), rendered.stdout+rendered.stderr)
	proven := []string{}
	for _, one := range want {
		proven = append(proven, strings.Replace(one, " likely ", " proven ", 1))
	}
	require.Equal(t, proven, rendered.findings(), rendered.stdout)
	require.Equal(t, o.code, rendered.code)
	verdict := "GO"
	if o.code != 0 {
		verdict = "NO-GO"
	}
	require.Contains(t, o.stdout, `"verdict": "`+verdict+`"`)
	return o.code
}

func (h *hops) upgrade(t *testing.T, to string) {
	t.Helper()
	require.NoError(t, h.op.Upgrade(t.Context(), to))
	h.version = to
}

func (h hops) label(name, value string) error {
	_, err := h.cp.Dynamic.Resource(controlplane.Applications()).Namespace(h.ns).
		Patch(context.Background(), name, types.MergePatchType, []byte(`{"metadata":{"labels":{"release":"`+value+`"}}}`), metav1.PatchOptions{})
	return err
}

// works is what no hop breaks: to change an application, to make one, and the next run of a schedule.
func (h hops) works(t *testing.T, release string) {
	t.Helper()
	require.NoError(t, h.label("etl", release))
	name := "new-" + strings.ReplaceAll(release, ".", "-")
	_, err := h.cp.CreateApplication(t.Context(), controlplane.NewApplication(h.ns, name))
	require.NoError(t, err)
	_, err = h.cp.WaitForState(t.Context(), h.ns, name, "RUNNING")
	require.NoError(t, err)
	h.runsAgain(t, "good")
}

// runsAgain ends the run of a schedule that forbids two at once, and waits for the next one.
func (h hops) runsAgain(t *testing.T, schedule string) {
	t.Helper()
	before := h.endRun(t, schedule)
	until(t, "the next run of "+schedule, func(context.Context) (bool, error) {
		run := h.running(t, schedule)
		return run != "" && run != before, nil
	})
}

// endRun returns the name of the run that it ended.
func (h hops) endRun(t *testing.T, schedule string) string {
	t.Helper()
	run := h.running(t, schedule)
	if run != "" {
		require.NoError(t, h.cp.EndPod(t.Context(), h.ns, run+"-driver", corev1.PodSucceeded))
		until(t, "the end of "+run, func(context.Context) (bool, error) { return h.running(t, schedule) != run, nil })
	}
	return run
}

// running returns the run of a schedule that is RUNNING; there is at most one.
func (h hops) running(t *testing.T, schedule string) string {
	t.Helper()
	for _, run := range h.runsOf(t, h.ns, schedule) {
		if state, _, _ := unstructured.NestedString(run.Object, "status", "applicationState", "state"); state == "RUNNING" {
			return run.GetName()
		}
	}
	return ""
}
