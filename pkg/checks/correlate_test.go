package checks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func ref(kind, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: kind, Namespace: "team-a", Name: name, UID: kind + "-" + name}
}

func result(t *testing.T, id string, findings ...checks.Finding) checks.Result {
	t.Helper()
	for i := range findings {
		findings[i].Check = id
	}
	return checks.Result{Check: check(t, id), Status: checks.Failed, Findings: findings}
}

func TestCorrelateFoldsOneFingerprint(t *testing.T) {
	out := checks.Correlate([]checks.Result{result(t, "SD2001",
		checks.Finding{Object: ref("Pod", "etl-exec-1"), App: "etl", What: "Job/x"},
		checks.Finding{Object: ref("Pod", "etl-exec-2"), App: "etl", What: "Job/x"},
		checks.Finding{Object: ref("Pod", "etl-exec-2"), App: "etl", What: "Job/x"},
		checks.Finding{Object: ref("Pod", "other-exec-1"), App: "other", What: "Job/x"},
	)})
	require.Len(t, out[0].Findings, 2)
	require.Equal(t, 2, out[0].Findings[0].Affected(), "the same object counts once")
	require.Equal(t, 1, out[0].Findings[1].Affected())
}

func TestCorrelateNamesTheGarbageCollectorOnce(t *testing.T) {
	left := func(name string) checks.Finding {
		return checks.Finding{Object: ref("Service", name), Severity: checks.Error, Settles: time.Minute, What: "Pod/" + name}
	}
	out := checks.Correlate([]checks.Result{result(t, "SD2002", left("a"), left("b"), left("c"),
		checks.Finding{Object: ref("Service", "d"), Severity: checks.Warning, What: "Job/d"})})
	require.Len(t, out[0].Findings, 2)
	require.Equal(t, 3, out[0].Findings[0].Affected())
	require.Contains(t, out[0].Findings[0].Message, "the garbage collector does not collect: 3 objects")
}

func TestCorrelateLinksCauses(t *testing.T) {
	app := checks.Finding{Object: ref("SparkApplication", "etl"), Related: []snapshot.Ref{ref("Pod", "etl-driver")}, What: "foregroundDeletion"}
	driver := checks.Finding{Object: ref("Pod", "etl-driver"), What: "kueue.x-k8s.io/managed"}
	gone := checks.Finding{Object: ref("SparkApplication", "lost"), What: "Workflow/nightly-x7k2p"}
	template := checks.Finding{Object: ref("WorkflowTemplate", "nightly")}
	out := checks.Correlate([]checks.Result{result(t, "SD2003", gone), result(t, "SD2004", template), result(t, "SD2005", app, driver)})
	template.Check, driver.Check = "SD2004", "SD2005"
	require.Equal(t, []string{template.Fingerprint()}, out[0].Findings[0].CausedBy)
	require.Equal(t, []string{driver.Fingerprint()}, out[2].Findings[0].CausedBy)
	require.Empty(t, out[2].Findings[1].CausedBy)
}
