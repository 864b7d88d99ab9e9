package checks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func operatorDeployment(part string) *snapshot.Deployment {
	return &snapshot.Deployment{
		Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator",
			Name: "spark-operator-" + part}},
		Containers: []snapshot.Container{{Image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1", Args: []string{
			part, "start", "--namespaces=team-a,team-b", "--mutating-webhook-name=spark-operator-webhook",
			"--webhook-svc-name=spark-operator-webhook-svc",
		}}},
		Replicas: 1, Ready: 1,
	}
}

// jobs is a cluster with an operator and one application in each namespace.
func jobs(namespaces ...string) *snapshot.Snapshot {
	b := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	for _, ns := range namespaces {
		b.Add(snapshot.SparkApplications, &snapshot.SparkApplication{Object: snapshot.Object{Ref: snapshot.Ref{Kind: "SparkApplication",
			Namespace: ns, Name: "etl"}}})
	}
	b.Add(snapshot.Deployments, operatorDeployment("controller"))
	b.Add(snapshot.Deployments, operatorDeployment("webhook"))
	return b.Seal()
}

// chainOf are the results of the checks that judge admission, all passed but those given.
func chainOf(changed ...check.Result) []check.Result {
	var out []check.Result
	for _, id := range []string{"SD1002", "SD1003", "SD1004", "SD1005", "SD1007", "SD1008"} {
		r := check.Result{Check: check.Check{ID: id}}
		for _, c := range changed {
			if c.Check.ID == id {
				r = c
			}
		}
		out = append(out, r)
	}
	return out
}

func found(id string, f check.Reported) check.Result {
	f.Check = id
	return check.Result{Check: check.Check{ID: id}, Status: check.Failed, Findings: []check.Reported{f}}
}

func TestAdmissions(t *testing.T) {
	configuration := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration",
		Name: "spark-operator-webhook"}
	namespace := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "team-b"}
	for name, c := range map[string]struct {
		results []check.Result
		states  [2]check.AdmissionState
		links   [2]string
	}{
		"all looked and found nothing": {chainOf(), [2]check.AdmissionState{"healthy", "healthy"}, [2]string{}},
		"a certificate concerns every namespace": {
			chainOf(found("SD1003", check.Reported{Finding: check.Finding{About: check.Named(configuration), Severity: check.Error}})),
			[2]check.AdmissionState{"broken", "broken"}, [2]string{"certificate", "certificate"},
		},
		"a selector concerns one": {
			chainOf(found("SD1007", check.Reported{Finding: check.Finding{About: check.Named(namespace), Severity: check.Error}})),
			[2]check.AdmissionState{"healthy", "broken"}, [2]string{"", "selector"},
		},
		"a selector that leaves out a namespace which needs nothing yet": {
			chainOf(found("SD1007", check.Reported{Finding: check.Finding{About: check.Named(namespace), Severity: check.Warning}})),
			[2]check.AdmissionState{"healthy", "broken"}, [2]string{"", "selector"},
		},
		"endpoints that are missing": {
			chainOf(found("SD1002",
				check.Reported{Finding: check.Finding{About: check.Named(configuration), Severity: check.Error,
					Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.WebhookEndpoints}}}}})),
			[2]check.AdmissionState{"broken", "broken"}, [2]string{"endpoints", "endpoints"},
		},
		"a warning breaks nothing": {
			chainOf(found("SD1003", check.Reported{Finding: check.Finding{About: check.Named(configuration), Severity: check.Warning}})),
			[2]check.AdmissionState{"healthy", "healthy"}, [2]string{},
		},
		"what is likely broken is not called healthy": {
			chainOf(found("SD1005",
				check.Reported{Finding: check.Finding{About: check.Named(configuration), Severity: check.Error, Certainty: check.Likely}})),
			[2]check.AdmissionState{"unknown", "unknown"}, [2]string{},
		},
		"another project's configuration": {
			chainOf(found("SD1003",
				check.Reported{Finding: check.Finding{About: check.Named(snapshot.Ref{Kind: "MutatingWebhookConfiguration", Name: "other"}),
					Severity: check.Error}})),
			[2]check.AdmissionState{"healthy", "healthy"}, [2]string{},
		},
		"a check that could not look": {
			chainOf(check.Result{Check: check.Check{ID: "SD1004"}, Status: check.Skipped, Reason: "could not get secrets: forbidden"}),
			[2]check.AdmissionState{"unknown", "unknown"}, [2]string{},
		},
		"a check that left something unjudged": {
			chainOf(check.Result{Check: check.Check{ID: "SD1003"}, Reason: "Secret spark-operator/certs was not seen"}),
			[2]check.AdmissionState{"unknown", "unknown"}, [2]string{},
		},
		"broken though another check could not look": {
			chainOf(check.Result{Check: check.Check{ID: "SD1002"}, Status: check.Skipped},
				found("SD1003", check.Reported{Finding: check.Finding{About: check.Named(configuration), Severity: check.Error}})),
			[2]check.AdmissionState{"broken", "broken"}, [2]string{"certificate", "certificate"},
		},
		"nobody asked": {nil, [2]check.AdmissionState{"unknown", "unknown"}, [2]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := checks.Admissions(jobs("team-a", "team-b"), c.results)
			require.Len(t, got, 2)
			for i, a := range got {
				require.Equal(t, c.states[i], a.State, a.Reason)
				require.Equal(t, c.links[i], a.BrokenLink)
				require.Equal(t, a.State == check.AdmissionBroken, a.CausedBy != "")
				require.Equal(t, a.State == check.AdmissionUnknown, a.Reason != "")
			}
		})
	}
}

func TestAdmissionThatNobodyAsked(t *testing.T) {
	require.Equal(t, check.AdmissionNotAsked, checks.Admissions(jobs("team-a"), []check.Result{found("SD2001", check.Reported{})})[0].Reason)
	part := checks.Admissions(jobs("team-a"), chainOf()[:1])[0].Reason
	require.Contains(t, part, "it was not asked")
}

func TestAdmissionWithoutAnInstallation(t *testing.T) {
	got := checks.Admissions(jobs("elsewhere"), chainOf())
	require.Equal(t, check.AdmissionUnknown, got[0].State)
	require.Contains(t, got[0].Reason, "no installation was seen")
}
