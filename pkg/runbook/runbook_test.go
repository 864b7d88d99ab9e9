package runbook

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
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

func upgradeOf(t *testing.T, from, to string, in *operator.Installation) *check.Upgrade {
	t.Helper()
	u := &check.Upgrade{Installation: in}
	var err error
	u.From, err = operator.ReleaseNamed(from)
	require.NoError(t, err)
	u.To, err = operator.ReleaseNamed(to)
	require.NoError(t, err)
	u.Hops, err = operator.Path(u.From, u.To)
	require.NoError(t, err)
	return u
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
	at := func(hop int, object string, steps ...check.Step) check.Finding {
		return check.Finding{Object: snapshot.Ref{Kind: "SparkApplication", Namespace: "a", Name: object}, Hop: u.Hops[hop],
			Message: "about " + object, Steps: steps}
	}
	accepted := at(0, "accepted", check.Step{When: check.Before, Do: "never"})
	accepted.Suppressed = &check.Suppression{By: check.ByFlag}
	results := []check.Result{
		{Check: check.Check{ID: "SD1001", Next: func(f *check.Finding, _ *check.Context) []check.Command {
			return []check.Command{command.Do("mend it").On("edit", f.Object)}
		}}, Findings: []check.Finding{{Object: snapshot.Ref{Kind: "Pod", Name: "p"},
			Message: "broken"}}},
		{Check: check.Check{ID: "SD7006"}, Findings: []check.Finding{at(3, "late", check.Step{When: check.Before, Do: "rename"}), accepted}},
		{Check: check.Check{ID: "SD7007"}, Findings: []check.Finding{
			at(0, "one", check.Step{When: check.Before, Do: "take it out", Command: "kubectl edit one"},
				check.Step{When: check.During, Do: "delete the Secret"}, check.Step{When: check.After, Do: "apply it again"}),
			at(0, "two", check.Step{When: check.Before, Do: "take it out", Command: "kubectl edit two"}),
			at(0, "two", check.Step{When: check.Before, Do: "take it out", Command: "kubectl edit two"}),
		}},
	}
	tasks := Of(u, results)
	require.Equal(t, []string{
		"before: keep what is there now, to compare with",
		"before: keep the values of the release",
		"before: check that the release holds the operator's chart only",
		"before: mend it",
		"before: take it out",
		"before: rename",
		"before: look at how clients name applications: Airflow, CI, scripts",
		"before: look at which sparkConf clients write: Airflow, CI, repositories of manifests",
		"before: ask again with what will be installed",
		"during: apply the CRDs of 2.5.2",
		"during: delete the Secret",
		"during: upgrade the release",
		"during: wait until controller and webhook have rolled out",
		"after: apply it again",
		"after: see that nothing is wrong that was not before",
	}, stepsIn(tasks))
	shared := tasks[4]
	require.Equal(t, "about one", shared.Because)
	require.Len(t, shared.Objects, 2, "each object once")
	require.Equal(t, []string{"kubectl edit one", "kubectl edit two"}, shared.Commands)
	require.Contains(t, commandsOf(tasks), "helm upgrade jobs spark-operator/spark-operator --version 2.5.2 -n etl -f values.yaml")
	require.Contains(t, commandsOf(tasks), "gate --to 2.5.2 --target-manifests target.yaml --operator etl/jobs-spark-operator-controller")
}

// TestRunbookOfFindingsAboutManyObjects: a folded finding stands for all of its objects.
func TestRunbookOfFindingsAboutManyObjects(t *testing.T) {
	u := upgradeOf(t, "2.5.1", "2.5.2", nil)
	objects := []snapshot.Ref{{Kind: "SparkApplication", Name: "a"}, {Kind: "SparkApplication", Name: "b"}}
	results := []check.Result{{Check: check.Check{ID: "SD7006"},
		Findings: []check.Finding{{Object: objects[0], Objects: objects, Steps: []check.Step{{Do: "rename"}}}}}}
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
		"Argo CD": {deployed(map[string]string{"argocd.argoproj.io/instance": "jobs"}),
			"set chart version 2.5.2 where Argo CD takes it from", "helm upgrade"},
		"Flux": {deployed(map[string]string{"helm.toolkit.fluxcd.io/name": "jobs"}),
			"set chart version 2.5.2 where Flux takes it from", "helm upgrade"},
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
	require.Equal(t, "2.0.2", hops["write values.yaml anew for the chart of 2.x"])
	require.Equal(t, "2.2.1", hops["let what asks for the UI Service of an application wait until it has been submitted"])
}
