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
	ill := check.Finding{Object: controller, Kind: "restarting", Severity: check.Warning}
	down := check.Finding{Object: webhook, Kind: "not ready", Breaks: []check.Part{check.WebhookReplicas}, Severity: check.Error}
	leaderless := check.Finding{Object: controller, Kind: "no leader", Severity: check.Error}
	panics := check.Finding{Object: controller, What: "gang-of-unknown-size", Breaks: []check.Part{check.ControllerStart},
		Severity: check.Error, Objects: []snapshot.Ref{ref("SparkApplication", "gang")}}
	spoils := check.Finding{Object: controller, What: "executor-metrics-lost", Severity: check.Warning}
	waits := check.Finding{Object: ref("SparkApplication", "etl"), App: "etl", Related: []snapshot.Ref{controller}}
	gang := check.Finding{Object: ref("SparkApplication", "gang"), App: "gang", Related: []snapshot.Ref{ref("Deployment", "another")}}
	unreachable := check.Finding{Object: ref("MutatingWebhookConfiguration", "hook"), Severity: check.Error, Related: []snapshot.Ref{webhook}}
	out := check.Correlate([]check.Result{
		result(t, "SD1002", unreachable), result(t, "SD5005", leaderless), result(t, "SD5008", ill, down), result(t, "SD5009", panics, spoils),
		result(t, "SD6001", waits, gang),
	})
	name := func(id string, f check.Finding) string { f.Check = id; return f.Fingerprint() }
	require.Equal(t, []string{name("SD5008", down)}, out[0].Findings[0].CausedBy)
	require.Equal(t, []string{name("SD5009", panics)}, out[2].Findings[0].CausedBy, "the panic ends the process")
	require.Empty(t, out[2].Findings[1].CausedBy)
	require.ElementsMatch(t, []string{name("SD5005", leaderless), name("SD5008", ill)}, out[4].Findings[0].CausedBy)
	require.Equal(t, []string{name("SD5009", panics)}, out[4].Findings[1].CausedBy)
}
