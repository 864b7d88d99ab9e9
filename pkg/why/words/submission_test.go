package words_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

func inJobs(name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "jobs", Name: name}
}

// submissionDetails are those about a submission and the operator, filled in.
func submissionDetails() []cause.Detail {
	refusal := mechanism.Refusal{Kind: mechanism.QuotaExceeded, Class: cause.Quota, Name: "team", Said: "requested: pods=1"}
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	return []cause.Detail{
		mechanism.SubmissionRefused{Refusal: refusal}, mechanism.SubmissionFailed{Said: "failed to run spark-submit: no"},
		mechanism.SparkSubmitKilled{Limit: "512Mi"}, mechanism.SpecHalfRead{},
		mechanism.DriverNameTaken{Name: "etl-driver", Submitted: at, Holder: &mechanism.PodHolder{Pod: inJobs("etl-driver"), Application: "etl",
			Own: true, Submission: "1", Phase: corev1.PodRunning, Created: at}},
		mechanism.StatusUnwritten{Age: time.Hour, Operator: inJobs("operator")}, mechanism.OperatorRefuses{Said: "no", Forbidden: true},
		mechanism.OperatorCrashes{Container: "c", Last: &mechanism.LastExit{Code: 1, Reason: "Error"}},
		mechanism.Undecodable{Path: "spec.arguments", What: "is a string"},
		mechanism.OthersUndecodable{Others: []app.Broken{{Object: inJobs("other"), Text: "spec.arguments is a string"}}},
		mechanism.ListUndecodable{Said: "failed to list", Near: inJobs("other")},
		mechanism.NamespaceUnwatched{Operators: []*operator.Installation{{}, {}}, Age: time.Hour},
	}
}

// serverDetails are those about a server of Spark Connect, filled in.
func serverDetails() []cause.Detail {
	lost := mechanism.Removal{Server: true, Node: "n1", Reason: "OutOfcpu", Says: "no room"}
	log := mechanism.ServerLog{Container: "spark-kubernetes-driver", Previous: true}
	return []cause.Detail{
		mechanism.ServerOOMKilled{Container: "c", Limit: resource.MustParse("2Gi"), Heap: "2g", HeapField: "spec.server.memory"},
		mechanism.Eviction{Server: true, Node: "n1", Container: "c", Says: "low on memory"},
		mechanism.Preemption{Server: true, Says: "for another"}, mechanism.Drain{Removal: lost}, mechanism.LostNode{Removal: lost},
		mechanism.PastDeadline{Removal: lost}, mechanism.Rejection{Removal: lost}, mechanism.ServerEndUntold{ServerLog: log},
		mechanism.ExitCode{Server: true, Log: log, Code: 1, Reason: "Error", Says: "no"},
		mechanism.ServerEntrypointMissing{ServerLog: log, Code: 127, Image: "i", Field: "spec.image"},
		mechanism.ServerClassMissing{ServerLog: log, Image: "i", SparkVersion: "3.5.5", Apart: true},
		mechanism.LivenessProbe{Server: true, Startup: true, Code: 137, Says: "Startup probe failed", Port: "15002"},
		mechanism.ServerUnready{Up: time.Hour, Said: "refused", Failing: true, Listens: true, Port: "15002"},
		mechanism.SidecarDown{Container: "c"},
		mechanism.ServerServes{Running: 1, Asked: 2, Up: time.Hour, Pod: inJobs("hub-server"), Container: "c", Port: "15002"},
		mechanism.ServiceMissing{Connect: inJobs("hub")}, mechanism.ServicePortWrong{Port: "1"},
		mechanism.ServiceSelectsOthers{Labels: []mechanism.UnmatchedLabel{{Key: "k", Wants: "a", Has: "b"}}},
		mechanism.StatusBehind{State: "NotReady", Pod: "hub-server", Since: time.Hour},
		mechanism.ServerNotSeen{State: "Ready", Pod: "hub-server"},
		mechanism.ServerUncreated{Pod: "hub-server", ConfigMap: "hub-conf", Age: time.Hour, Operator: inJobs("operator")},
		mechanism.OperatorCannotCreate{What: "server pod", Server: true, Said: "no", Refusal: &mechanism.Refusal{Kind: mechanism.Forbidden,
			Said: "no"}},
		mechanism.ServiceUnnamable{Name: "1st", Rules: "must start with a letter"}, mechanism.ServerImageUnset{},
		mechanism.ServerAccountMissing{Account: "spark"}, mechanism.ServerQuotaLacks{Resource: "limits.cpu", Unset: "resources.limits.cpu"},
	}
}

func noteDetails() []cause.Detail {
	return []cause.Detail{
		spec.Throttled{Role: "executor", Cores: "4", Limit: "1", Field: "executor.coreLimit"}, spec.SharedByPython{},
		spec.OtherSpark{Says: "3.5.5", Holds: "3.3", Image: "spark:3.3.1"},
		spec.OtherArchitecture{Node: "n1", Architecture: "arm64", Role: "driver"},
		spec.OnSpot{Node: "n1", Label: "a=b", Role: "executor"}, spec.NotRetried{Policy: "OnFailure", Retries: 3, Bounded: true},
		spec.Expires{Application: inJobs("etl"), At: time.Unix(0, 0), In: time.Minute},
		spec.Unmutated{Application: inJobs("etl"), Variables: []string{"A", "B"}}, spec.ReadOnlyRoot{Role: "driver", NoTmp: true},
		spec.NoEffect{Setting: "spark.cores.max", Because: spec.StandaloneOnly}, spec.UnreadDefaults{ConfigMap: "conf"},
		spec.StartOnly{Instances: 4},
	}
}

// TestWordsOfSubmissionsAndServers: whatever is known of a cause, there is a sentence and advice without holes.
func TestWordsOfSubmissionsAndServers(t *testing.T) {
	for _, filled := range append(submissionDetails(), serverDetails()...) {
		zero, _ := reflect.Zero(reflect.TypeOf(filled)).Interface().(cause.Detail)
		for _, d := range []cause.Detail{zero, filled, mechanism.ServerDown{How: filled, Downtime: mechanism.Downtime{Restarts: 1, Again: true,
			Over: corev1.PodFailed}}} {
			for _, kind := range []string{"SparkApplication", "SparkConnect", "Pod"} {
				of := snapshot.Ref{APIVersion: "v1", Kind: kind, Namespace: "jobs", Name: "etl"}
				whole(t, words.Terms{}.Of(&cause.Cause{Detail: d, Subject: of}), d)
			}
		}
	}
	for _, filled := range noteDetails() {
		zero, _ := reflect.Zero(reflect.TypeOf(filled)).Interface().(cause.Detail)
		whole(t, words.Terms{}.OfNote(&spec.Note{Detail: zero}), zero)
		whole(t, words.Terms{}.OfNote(&spec.Note{Detail: filled}), filled)
	}
}

func whole(t *testing.T, p words.Phrase, d cause.Detail) {
	t.Helper()
	require.NotEmpty(t, d.Mechanism())
	text := p.Says
	for _, n := range p.Do {
		text += "; " + n.Text + "; " + n.Line
	}
	require.NotEmpty(t, p.Says, "%T", d)
	for _, hole := range []string{"\n", "%!", "<nil>", "${"} {
		require.NotContains(t, text, hole, "%T", d)
	}
}

// refusals are texts of each kind.
func refusals() map[mechanism.RefusalKind]string {
	return map[mechanism.RefusalKind]string{
		mechanism.PodSecurityRefuses:   `pods "d" is forbidden: violates PodSecurity "NAME:latest": VERBATIM`,
		mechanism.QuotaExceeded:        `pods "d" is forbidden: exceeded quota: NAME, requested: pods=VERBATIM, used: pods=1, limited: pods=1`,
		mechanism.QuotaExceededUntold:  `pods "d" is forbidden: exceeded quota: NAME`,
		mechanism.QuotaCountsUnset:     `pods "d" is forbidden: failed quota: NAME: must specify VERBATIM`,
		mechanism.WebhookDenies:        `admission webhook "NAME" denied the request: VERBATIM`,
		mechanism.WebhookUncalled:      `failed calling webhook "NAME": VERBATIM`,
		mechanism.AccountMissing:       `error looking up service account NAME: VERBATIM`,
		mechanism.PriorityClassMissing: `pods "d" is forbidden: no PriorityClass with name NAME was found`,
		mechanism.NotPermitted:         `User "NAME" cannot create resource "VERBATIM" in API group "" in the namespace "jobs"`,
		mechanism.LimitRangeRefuses:    `pods "d" is forbidden: maximum VERBATIM usage per Container is NAME`,
		mechanism.Forbidden:            `pods "d" is forbidden: NAME VERBATIM`,
		mechanism.Invalid:              `Pod "NAME" is invalid: VERBATIM`,
		mechanism.LeftOver:             `configmaps "NAME" already exists`,
		mechanism.HostUnresolved:       `java.net.UnknownHostException: NAME`,
		mechanism.PackageUnresolved:    `unresolved dependency: NAME`,
		mechanism.SubmitLacksClass:     `java.lang.ClassNotFoundException: Class NAME`,

		mechanism.CredentialsUnaccepted: `Unauthorized NAME`,
		mechanism.APIServerUnreachable:  `Connection refused: NAME`,
	}
}

// TestRefusals: what each kind of refusal names stands in its sentence, and only a driver's web UI is said to be refused in its place.
func TestRefusals(t *testing.T) {
	for kind, text := range refusals() {
		r, known := mechanism.NewMessages().Refused(text + ". Received status: Status(twice)")
		require.True(t, known, text)
		require.Equal(t, kind, r.Kind, text)
		p := words.Terms{}.Refused(&r, words.TheServer())
		whole(t, p, mechanism.SubmissionRefused{Refusal: r})
		require.Contains(t, p.Says, "NAME", text)
		require.NotContains(t, p.Says, "twice", text)
		require.NotContains(t, fmt.Sprint(p), "the driver:", text)
		if strings.Contains(text, "VERBATIM") {
			require.Contains(t, p.Says, "VERBATIM", text)
		}
		other, _ := mechanism.NewMessages().Refused(text + " and other words of the same")
		require.Equal(t, other.Kind, r.Kind, text)
	}
	full, _ := mechanism.NewMessages().Refused("Message: etcdserver: mvcc: database space exceeded. Received status: Status(code=500)")
	require.Equal(t, mechanism.EtcdFull, full.Kind)
	require.Contains(t, words.Terms{}.Refused(&full, words.TheDriver()).Says, "etcdserver: mvcc: database space exceeded")
	r, _ := mechanism.NewMessages().Refused(`failed to configure web UI: ingresses "ui" is forbidden: no`)
	require.Contains(t, words.Terms{}.Refused(&r, words.TheDriver()).Says, "refused the Service or Ingress of the web UI (forbidden): no")
}
