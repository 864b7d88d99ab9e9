package checks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func operatorDeployment(part string) *snapshot.Deployment {
	return &snapshot.Deployment{
		Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator", Name: "spark-operator-" + part}},
		Containers: []snapshot.Container{{Image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1", Args: []string{
			part, "start", "--namespaces=team-a,team-b", "--mutating-webhook-name=spark-operator-webhook", "--webhook-svc-name=spark-operator-webhook-svc",
		}}},
		Replicas: 1, Ready: 1,
	}
}

// jobs is a cluster with an operator and one application in each namespace.
func jobs(namespaces ...string) *snapshot.Snapshot {
	b := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	for _, ns := range namespaces {
		b.Add(snapshot.SparkApplications, &snapshot.SparkApplication{Object: snapshot.Object{Ref: snapshot.Ref{Kind: "SparkApplication", Namespace: ns, Name: "etl"}}})
	}
	b.Add(snapshot.Deployments, operatorDeployment("controller"))
	b.Add(snapshot.Deployments, operatorDeployment("webhook"))
	return b.Seal()
}

// chainOf are the results of the checks that judge admission, all passed but those given.
func chainOf(changed ...checks.Result) []checks.Result {
	var out []checks.Result
	for _, id := range []string{"SD1002", "SD1003", "SD1004", "SD1005", "SD1007", "SD1008"} {
		r := checks.Result{Check: checks.Check{ID: id}}
		for _, c := range changed {
			if c.Check.ID == id {
				r = c
			}
		}
		out = append(out, r)
	}
	return out
}

func found(id string, f checks.Finding) checks.Result {
	f.Check = id
	return checks.Result{Check: checks.Check{ID: id}, Status: checks.Failed, Findings: []checks.Finding{f}}
}

func TestAdmissions(t *testing.T) {
	configuration := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "spark-operator-webhook"}
	namespace := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "team-b"}
	for name, c := range map[string]struct {
		results []checks.Result
		states  [2]checks.AdmissionState
		links   [2]string
	}{
		"all looked and found nothing": {chainOf(), [2]checks.AdmissionState{"healthy", "healthy"}, [2]string{}},
		"a certificate concerns every namespace": {
			chainOf(found("SD1003", checks.Finding{Object: configuration, Severity: checks.Error})),
			[2]checks.AdmissionState{"broken", "broken"}, [2]string{"certificate", "certificate"},
		},
		"a selector concerns one": {
			chainOf(found("SD1007", checks.Finding{Object: namespace, Severity: checks.Error})),
			[2]checks.AdmissionState{"healthy", "broken"}, [2]string{"", "selector"},
		},
		"a selector that leaves out a namespace which needs nothing yet": {
			chainOf(found("SD1007", checks.Finding{Object: namespace, Severity: checks.Warning})),
			[2]checks.AdmissionState{"healthy", "broken"}, [2]string{"", "selector"},
		},
		"endpoints that are missing": {
			chainOf(found("SD1002", checks.Finding{Object: configuration, Severity: checks.Error, Absent: []checks.Absent{{View: snapshot.WebhookEndpoints}}})),
			[2]checks.AdmissionState{"broken", "broken"}, [2]string{"endpoints", "endpoints"},
		},
		"a warning breaks nothing": {
			chainOf(found("SD1003", checks.Finding{Object: configuration, Severity: checks.Warning})),
			[2]checks.AdmissionState{"healthy", "healthy"}, [2]string{},
		},
		"what is likely broken is not called healthy": {
			chainOf(found("SD1005", checks.Finding{Object: configuration, Severity: checks.Error, Certainty: checks.Likely})),
			[2]checks.AdmissionState{"unknown", "unknown"}, [2]string{},
		},
		"another project's configuration": {
			chainOf(found("SD1003", checks.Finding{Object: snapshot.Ref{Kind: "MutatingWebhookConfiguration", Name: "other"}, Severity: checks.Error})),
			[2]checks.AdmissionState{"healthy", "healthy"}, [2]string{},
		},
		"a check that could not look": {
			chainOf(checks.Result{Check: checks.Check{ID: "SD1004"}, Status: checks.Skipped, Reason: "could not get secrets: forbidden"}),
			[2]checks.AdmissionState{"unknown", "unknown"}, [2]string{},
		},
		"a check that left something unjudged": {
			chainOf(checks.Result{Check: checks.Check{ID: "SD1003"}, Reason: "Secret spark-operator/certs was not seen"}),
			[2]checks.AdmissionState{"unknown", "unknown"}, [2]string{},
		},
		"broken though another check could not look": {
			chainOf(checks.Result{Check: checks.Check{ID: "SD1002"}, Status: checks.Skipped}, found("SD1003", checks.Finding{Object: configuration, Severity: checks.Error})),
			[2]checks.AdmissionState{"broken", "broken"}, [2]string{"certificate", "certificate"},
		},
		"nobody asked": {nil, [2]checks.AdmissionState{"unknown", "unknown"}, [2]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := checks.Admissions(jobs("team-a", "team-b"), c.results)
			require.Len(t, got, 2)
			for i, a := range got {
				require.Equal(t, c.states[i], a.State, a.Reason)
				require.Equal(t, c.links[i], a.BrokenLink)
				require.Equal(t, a.State == checks.AdmissionBroken, a.CausedBy != "")
				require.Equal(t, a.State == checks.AdmissionUnknown, a.Reason != "")
			}
		})
	}
}

func TestAdmissionWithoutAnInstallation(t *testing.T) {
	got := checks.Admissions(jobs("elsewhere"), chainOf())
	require.Equal(t, checks.AdmissionUnknown, got[0].State)
	require.Contains(t, got[0].Reason, "no installation was seen")
}
