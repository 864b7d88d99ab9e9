package operator

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// LogLine is what one line of the operator's log tells.
type LogLine struct {
	Sign  snapshot.Sign
	About string // "namespace/name" of an application, or the name of a webhook
	Text  string // the line, or its part from the sign on if it is long
}

// logText is a text by which a line is known. The first group, if there is one, is what the line is about.
type logText struct {
	sign    snapshot.Sign
	hint    string // that every such line holds, to look no closer at others
	text    *regexp.Regexp
	ofApp   bool // the application stands elsewhere in the line
	without string
	source  string
}

// logTexts lists the texts. A line has the sign of the first that fits.
func logTexts() []logText {
	return []logText{
		// Handshakes end for many reasons: a client that goes away (EOF), a load balancer, somebody who tries curl. Go's
		// clients, as API servers are, say "bad certificate" whatever they dislike about one; OpenSSL's say "unknown
		// certificate authority" or "expired certificate" (crypto/tls/handshake_client.go@go1.24, verifyServerCertificate).
		{
			sign: snapshot.CertificateRefused, hint: "TLS handshake error",
			text:   regexp.MustCompile(`http: TLS handshake error from \S+ remote error: tls: bad certificate`),
			source: "net/http/server.go, crypto/tls/alert.go@go1.24",
		},
		{
			sign: snapshot.CallFailed, hint: "failed calling webhook",
			text:   regexp.MustCompile(`failed calling webhook [\\"]+([\w.-]+\.sparkoperator\.k8s\.io)[\\"]+`),
			source: "k8s.io/apiserver pkg/util/webhook/error.go@v0.36.3",
		},
		{
			sign: snapshot.StartFailed, hint: "ailed to ",
			text:   regexp.MustCompile(`(?:Failed to (?:sync webhook secret|save certificate|start manager|set up (?:health|ready) check|create (?:manager|client|controller|mutating webhook))|failed to get kube config)`),
			source: "cmd/operator/webhook/start.go@v2.2.1, @v2.5.2",
		},
		{sign: snapshot.StartFailed, hint: "main.go:", text: regexp.MustCompile(`^F\d{4} [\d:.]+ +\d+ main\.go:\d+\] `),
			source: "main.go@spark-operator-chart-1.4.6, glog.Fatal"},
		{sign: snapshot.StartFailed, hint: "error while serving", text: regexp.MustCompile(`error while serving the Spark admission webhook: `),
			source: "pkg/webhook/webhook.go@spark-operator-chart-1.4.6"},
		{
			sign: snapshot.BundleNotWritten, hint: "webhook configuration", without: "the object has been modified", // is tried again at once
			text:   regexp.MustCompile(`failed to (?:get|update) (?:mutating|validating) webhook configuration `),
			source: "internal/controller/{mutating,validating}webhookconfiguration/controller.go@v2.5.2",
		},
		{
			sign: snapshot.BundleNotWritten, hint: "error retrieving resource lock",
			text:   regexp.MustCompile(`error retrieving resource lock \S+ .*is forbidden`),
			source: "k8s.io/client-go tools/leaderelection/leaderelection.go@v0.32.5",
		},
		{
			sign: snapshot.RunNotStarted, hint: "Failed to start next run", ofApp: true,
			text:   regexp.MustCompile(`Failed to start next run for ScheduledSparkApplication`),
			source: "internal/controller/scheduledsparkapplication/controller.go@v2.0.0 to @v2.5.2",
		},
		{
			sign: snapshot.RunNotStarted, hint: "failed to create a SparkApplication instance",
			text:   regexp.MustCompile(`failed to create a SparkApplication instance for ScheduledSparkApplication ([\w.-]+/[\w.-]+): `),
			source: "pkg/controller/scheduledsparkapplication/controller.go@v1beta2-1.6.2-3.5.0",
		},
		{
			sign: snapshot.ConnectNotMade, hint: "failed to create or update ", ofApp: true, without: "the object has been modified",
			text:   regexp.MustCompile(`failed to create or update (?:server pod|server service|configmap): `),
			source: "internal/controller/sparkconnect/reconciler.go@v2.3.0 to @v2.5.2",
		},
		// The controller of 1.x says the same of its own work, without the first two words.
		{
			sign: snapshot.ApplicationNotFound, hint: "failed to get SparkApplication",
			text:   regexp.MustCompile(`internal error: failed to get SparkApplication ([\w.-]+/[\w.-]+): `),
			source: "pkg/webhook/webhook.go@spark-operator-chart-1.1.27 to 1.4.6 (#2448)",
		},
		{sign: snapshot.HandlerPanicked, hint: "http: panic serving", text: regexp.MustCompile(`http: panic serving `),
			source: "net/http/server.go@go1.24"},
		{
			sign: snapshot.RequestTooLarge, hint: "arge", ofApp: true,
			text:   regexp.MustCompile(`etcdserver: request is too large|Request entity too large|trying to send message larger than max`),
			source: "go.etcd.io/etcd/api/v3 v3rpc/rpctypes/error.go@v3.6.8, k8s.io/apimachinery pkg/api/errors/errors.go@v0.36.3",
		},
	}
}

var (
	color = regexp.MustCompile("\x1b\\[[0-9;]*m") // 2.2.1 writes levels in colour
	// An application as 2.x logs it, `{"namespace": "ns", "name": "app"}` in this order or the other, and as 1.x does.
	appNamespace = regexp.MustCompile(`"namespace": ?"([\w.-]+)"`)
	appName      = regexp.MustCompile(`"name": ?"([\w.-]+)"`)
	appOfLegacy  = regexp.MustCompile(`SparkApplication ([\w.-]+/[\w.-]+):`)
)

// longLine is how long a line may be to be quoted from its start.
const longLine = 300

// LogReader knows the texts; making one is dear, so it is made once for a log.
type LogReader struct{ texts []logText }

// NewLogReader returns a reader of the logs of any release.
func NewLogReader() LogReader { return LogReader{logTexts()} }

// Read says what a line tells, if anything.
func (r LogReader) Read(line string) (LogLine, bool) {
	for _, t := range r.texts {
		if !strings.Contains(line, t.hint) || t.without != "" && strings.Contains(line, t.without) {
			continue
		}
		line := color.ReplaceAllString(line, "")
		at := t.text.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		out := LogLine{Sign: t.sign, Text: line}
		if len(line) > longLine {
			out.Text = plain(line[at[0]:])
		}
		switch {
		case t.ofApp:
			out.About = applicationIn(line)
		case len(at) > 2:
			out.About = line[at[2]:at[3]]
		}
		return out, true
	}
	return LogLine{}, false
}

// plain is the first line of a text that may be within a string of JSON, without the marks of that.
func plain(text string) string {
	text, _, _ = strings.Cut(text, `\n`)
	return strings.NewReplacer(`\\\"`, `"`, `\"`, `"`).Replace(text)
}

func applicationIn(line string) string {
	if m := appOfLegacy.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	namespace, name := appNamespace.FindStringSubmatch(line), appName.FindStringSubmatch(line)
	if namespace == nil || name == nil {
		return ""
	}
	return namespace[1] + "/" + name[1]
}
