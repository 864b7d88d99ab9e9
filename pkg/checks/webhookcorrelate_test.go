package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestCorrelateRaisesAnOpenWebhook lets another check find something beside a webhook that fails open.
func TestCorrelateRaisesAnOpenWebhook(t *testing.T) {
	configuration := func(kind, name string) snapshot.Ref {
		return snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: kind, Name: name, UID: kind + name}
	}
	mutating := configuration("MutatingWebhookConfiguration", "spark-operator-webhook")
	again := mutating
	again.UID = "made anew between two reads"
	for name, c := range map[string]struct {
		id       string
		other    check.Reported
		severity check.Severity
		linked   bool
	}{
		"unreachable": {"SD1002",
			check.Reported{Finding: check.Finding{About: check.Named(mutating), Severity: check.Error}}, check.Error, true},
		"wrong caBundle": {"SD1003",
			check.Reported{Finding: check.Finding{About: check.Named(again), Severity: check.Error}}, check.Error, true},
		"bad certificate, about the Secret": {"SD1004",
			check.Reported{Finding: check.Finding{About: check.Named(ref("Secret", "certs")),
				Related: []snapshot.Ref{ref("Deployment", "webhook")}, Severity: check.Error}}, check.Error, true},
		"bad certificate of another operator": {"SD1004",
			check.Reported{Finding: check.Finding{About: check.Named(ref("Secret", "certs")),
				Related: []snapshot.Ref{ref("Deployment", "other")}, Severity: check.Error}}, check.Warning, false},
		"replicas diverge, about a Deployment": {"SD1005",
			check.Reported{Finding: check.Finding{About: check.Named(ref("Deployment", "webhook")), Severity: check.Error}},
			check.Error, true},
		"a certificate that expires soon": {"SD1004",
			check.Reported{Finding: check.Finding{About: check.Named(ref("Secret", "certs")), Related: []snapshot.Ref{mutating},
				Severity: check.Warning}}, check.Warning, true},
		"left over": {"SD1009",
			check.Reported{Finding: check.Finding{About: check.Named(mutating), Severity: check.Error}}, check.Warning, true},
		"another configuration": {"SD1002",
			check.Reported{Finding: check.Finding{About: check.Named(configuration("MutatingWebhookConfiguration", "other")),
				Severity: check.Error}}, check.Warning, false},
		"the validating one of that name": {"SD1002",
			check.Reported{Finding: check.Finding{About: check.Named(configuration("ValidatingWebhookConfiguration",
				"spark-operator-webhook")), Related: []snapshot.Ref{ref("Deployment", "webhook")}, Severity: check.Error}}, check.Warning, false},
		"another kind of check": {"SD1007",
			check.Reported{Finding: check.Finding{About: check.Named(ref("Namespace", "team-a")), Related: []snapshot.Ref{mutating},
				Severity: check.Error}}, check.Warning, false},
	} {
		t.Run(name, func(t *testing.T) {
			open := check.Reported{Check: "SD1001",
				Finding: check.Finding{About: check.Named(mutating), Severity: check.Warning,
					Related: []snapshot.Ref{ref("Deployment", "webhook")}}}
			c.other.Check = c.id
			other := check.Result{Check: checkOf(t, c.id), Status: check.Failed, Findings: []check.Reported{c.other}}
			in := []check.Result{{Check: checkOf(t, "SD1001"), Status: check.Failed, Findings: []check.Reported{open}}, other}
			out := check.Correlate(in)
			got := out[0].Findings[0]
			require.Equal(t, c.severity, got.Severity)
			require.Equal(t, check.Warning, in[0].Findings[0].Severity, "the input stays")
			if c.linked {
				require.Equal(t, []string{c.other.Fingerprint()}, got.CausedBy)
			} else {
				require.Empty(t, got.CausedBy)
			}
		})
	}
}

func TestCorrelateLinksARefusedRemoval(t *testing.T) {
	configuration := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration",
		Name: "spark-operator-webhook"}
	stuck := check.Reported{Finding: check.Finding{About: check.Named(ref("SparkApplication", "etl")),
		Related: []snapshot.Ref{configuration}}}
	down := check.Reported{Finding: check.Finding{About: check.Named(configuration), Severity: check.Error}}
	out := check.Correlate([]check.Result{result(t, "SD1002", down), result(t, "SD2005", stuck)})
	down.Check = "SD1002"
	require.Equal(t, []string{down.Fingerprint()}, out[1].Findings[0].CausedBy)
}

func TestAValidatingWebhookStaysAnInfo(t *testing.T) {
	validating := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration",
		Name: "spark-operator-webhook"}
	out := check.Correlate([]check.Result{
		result(t, "SD1001", check.Reported{Finding: check.Finding{About: check.Named(validating), Severity: check.Info}}),
		result(t, "SD1002", check.Reported{Finding: check.Finding{About: check.Named(validating), Severity: check.Error}}),
	})
	require.Equal(t, check.Info, out[0].Findings[0].Severity)
}

// TestSelectionOfANamespace asks for findings of team-a: a Namespace is in itself.
func TestSelectionOfANamespace(t *testing.T) {
	namespace := func(name string) check.Reported {
		return check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}),
			Related: []snapshot.Ref{
				{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: name, Name: "etl"},
			}}}
	}
	node := check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: "team-a"})}}
	results := []check.Result{result(t, "SD1007", namespace("team-a"), namespace("team-b"), node)}
	kept := check.Selection{Namespaces: []string{"team-a"}}.Narrow(nil, results)[0].Findings
	require.Len(t, kept, 1)
	require.Equal(t, "Namespace", kept[0].Object.Kind)
	require.Equal(t, "team-a", kept[0].Object.Name)

	app := snapshot.Key{GroupKind: snapshot.GroupKind{Group: snapshot.SparkGroup, Kind: "SparkApplication"}, Namespace: "team-a", Name: "etl"}
	kept = check.Selection{Namespaces: []string{"team-a"}, Objects: []snapshot.Key{app}}.Narrow(nil, results)[0].Findings
	require.Len(t, kept, 1, "an application is concerned by what is found about its namespace")
}
