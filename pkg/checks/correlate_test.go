package checks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func ref(kind, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: kind, Namespace: "team-a", Name: name, UID: kind + "-" + name}
}

func result(t *testing.T, id string, findings ...check.Reported) check.Result {
	t.Helper()
	for i := range findings {
		findings[i].Check = id
	}
	return check.Result{Check: checkOf(t, id), Status: check.Failed, Findings: findings}
}

func TestCorrelateFoldsOneFingerprint(t *testing.T) {
	out := check.Correlate([]check.Result{result(t, "SD2001",
		check.Reported{Finding: check.Finding{About: check.About{Object: ref("Pod", "etl-exec-1"), App: "etl"},
			Identity: check.Identity{What: "Job/x"}}},
		check.Reported{Finding: check.Finding{About: check.About{Object: ref("Pod", "etl-exec-2"), App: "etl"},
			Identity: check.Identity{What: "Job/x"}}},
		check.Reported{Finding: check.Finding{About: check.About{Object: ref("Pod", "etl-exec-2"), App: "etl"},
			Identity: check.Identity{What: "Job/x"}}},
		check.Reported{Finding: check.Finding{About: check.About{Object: ref("Pod", "other-exec-1"), App: "other"},
			Identity: check.Identity{What: "Job/x"}}},
	)})
	require.Len(t, out[0].Findings, 2)
	require.Equal(t, 2, out[0].Findings[0].Affected(), "the same object counts once")
	require.Equal(t, 1, out[0].Findings[1].Affected())
}

func TestCorrelateNamesTheGarbageCollectorOnce(t *testing.T) {
	left := func(name string) check.Reported {
		return check.Reported{Finding: check.Finding{About: check.Named(ref("Service", name)), Severity: check.Error,
			Confirmation: check.Confirmation{Settles: time.Minute}, Identity: check.Identity{What: "Pod/" + name}}}
	}
	out := check.Correlate([]check.Result{result(t, "SD2002", left("a"), left("b"), left("c"),
		check.Reported{Finding: check.Finding{About: check.Named(ref("Service", "d")), Severity: check.Warning,
			Identity: check.Identity{What: "Job/d"}}})})
	require.Len(t, out[0].Findings, 2)
	require.Equal(t, 3, out[0].Findings[0].Affected())
	require.Contains(t, out[0].Findings[0].Message, "the garbage collector deletes nothing: 3 objects")
}

func TestCorrelateLinksCauses(t *testing.T) {
	app := check.Reported{Finding: check.Finding{About: check.Named(ref("SparkApplication", "etl")),
		Related: []snapshot.Ref{ref("Pod", "etl-driver")}, Identity: check.Identity{What: "foregroundDeletion"}}}
	driver := check.Reported{Finding: check.Finding{About: check.Named(ref("Pod", "etl-driver")),
		Identity: check.Identity{What: "kueue.x-k8s.io/managed"}}}
	gone := check.Reported{Finding: check.Finding{About: check.Named(ref("SparkApplication", "lost")),
		Identity: check.Identity{What: "Workflow/nightly-x7k2p"}}}
	template := check.Reported{Finding: check.Finding{About: check.Named(ref("WorkflowTemplate", "nightly"))}}
	out := check.Correlate([]check.Result{result(t, "SD2003", gone), result(t, "SD2004", template), result(t, "SD2005", app, driver)})
	template.Check, driver.Check = "SD2004", "SD2005"
	require.Equal(t, []string{template.Fingerprint()}, out[0].Findings[0].CausedBy)
	require.Equal(t, []string{driver.Fingerprint()}, out[2].Findings[0].CausedBy)
	require.Empty(t, out[2].Findings[1].CausedBy)
}

// Four hundred pods of one broken certificate are one fault.
func TestCorrelateFoldsUnmutatedPodsByCause(t *testing.T) {
	deployment := snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator", Name: "spark-operator-webhook"}
	lacking := func(name string, pods int) check.Reported {
		app := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: name}
		f := check.Reported{Finding: check.Finding{About: check.About{Object: app, App: name, Objects: []snapshot.Ref{app}},
			Severity: check.Warning, Certainty: check.Likely, Related: []snapshot.Ref{deployment}, Message: "all pods lack env"}}
		for i := range pods {
			f.Objects = append(f.Objects, ref("Pod", name+string(rune('a'+i))))
		}
		return f
	}
	proven := lacking("etl", 3)
	proven.Severity, proven.Certainty = check.Error, check.Proven
	unrelated := lacking("elsewhere", 1)
	unrelated.Related = nil
	cause := check.Reported{Finding: check.Finding{About: check.Named(deployment), Severity: check.Error}}
	out := check.Correlate([]check.Result{result(t, "SD1005", cause), result(t, "SD4002", lacking("a", 2), proven, unrelated)})
	require.Len(t, out[1].Findings, 2)
	folded := out[1].Findings[0]
	require.Equal(t, 5, folded.Affected(), "pods, not applications")
	require.Equal(t, check.Error, folded.Severity)
	require.Equal(t, check.Proven, folded.Certainty)
	require.Contains(t, folded.Message, "5 pods of 2 applications lack fields that only the webhook adds")
	require.Len(t, folded.CausedBy, 1)
	require.Equal(t, 1, out[1].Findings[1].Affected())

	more := check.Correlate([]check.Result{result(t, "SD1005", cause), result(t, "SD4002", proven, lacking("z", 1))})
	require.Equal(t, folded.Fingerprint(), more[1].Findings[0].Fingerprint(), "named by its cause, whichever applications it hits")
}

// TestCausesOfOneOfTwoInstallations lets one of two operators in one namespace have a fault: only pods of its applications
// are explained by it, and folded.
func TestCausesOfOneOfTwoInstallations(t *testing.T) {
	deployment := func(name string) snapshot.Ref {
		return snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator", Name: name}
	}
	lacking := func(app, webhook string) check.Reported {
		a := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-" + app, Name: app}
		return check.Reported{Finding: check.Finding{About: check.About{Object: a, Objects: []snapshot.Ref{a, ref("Pod", app+"-driver")}},
			Severity: check.Error, Message: "lacks", Related: []snapshot.Ref{deployment(webhook)}}}
	}
	configuration := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "blue-webhook"}
	for id, stated := range map[string]check.Finding{
		"SD1001": {About: check.Named(configuration), Severity: check.Warning, Related: []snapshot.Ref{deployment("blue-webhook")}},
		"SD1002": {About: check.Named(configuration), Severity: check.Error,
			Related: []snapshot.Ref{ref("Service", "blue"), deployment("blue-webhook")}},
		"SD1003": {About: check.Named(configuration), Severity: check.Error,
			Related: []snapshot.Ref{deployment("blue-webhook"), ref("Secret", "blue")}},
		"SD1004": {About: check.Named(ref("Secret", "blue")), Severity: check.Error, Related: []snapshot.Ref{deployment("blue-webhook")}},
		"SD1005": {About: check.Named(deployment("blue-webhook")), Severity: check.Error},
		"SD1008": {About: check.Named(deployment("blue-webhook")), Severity: check.Error},
	} {
		fault := check.Reported{Check: id, Finding: stated}
		out := check.Correlate([]check.Result{result(t, id, fault),
			result(t, "SD4002", lacking("a", "blue-webhook"), lacking("b", "green-webhook"), lacking("c", "blue-webhook"))})
		got := out[1].Findings
		require.Len(t, got, 2, id)
		require.Equal(t, []string{fault.Fingerprint()}, got[0].CausedBy, id)
		require.Equal(t, 2, got[0].Affected(), id)
		require.Equal(t, "b", got[1].Object.Name)
		require.Empty(t, got[1].CausedBy, "%s: the other operator is well", id)
	}
}
