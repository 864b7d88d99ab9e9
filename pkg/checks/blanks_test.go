package checks_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestFill(t *testing.T) {
	b := check.Blanks{"NAMESPACE": "team-a", "NAME": "etl", "UID": "x; rm -rf /", "TYPE": "pod"}
	for name, c := range map[string][2]string{
		"a command":              {"    kubectl get TYPE NAME -n NAMESPACE\n", "    kubectl get pod etl -n team-a\n"},
		"a command in the text":  {"Run `kubectl get TYPE NAME`, then look at NAME.\n", "Run `kubectl get pod etl`, then look at NAME.\n"},
		"text":                   {"The NAME in a NAMESPACE, `NAME` as well.\n", "The NAME in a NAMESPACE, `NAME` as well.\n"},
		"part of a word":         {"    echo MY_NAME NAMES NAME-webhook\n", "    echo MY_NAME NAMES etl-webhook\n"},
		"what a shell would run": {"    kubectl patch --uid UID\n", "    kubectl patch --uid UID\n"},
		"what nobody knows":      {"    kubectl logs DRIVER\n", "    kubectl logs DRIVER\n"},
	} {
		require.Equal(t, c[1], b.Fill(c[0]), name)
	}
}

func TestBlanksOfAFinding(t *testing.T) {
	app := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: "etl", UID: "u1"}
	pod := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-driver"}
	webhook := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "w"}
	deployment := snapshot.Deployment{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "op",
		Name: "spark-webhook"}}}
	installations := []operator.Installation{{Namespace: "other", Name: "other"}, {Namespace: "op", Name: "spark", Webhook: &deployment}}
	for name, c := range map[string]struct {
		f    check.Reported
		want check.Blanks
	}{
		"an owner": {
			check.Reported{Finding: check.Finding{About: check.Named(app), Field: "metadata.ownerReferences[2]",
				Evidence: []check.Evidence{{Object: app, Field: "metadata.ownerReferences[2].uid", Value: "u9"}}}},
			check.Blanks{"NAMESPACE": "a", "TYPE": "sparkapplication", "NAME": "etl", "APPLICATION": "etl", "APPLICATION_UID": "u1", "INDEX": "2",
				"UID": "u9"},
		},
		"a driver of an application": {
			check.Reported{Finding: check.Finding{About: check.Named(pod), Related: []snapshot.Ref{app}}},
			check.Blanks{"NAMESPACE": "a", "TYPE": "pod", "NAME": "etl-driver", "APPLICATION": "etl", "APPLICATION_UID": "u1", "POD": "etl-driver",
				"DRIVER": "etl-driver", "EXECUTOR": "etl-driver"},
		},
		"a driver on a node": {
			check.Reported{Finding: check.Finding{About: check.Named(app),
				Related: []snapshot.Ref{pod, {APIVersion: "v1", Kind: "Node", Name: "n1"}}}},
			check.Blanks{
				"NAMESPACE": "a", "TYPE": "sparkapplication", "NAME": "etl", "APPLICATION": "etl", "APPLICATION_UID": "u1",
				"POD": "etl-driver", "DRIVER": "etl-driver", "EXECUTOR": "etl-driver", "NODE": "n1",
			},
		},
		"an installation": {
			check.Reported{Finding: check.Finding{About: check.Named(webhook), Related: []snapshot.Ref{deployment.Ref}}},
			check.Blanks{"NAMESPACE": "op", "TYPE": "mutatingwebhookconfiguration", "NAME": "w", "RELEASE": "spark", "OPERATOR_NAMESPACE": "op"},
		},
		"a namespace, whose applications a page names": {
			check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "a"}),
				Related: []snapshot.Ref{deployment.Ref}}},
			check.Blanks{"NAMESPACE": "a", "RELEASE": "spark", "OPERATOR_NAMESPACE": "op"},
		},
		"one of several installations, nobody knows which": {
			check.Reported{Finding: check.Finding{About: check.Named(webhook)}},
			check.Blanks{"TYPE": "mutatingwebhookconfiguration", "NAME": "w"},
		},
	} {
		require.Equal(t, c.want, c.f.Blanks(installations), name)
	}
}

// TestPagesOfNamespacesNameTheNamespace: where the object of a finding is the Namespace with the jobs, the operator is in another one.
func TestPagesOfNamespacesNameTheNamespace(t *testing.T) {
	controller := &snapshot.Deployment{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "op",
		Name: "spark-controller"}}}
	f := check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "team-b"}),
		Related: []snapshot.Ref{controller.Ref}}}
	for _, id := range []string{"SD1007", "SD5001"} {
		page, err := checks.Docs(id)
		require.NoError(t, err)
		filled := f.Blanks([]operator.Installation{{Namespace: "op", Name: "spark", Controller: controller}}).Fill(string(page))
		require.Contains(t, filled, "helm upgrade spark spark-operator/spark-operator -n op ", id)
		require.Contains(t, filled, "'spark.jobNamespaces={default,team-b}'", id)
	}
}

// TestDocsUseKnownBlanks goes through the commands of every page: a word in capitals is a blank that "explain" knows, or
// meant as it is.
func TestDocsUseKnownBlanks(t *testing.T) {
	meant := []string{"CHART_VERSION", "VERSION", "VERSION", "COMPLETED", "FAILED", "UNKNOWN", "IN", "BEGIN", "PRIVATE", "KEY", "POD_NAME",
		"RSA"}
	for _, c := range checks.Catalogue() {
		page, err := checks.Docs(c.ID)
		require.NoError(t, err)
		for line := range strings.Lines(string(page)) {
			if !strings.HasPrefix(line, "    ") {
				continue
			}
			for _, word := range regexp.MustCompile(`\b[A-Z][A-Z_]+\b`).FindAllString(line, -1) {
				require.True(t, slices.Contains(check.KnownBlanks(), word) || slices.Contains(meant, word), "%s: %s in %q", c.ID, word, line)
			}
		}
	}
}
