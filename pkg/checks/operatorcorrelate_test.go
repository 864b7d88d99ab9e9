package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestCorrelateNamesTheOperator links what waits, and a webhook that nobody answers, to what is wrong with the operator.
func TestCorrelateNamesTheOperator(t *testing.T) {
	controller, webhook := ref("Deployment", "spark-operator-controller"), ref("Deployment", "spark-operator-webhook")
	ill := check.Reported{Finding: check.Finding{About: check.Named(controller), Identity: check.Identity{Kind: "restarting"},
		Severity: check.Warning}}
	down := check.Reported{Finding: check.Finding{About: check.Named(webhook), Identity: check.Identity{Kind: "not ready"},
		Breaks: []check.Part{check.WebhookReplicas}, Severity: check.Error}}
	leaderless := check.Reported{Finding: check.Finding{About: check.Named(controller), Identity: check.Identity{Kind: "no leader"},
		Severity: check.Error}}
	panics := check.Reported{Finding: check.Finding{About: check.About{Object: controller,
		Objects: []snapshot.Ref{ref("SparkApplication", "gang")}}, Identity: check.Identity{What: "gang-of-unknown-size"},
		Breaks: []check.Part{check.ControllerStart}, Severity: check.Error}}
	spoils := check.Reported{Finding: check.Finding{About: check.Named(controller),
		Identity: check.Identity{What: "executor-metrics-lost"}, Severity: check.Warning}}
	waits := check.Reported{Finding: check.Finding{About: check.About{Object: ref("SparkApplication", "etl"), App: "etl"},
		Related: []snapshot.Ref{controller}}}
	gang := check.Reported{Finding: check.Finding{About: check.About{Object: ref("SparkApplication", "gang"), App: "gang"},
		Related: []snapshot.Ref{ref("Deployment", "another")}}}
	unreachable := check.Reported{Finding: check.Finding{About: check.Named(ref("MutatingWebhookConfiguration", "hook")),
		Severity: check.Error, Related: []snapshot.Ref{webhook}}}
	out := check.Correlate([]check.Result{
		result(t, "SD1002", unreachable), result(t, "SD5005", leaderless), result(t, "SD5008", ill, down), result(t, "SD5009", panics, spoils),
		result(t, "SD6001", waits, gang),
	})
	name := func(id string, f check.Reported) string { f.Check = id; return f.Fingerprint() }
	require.Equal(t, []string{name("SD5008", down)}, out[0].Findings[0].CausedBy)
	require.Equal(t, []string{name("SD5009", panics)}, out[2].Findings[0].CausedBy, "the panic ends the process")
	require.Empty(t, out[2].Findings[1].CausedBy)
	require.ElementsMatch(t, []string{name("SD5005", leaderless), name("SD5008", ill)}, out[4].Findings[0].CausedBy)
	require.Equal(t, []string{name("SD5009", panics)}, out[4].Findings[1].CausedBy)
}
