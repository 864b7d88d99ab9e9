package app

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// WebhookSkip is a webhook for pods of applications whose namespaceSelector leaves a namespace out.
type WebhookSkip struct {
	Config   snapshot.Ref
	Webhook  string
	Selector string // as text: "spark-webhook=enabled"
	// Label is what the namespace lacks, KEY=VALUE, where one label is all that is asked for; empty: it is not.
	Label string
	// Named are the namespaces that the selector lists by name, as the chart does for spark.jobNamespaces
	// (charts/spark-operator-chart/templates/webhook/mutatingwebhookconfiguration.yaml@v2.5.2); empty: it does not.
	Named []string
}

// Handshakes are connections to the operator's webhook that its clients ended because they do not trust its certificate.
type Handshakes struct {
	Said // the last of them

	First time.Time
}

// webhookSkips says which webhook leaves out a namespace: none of those for pods that Spark makes sees it. nil: one does, or whether it
// does depends on labels that were not seen.
func webhookSkips(s *snapshot.Snapshot, namespace string) *WebhookSkip {
	var seen *snapshot.Object
	for _, ns := range s.AllNamespaces() {
		if ns.Name == namespace {
			seen = &ns
		}
	}
	var out *WebhookSkip
	for _, c := range s.MutatingWebhooks() {
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			if !w.Intercepts("CREATE", anyPod()) || !calledForPods(w) {
				continue
			}
			if yes, known := w.Selects(namespace, seen); yes || !known {
				return nil
			}
			out = skipped(c.Ref, w)
		}
	}
	return out
}

func anyPod() *snapshot.Object {
	return &snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod"}}
}

// calledForPods tells the operator's webhook for pods by its name, or by the label of pods that it asks for
// (charts/spark-operator-chart/templates/webhook/mutatingwebhookconfiguration.yaml@v2.5.2).
func calledForPods(w *snapshot.Webhook) bool {
	if strings.HasSuffix(w.Name, ".sparkoperator.k8s.io") {
		return true
	}
	return w.ObjectSelector != nil && w.ObjectSelector.MatchLabels["sparkoperator.k8s.io/launched-by-spark-operator"] == "true"
}

func skipped(config snapshot.Ref, w *snapshot.Webhook) *WebhookSkip {
	out := &WebhookSkip{Config: config, Webhook: w.Name, Selector: metav1.FormatLabelSelector(w.NamespaceSelector)}
	of := w.NamespaceSelector
	for _, r := range of.MatchExpressions {
		if r.Key == "kubernetes.io/metadata.name" && r.Operator == metav1.LabelSelectorOpIn && len(of.MatchExpressions) == 1 &&
			len(of.MatchLabels) == 0 {
			out.Named = r.Values
		}
	}
	if len(of.MatchExpressions) == 0 && len(of.MatchLabels) == 1 && of.MatchLabels["kubernetes.io/metadata.name"] == "" {
		for key, value := range of.MatchLabels {
			out.Label = key + "=" + value
		}
	}
	return out
}

// handshakesRefused are lines of the operator's logs by which a client, which the API server is, trusts its certificate not.
func handshakesRefused(s *snapshot.Snapshot) []Handshakes {
	var out []Handshakes
	for _, l := range s.OperatorLogs() {
		for _, entry := range l.Entries {
			if entry.Sign == snapshot.CertificateRefused {
				out = append(out, Handshakes{Said: Said{Pod: l.Ref, Container: l.Container, Text: entry.Text, At: entry.Last}, First: entry.First})
			}
		}
	}
	slices.SortFunc(out, func(a, b Handshakes) int { return a.At.Compare(b.At) })
	return out
}

// refusedIn are the same lines of one log. Of very many, those of the last calls.
func refusedIn(l *Log) []Handshakes {
	var out []Handshakes
	for line := range strings.Lines(l.Tail) {
		if !strings.Contains(line, "TLS handshake error") || !strings.Contains(line, "remote error: tls: bad certificate") {
			continue
		}
		if at := nginxTime(line); !at.IsZero() { // log of Go writes its times as nginx does, in the zone of the container
			out = append(out, Handshakes{First: at, Said: Said{Container: l.Container, Text: strings.TrimSpace(line), At: at,
				Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}}})
		}
	}
	return out[max(0, len(out)-maxHandshakes):]
}

// maxHandshakes bounds them: the API server tries each creation of a pod.
const maxHandshakes = 1000
