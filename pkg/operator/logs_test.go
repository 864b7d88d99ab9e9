package operator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestLogLines holds lines as the releases wrote them on a control plane (2.x) or as their source says them (1.x).
func TestLogLines(t *testing.T) {
	for name, c := range map[string]struct {
		line  string
		sign  snapshot.Sign
		about string
	}{
		"2.3.0, a certificate of another CA": {"2026/11/21 16:26:46 http: TLS handshake error from 127.0.0.1:49850: remote error: tls: bad " +
			"certificate", snapshot.CertificateRefused, ""},
		"from IPv6": {"2026/11/21 16:26:46 http: TLS handshake error from [fd00::1]:49850: remote error: tls: bad " +
			"certificate", snapshot.CertificateRefused, ""},
		"somebody who tried curl": {"2026/11/21 16:26:46 http: TLS handshake error from 10.0.0.1:49850: remote error: tls: unknown " +
			"certificate authority", "", ""},
		"a client that went away": {"2026/11/21 16:26:46 http: TLS handshake error from 10.0.0.1:49850: EOF", "", ""},
		"a client without TLS": {"2026/11/21 16:26:46 http: TLS handshake error from 10.0.0.1:49850: client sent an HTTP " +
			"request to an HTTPS server", "", ""},
		"a client of another protocol": {"2026/11/21 16:26:46 http: TLS handshake error from 10.0.0.1:49850: remote error: tls: " +
			"protocol version not supported", "", ""},

		"the API server's words, in a string of JSON": {
			`2026-11-21T16:30:25.000Z	INFO	sparkapplication/controller.go:915	Failed to submit SparkApplication	{"state": "SUBMISSION_FAILED", "error": "failed to run spark-submit: Internal error occurred: failed calling webhook \"mutate--v1-pod.sparkoperator.k8s.io\": failed to call webhook: Post \"https://spark-operator-webhook-svc.spark-operator.svc:9443/mutate--v1-pod?timeout=10s\": no endpoints available for service \"spark-operator-webhook-svc\""}`,
			snapshot.CallFailed, "mutate--v1-pod.sparkoperator.k8s.io",
		},
		"of another project's webhook": {`Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: EOF`, "", ""},

		"2.2.1, a Secret that does not parse, in colour": {
			"2026-11-21T16:30:25.000Z\t\x1b[31mERROR\x1b[0m\twebhook/start.go:263\tFailed to sync webhook secret\t{\"error\": \"failed to parse " +
				"CA private key: asn1\"}", snapshot.StartFailed, "",
		},
		"2.5.2, as JSON":                {`{"level":"ERROR","ts":"2026-11-21T16:30:25.000Z","caller":"webhook/start.go:347","msg":"Failed to start manager","error":"x"}`, snapshot.StartFailed, ""},
		"1.4.6, at start":               {"F1121 16:30:25.000000       1 main.go:241] failed to get webhook secret: x", snapshot.StartFailed, ""},
		"1.4.6, an ordinary error":      {"E1121 16:30:25.000000       1 main.go:241] x", "", ""},
		"2.x, of the controller's work": {`2026-11-21T16:30:25.000Z	ERROR	sparkapplication/controller.go:474	Failed to reconcile SparkApplication	{"namespace": "life", "name": "often-1", "error": "not found"}`, "", ""},

		"2.4.0, may not write": {
			`2026-11-21T16:30:25.000Z	ERROR	controller/controller.go:347	Reconciler error	{"controller": "mutating-webhook-configuration-controller", "namespace": "", "name": "spark-operator-webhook", "error": "failed to update mutating webhook configuration /spark-operator-webhook: mutatingwebhookconfigurations.admissionregistration.k8s.io \"spark-operator-webhook\" is forbidden"}`,
			snapshot.BundleNotWritten, "",
		},
		"2.4.0, writes again at once": {
			`2026-11-21T16:30:25.000Z	ERROR	controller/controller.go:347	Reconciler error	{"error": "failed to update mutating webhook configuration /spark-operator-webhook: Operation cannot be fulfilled on mutatingwebhookconfigurations.admissionregistration.k8s.io \"spark-operator-webhook\": the object has been modified; please apply your changes to the latest version and try again"}`, "", "",
		},
		"may not lead":                 {`E1121 16:30:25.000000       1 leaderelection.go:346] error retrieving resource lock spark-operator/spark-operator-webhook-lock: leases.coordination.k8s.io "spark-operator-webhook-lock" is forbidden: User "x" cannot get`, snapshot.BundleNotWritten, ""},
		"an API server that restarted": {`E1121 16:30:25.000000       1 leaderelection.go:346] error retrieving resource lock spark-operator/spark-operator-webhook-lock: Get "https://10.96.0.1:443": connection refused`, "", ""},

		"1.4.6, an application it does not know": {`E1121 16:30:25.000000       1 webhook.go:386] internal error: failed to get SparkApplication team-a/etl: sparkapplication.sparkoperator.k8s.io "etl" not found`, snapshot.ApplicationNotFound, "team-a/etl"},
		"1.4.6, of the controller's work":        {`E1121 16:30:25.000000       1 controller.go:828] failed to get SparkApplication team-a/etl: timeout`, "", ""},
		"a handler that panicked": {"2026/11/21 16:26:46 http: panic serving 10.0.0.1:49850: runtime error: index out of range",
			snapshot.HandlerPanicked, ""},

		"2.4.0, too large":   {`2026-11-21T16:30:25.000Z	ERROR	sparkapplication/controller.go:474	Failed to reconcile SparkApplication	{"controller": "spark-application-controller", "namespace": "streaming", "name": "click", "error": "etcdserver: request is too large"}`, snapshot.RequestTooLarge, "streaming/click"},
		"2.5.2, too large":   {`2026-11-21T16:30:25.000Z	ERROR	sparkapplication/controller.go:474	Failed to reconcile SparkApplication	{"SparkApplication": {"name":"click","namespace":"streaming"}, "error": "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2400000 vs. 2097152)"}`, snapshot.RequestTooLarge, "streaming/click"},
		"1.4.6, too large":   {`E1121 16:30:25.000000       1 controller.go:632] failed to update SparkApplication streaming/click: etcdserver: request is too large`, snapshot.RequestTooLarge, "streaming/click"},
		"too large, of what": {`Request entity too large: limit is 3145728`, snapshot.RequestTooLarge, ""},
		"2.5.2, a run that is refused": {
			`2026-11-21T16:30:25.000Z	ERROR	scheduledsparkapplication/controller.go:199	Failed to start next run for ScheduledSparkApplication	{"name": "nightly", "namespace": "team-a", "error": "sparkapplications.sparkoperator.k8s.io \"nightly-1\" is forbidden: exceeded quota: few"}`,
			snapshot.RunNotStarted, "team-a/nightly",
		},
		"1.4.6, a run that is refused": {`E1121 16:30:25.000000       1 controller.go:294] failed to create a SparkApplication instance for ScheduledSparkApplication team-a/nightly: exceeded quota`, snapshot.RunNotStarted, "team-a/nightly"},
		"2.5.2, a server that is refused": {
			`2026-11-21T16:30:25.000Z	ERROR	controller/controller.go:474	Reconciler error	{"controller": "sparkconnect", "controllerGroup": "sparkoperator.k8s.io", "controllerKind": "SparkConnect", "SparkConnect": {"name":"hub","namespace":"team-a"}, "namespace": "team-a", "name": "hub", "reconcileID": "x", "error": "failed to create or update server pod: pods \"hub-server\" is forbidden: exceeded quota: team"}`,
			snapshot.ConnectNotMade, "team-a/hub",
		},
		"2.5.2, a server that somebody else wrote": {`2026-11-21T16:30:25.000Z	ERROR	Reconciler error	{"namespace": "team-a", "name": "hub", "error": "failed to create or update server pod: Operation cannot be fulfilled on pods \"hub-server\": the object has been modified"}`, "", ""},
		"an ordinary line":                         {`2026-11-21T16:30:25.000Z	INFO	webhook/sparkpod_defaulter.go:95	Mutating Pod	{"phase": ""}`, "", ""},
		"nothing":                                  {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, tells := operator.NewLogReader().Read(c.line)
			require.Equal(t, c.sign != "", tells)
			require.Equal(t, c.sign, got.Sign)
			require.Equal(t, c.about, got.About)
			require.NotContains(t, got.Text, "\x1b")
		})
	}
}

// TestLongLinesAreQuotedFromTheSign holds that what spark-submit printed before does not hide it.
func TestLongLinesAreQuotedFromTheSign(t *testing.T) {
	sign := `failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": failed to call webhook: EOF`
	got, tells := operator.NewLogReader().Read(strings.Repeat("a stack trace ", 100) + sign)
	require.True(t, tells)
	require.Equal(t, sign, got.Text)
	got, _ = operator.NewLogReader().Read(`{"level":"INFO","error":"` + strings.Repeat("a stack trace ", 100) +
		strings.ReplaceAll(sign, `"`, `\"`) + `\nat Main.main\n"}`)
	require.Equal(t, sign, got.Text, "as the API server said it")
}

func TestLogSources(t *testing.T) {
	pod := func(name string, labels snapshot.Labels) snapshot.OperatorPod {
		return snapshot.OperatorPod{Object: snapshot.Object{Ref: snapshot.Ref{Kind: "Pod", Namespace: "spark-operator", Name: name},
			Labels: labels}}
	}
	label := func(value string) snapshot.Labels { return snapshot.LabelsOf(map[string]string{"app": value}) }
	pods := []snapshot.OperatorPod{pod("controller-1", label("controller")), pod("webhook-1", label("webhook")),
		pod("webhook-2", label("webhook")), pod("other", label("other"))}
	deployment := func(name string, args ...string) snapshot.Deployment {
		return snapshot.Deployment{
			Object:   snapshot.Object{Ref: snapshot.Ref{Kind: "Deployment", Namespace: "spark-operator", Name: name}},
			Selector: map[string]string{"app": name},
			Containers: []snapshot.Container{{Name: "istio-proxy", Image: "istio/proxyv2:1"},
				{Name: "spark-operator", Image: "kubeflow/spark-operator:2.1.0", Args: args}},
		}
	}
	for name, c := range map[string]struct {
		deployments []snapshot.Deployment
		want        []string
	}{
		"2.x": {[]snapshot.Deployment{deployment("controller", "controller", "start"), deployment("webhook", "webhook", "start")},
			[]string{"webhook-1", "webhook-2", "controller-1"}},
		"1.x":      {[]snapshot.Deployment{deployment("webhook", "-enable-webhook=true")}, []string{"webhook-1", "webhook-2"}},
		"1.x, off": {[]snapshot.Deployment{deployment("controller", "-enable-webhook=false")}, []string{"controller-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, in := range operator.Find(c.deployments) {
				for _, s := range in.LogSources(pods) {
					require.Equal(t, "spark-operator", s.Container, "not that of a mesh")
					got = append(got, s.Pod.Name)
				}
			}
			require.ElementsMatch(t, c.want, got)
		})
	}
}
