package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestCorrelateNamesTheOperator links what waits, and a webhook that nobody answers, to what is wrong with the operator.
func TestCorrelateNamesTheOperator(t *testing.T) {
	controller, webhook := ref("Deployment", "spark-operator-controller"), ref("Deployment", "spark-operator-webhook")
	ill := checks.Finding{Object: controller, Kind: "restarting", Severity: checks.Warning}
	down := checks.Finding{Object: webhook, Kind: "not ready", Breaks: []checks.Part{checks.WebhookReplicas}, Severity: checks.Error}
	leaderless := checks.Finding{Object: controller, Kind: "no leader", Severity: checks.Error}
	panics := checks.Finding{Object: controller, What: "gang-of-unknown-size", Breaks: []checks.Part{checks.ControllerStart}, Severity: checks.Error, Objects: []snapshot.Ref{ref("SparkApplication", "gang")}}
	spoils := checks.Finding{Object: controller, What: "executor-metrics-lost", Severity: checks.Warning}
	waits := checks.Finding{Object: ref("SparkApplication", "etl"), App: "etl", Related: []snapshot.Ref{controller}}
	gang := checks.Finding{Object: ref("SparkApplication", "gang"), App: "gang", Related: []snapshot.Ref{ref("Deployment", "another")}}
	unreachable := checks.Finding{Object: ref("MutatingWebhookConfiguration", "hook"), Severity: checks.Error, Related: []snapshot.Ref{webhook}}
	out := checks.Correlate([]checks.Result{
		result(t, "SD1002", unreachable), result(t, "SD5005", leaderless), result(t, "SD5008", ill, down), result(t, "SD5009", panics, spoils), result(t, "SD6001", waits, gang),
	})
	name := func(id string, f checks.Finding) string { f.Check = id; return f.Fingerprint() }
	require.Equal(t, []string{name("SD5008", down)}, out[0].Findings[0].CausedBy)
	require.Equal(t, []string{name("SD5009", panics)}, out[2].Findings[0].CausedBy, "the panic ends the process")
	require.Empty(t, out[2].Findings[1].CausedBy)
	require.ElementsMatch(t, []string{name("SD5005", leaderless), name("SD5008", ill)}, out[4].Findings[0].CausedBy)
	require.Equal(t, []string{name("SD5009", panics)}, out[4].Findings[1].CausedBy)
}
