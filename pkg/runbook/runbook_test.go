package runbook

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// deployed is an operator whose Deployment has these labels beside those of the chart.
func deployed(labels map[string]string) *operator.Installation {
	d := snapshot.Deployment{}
	d.Ref = snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "etl", Name: "jobs-spark-operator-controller"}
	d.Labels = snapshot.LabelsOf(labels)
	if app := labels["argocd.argoproj.io/instance"]; app != "" {
		d.TrackedBy = "label argocd.argoproj.io/instance " + app
	}
	return &operator.Installation{Namespace: "etl", Name: "jobs-spark-operator", Controller: &d, Recognised: true,
		Version: operator.Version{Major: 2, Minor: 4}}
}

// tracked is one that Argo CD marks.
func tracked(mark string) *operator.Installation {
	in := deployed(map[string]string{"app.kubernetes.io/instance": "jobs", "app.kubernetes.io/managed-by": "Helm"})
	in.Controller.TrackedBy = mark
	return in
}

func upgradeOf(t *testing.T, from, to string, in *operator.Installation) *check.Upgrade {
	t.Helper()
	old, err := operator.ReleaseNamed(from)
	require.NoError(t, err)
	next, err := operator.TargetNamed(to)
	require.NoError(t, err)
	u := &check.Upgrade{From: old.Application, Chart: old.Chart, To: next, Installation: in}
	u.Hops, err = operator.Path(u.From, u.To)
	require.NoError(t, err)
	return u
}

// TestRunbookOfWhatIsNotReleased has what the hops ask for, and nothing that installs: there is no chart and no tag.
func TestRunbookOfWhatIsNotReleased(t *testing.T) {
	for _, from := range []string{"1.4.6", "2.3.0", "2.5.2"} {
		for name, in := range map[string]*operator.Installation{
			"nobody": nil, "Helm": deployed(map[string]string{"app.kubernetes.io/instance": "jobs"}),
			"Argo CD":   deployed(map[string]string{"argocd.argoproj.io/instance": "jobs"}),
			"kustomize": deployed(map[string]string{"app.kubernetes.io/managed-by": "kustomize"}),
		} {
			u := upgradeOf(t, from, "next", nil)
			if u.Installation = in; in != nil {
				in.Version, in.Chart, in.Webhook = u.From, u.Chart, in.Controller
			}
			step := upgrade.ApplyCRDs(u)
			require.Empty(t, step.Command)
			tasks := Of(u, []check.Result{})
			require.Contains(t, strings.Join(stepsIn(tasks), "\n"), "before: wait for the release", name)
			require.NotContains(t, commandsOf(tasks), "--version next", "%s %s", from, name)
			require.NotContains(t, commandsOf(tasks), "helm upgrade", "%s %s", from, name)
			require.NotContains(t, commandsOf(tasks), "vnext", "%s %s", from, name)
			require.Contains(t, strings.Join(stepsIn(tasks), "\n"), "events of events.k8s.io", name)
		}
	}
}

// stepsIn are the steps as "when: do".
func stepsIn(tasks []Task) []string {
	var out []string
	for _, task := range tasks {
		out = append(out, task.When.String()+": "+task.Do)
	}
	return out
}

// commandsOf are all commands, a line each.
func commandsOf(tasks []Task) string {
	var out []string
	for _, task := range tasks {
		out = append(out, task.Commands...)
	}
	return strings.Join(out, "\n")
}

func TestRunbookOrder(t *testing.T) {
	u := upgradeOf(t, "2.3.0", "2.5.2", deployed(map[string]string{"app.kubernetes.io/instance": "jobs"}))
	at := func(hop int, object string, steps ...check.Step) check.Reported {
		return check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{Kind: "SparkApplication", Namespace: "a",
			Name: object}), Hop: u.Hops[hop], Message: "about " + object, Next: steps}}
	}
	accepted := at(0, "accepted", check.Step{When: check.Before, Do: "never"})
	accepted.Suppressed = &check.Suppression{By: check.ByFlag}
	results := []check.Result{
		{Check: check.Check{ID: "SD1001"},
			Findings: []check.Reported{{Finding: check.Finding{About: check.Named(snapshot.Ref{Kind: "Pod", Name: "p"}), Message: "broken",
				Next: []check.Step{{Do: "mend it", Command: "kubectl edit pod p"}}}}}},
		{Check: check.Check{ID: "SD7006"}, Findings: []check.Reported{at(3, "late", check.Step{When: check.Before, Do: "rename"}), accepted}},
		{Check: check.Check{ID: "SD7007"}, Findings: []check.Reported{
			at(0, "one", check.Step{When: check.Before, Do: "take it out", Command: "kubectl edit one"},
				check.Step{When: check.During, Do: "delete the Secret"}, check.Step{When: check.After, Do: "apply it again"}),
			at(0, "two", check.Step{When: check.Before, Do: "take it out", Command: "kubectl edit two"}),
			at(0, "two", check.Step{When: check.Before, Do: "take it out", Command: "kubectl edit two"}),
		}},
	}
	tasks := Of(u, results)
	require.Equal(t, []string{
		"before: save a baseline",
		"before: add the repository of the chart",
		"before: save the release's values and the number of its revision",
		"before: check that the release holds the operator's chart only",
		"before: mend it",
		"before: take it out",
		"before: rename",
		"before: check how clients (Airflow, CI, scripts) name applications",
		"before: check the sparkConf that clients write (Airflow, CI, manifest repositories)",
		"before: run gate again with the manifests you will install",
		"before: check that the API server accepts the CRDs of 2.5.2",
		"during: apply the CRDs of 2.5.2",
		"during: delete the Secret",
		"during: upgrade the release",
		"during: wait for the rollout",
		"after: apply it again",
		"after: look for executors whose driver is gone, now and after retries, suspensions and evictions",
		"after: check for regressions",
		"rollback: roll back if the rollout does not finish in 5 minutes, if the webhook rejects applications, or if the scan shows new errors",
		"rollback: stop clients (Airflow, CI, scripts) from creating applications until the old operator runs again",
		"rollback: roll back the release",
		"rollback: leave the CRDs of 2.5.2 in place",
		"rollback: check what the rollback left behind",
	}, stepsIn(tasks))
	shared := tasks[5]
	require.Equal(t, "about one", shared.Because)
	require.Len(t, shared.Objects, 2, "each object once")
	require.Equal(t, []string{"kubectl edit one", "kubectl edit two"}, shared.Commands)
	require.Contains(t, commandsOf(tasks), "helm upgrade jobs spark-operator/spark-operator --version 2.5.2 -n etl -f values-jobs-2.3.0.yaml")
	require.Contains(t, commandsOf(tasks), "gate --to 2.5.2 --target-manifests target.yaml --operator etl/jobs-spark-operator-controller")
}

// TestRunbookOfFindingsAboutManyObjects: a folded finding stands for all of its objects.
func TestRunbookOfFindingsAboutManyObjects(t *testing.T) {
	u := upgradeOf(t, "2.5.1", "2.5.2", nil)
	objects := []snapshot.Ref{{Kind: "SparkApplication", Name: "a"}, {Kind: "SparkApplication", Name: "b"}}
	results := []check.Result{{Check: check.Check{ID: "SD7006"},
		Findings: []check.Reported{{Finding: check.Finding{About: check.About{Object: objects[0], Objects: objects},
			Next: []check.Step{{Do: "rename"}}}}}}}
	for _, task := range Of(u, results) {
		if task.Do == "rename" {
			require.Equal(t, objects, task.Objects)
			return
		}
	}
	t.Fatal("no step")
}

func TestRunbookKnowsWhoInstalls(t *testing.T) {
	for name, c := range map[string]struct {
		in           *operator.Installation
		want, absent string
	}{
		"Helm": {deployed(map[string]string{"app.kubernetes.io/instance": "jobs", "app.kubernetes.io/managed-by": "Helm"}),
			"helm upgrade jobs ", "sync"},
		"no label": {deployed(nil), "helm upgrade jobs-spark-operator ", "sync"},
		"Argo CD by label": {deployed(map[string]string{"argocd.argoproj.io/instance": "jobs"}),
			"set chart version 2.5.2 (targetRevision of application jobs) in the repository that Argo CD syncs from", "helm upgrade"},
		"Argo CD by annotation": {tracked("annotation argocd.argoproj.io/tracking-id jobs:apps/Deployment:etl/jobs-spark-operator-controller"),
			"with ServerSideApply=true in the syncOptions of application jobs", "helm rollback"},
		"Flux": {deployed(map[string]string{"helm.toolkit.fluxcd.io/name": "jobs"}),
			"set chart version 2.5.2 (spec.chart.spec.version of HelmRelease jobs) in the repository that Flux syncs from", "helm upgrade"},
		"Flux, its CRDs": {deployed(map[string]string{"helm.toolkit.fluxcd.io/name": "jobs"}),
			"set spec.upgrade.crds to CreateReplace in HelmRelease jobs", "helm get values"},
		"Flux with kustomize": {deployed(map[string]string{"kustomize.toolkit.fluxcd.io/name": "jobs"}),
			"set ref v2.5.2 and image tag 2.5.2 (what Kustomization jobs applies)", "helm "},
		"kustomize": {deployed(map[string]string{"app.kubernetes.io/managed-by": "kustomize"}),
			"grep -q 'ref=v2.5.2' kustomization.yaml && kubectl apply --server-side --force-conflicts -k .", "helm "},
		"kustomize, its CRDs": {deployed(map[string]string{"app.kubernetes.io/managed-by": "kustomize"}),
			"/v2.5.2/config/crd/bases/sparkoperator.k8s.io_sparkconnects.yaml", "config/crd?ref"},
		"nobody saw it": {nil, "gate --to 2.5.2 --target-manifests target.yaml --from 2.4.0", "--operator"},
		"a name that attacks": {deployed(map[string]string{"app.kubernetes.io/instance": "x; rm -rf ~"}), "during: upgrade the release",
			"rm -rf"},
	} {
		t.Run(name, func(t *testing.T) {
			tasks := Of(upgradeOf(t, "2.4.0", "2.5.2", c.in), nil)
			text := strings.Join(stepsIn(tasks), "\n") + "\n" + commandsOf(tasks)
			require.Contains(t, text, c.want)
			require.NotContains(t, text, c.absent)
		})
	}
}

// TestNotesHaveHops: a note is told of the hop to which it belongs, also where releases are skipped.
func TestNotesHaveHops(t *testing.T) {
	u := upgradeOf(t, "1.4.6", "2.2.1", deployed(nil))
	hops := map[string]string{}
	for _, task := range Of(u, nil) {
		if !task.Hop.IsZero() {
			hops[task.Do] = task.Hop.String()
		}
	}
	require.Equal(t, "2.0.2", hops["rewrite values.yaml for the 2.x chart"])
	require.Equal(t, "2.2.1", hops["make clients of an application's UI Service wait until the application is submitted"])
}
