package checks_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

const serviceName = "spark-operator-webhook-svc.spark-operator.svc"

// dayOf counts days from the one on which the tests take place.
func dayOf(n int) time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// issued is a certificate with its throwaway key.
type issued struct {
	cert *x509.Certificate
	key  crypto.Signer
}

var serials atomic.Int64

// issue makes a certificate, valid from one day to another, signed by itself or by a CA.
func issue(t *testing.T, by *issued, from, to int, change ...func(*x509.Certificate)) *issued {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	return issueFor(t, key, by, from, to, change...)
}

func issueFor(t *testing.T, key crypto.Signer, by *issued, from, to int, change ...func(*x509.Certificate)) *issued {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serials.Add(1)), Subject: pkix.Name{CommonName: serviceName}, NotBefore: dayOf(from), NotAfter: dayOf(to),
		IsCA: by == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if by != nil {
		template.DNSNames, template.KeyUsage = []string{"localhost", serviceName}, x509.KeyUsageDigitalSignature
	}
	for _, c := range change {
		c(template)
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return &issued{cert, key}
}

func ecKey(t *testing.T) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

func (i *issued) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.cert.Raw})
}

// private is the key in the operator's form, or in PKCS#8 if it is no RSA key.
func (i *issued) private(t *testing.T) []byte {
	t.Helper()
	if key, ok := i.key.(*rsa.PrivateKey); ok {
		return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	}
	return i.pkcs8(t)
}

func (i *issued) pkcs8(t *testing.T) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(i.key)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func ownData(t *testing.T, ca, leaf *issued) map[string][]byte {
	t.Helper()
	return map[string][]byte{"ca-cert.pem": ca.pem(), "ca-key.pem": ca.private(t), "server-cert.pem": leaf.pem(),
		"server-key.pem": leaf.private(t)}
}

func certManagerData(t *testing.T, ca, leaf *issued) map[string][]byte {
	t.Helper()
	return map[string][]byte{"ca.crt": ca.pem(), "tls.crt": leaf.pem(), "tls.key": leaf.private(t)}
}

// bed is an installation of 2.5.1 with one webhook replica; tests change what they are about.
type bed struct {
	image  string
	args   []string
	mount  string // the Secret that a volume names
	ready  int32
	bundle []byte
	data   map[string][]byte // nil: no Secret is seen
	start  []int             // the day on which each replica started
	served map[int][]*issued // by replica, with --probe
	extra  []admissionv1.MutatingWebhook

	unregistered bool                        // there is no configuration
	written      time.Time                   // when the caBundle was written, if an object records it
	logs         map[int][]snapshot.LogEntry // by replica, with --logs
	more         func(*snapshot.Builder)
}

func newBed(bundle []byte, data map[string][]byte) bed {
	return bed{
		image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1", bundle: bundle, data: data, ready: 1, start: []int{0},
		args: []string{"webhook", "start", "--webhook-secret-name=spark-operator-webhook-certs", "--webhook-svc-name=spark-operator-webhook-svc",
			"--webhook-svc-namespace=spark-operator"},
	}
}

func (b bed) with(change func(*bed)) bed {
	change(&b)
	return b
}

func withCertManager(b *bed) {
	b.args = append(b.args[:len(b.args):len(b.args)], "--enable-cert-manager=true")
}

func (b bed) snapshot(t *testing.T) *snapshot.Snapshot { return b.snapshotWith(t, nil) }

// snapshotWith is the same with less seen of some views.
func (b bed) snapshotWith(t *testing.T, seen map[snapshot.View]snapshot.Coverage) *snapshot.Snapshot {
	t.Helper()
	out := snapshot.NewBuilder(dayOf(0).Add(time.Hour))
	out.FromServer()
	add := func(src snapshot.Source, object any) {
		raw, err := json.Marshal(object)
		require.NoError(t, err)
		record, err := wire.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: raw})
		require.NoError(t, err)
		out.Add(src.View, record)
	}
	source := func(v snapshot.View) snapshot.Source { src, _ := snapshot.SourceOf(v); return src }
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), Namespace: "spark-operator",
			Labels: map[string]string{"app": "webhook"}, CreationTimestamp: metav1.NewTime(dayOf(-100))}
	}
	var volumes []corev1.Volume
	if b.mount != "" {
		volumes = []corev1.Volume{{Name: "webhook-certs",
			VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: b.mount}}}}
	}
	add(source(snapshot.Deployments), &appsv1.Deployment{
		ObjectMeta: meta("spark-operator-webhook"), Status: appsv1.DeploymentStatus{ReadyReplicas: b.ready},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "webhook"}},
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Volumes: volumes,
				Containers: []corev1.Container{{Name: "webhook", Image: b.image, Args: b.args}}}},
		},
	})
	path := "/mutate--v1-pod"
	if b.args[0] != "webhook" {
		path = "/webhook"
	}
	configuration := &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{UID: "configuration", Name: "spark-operator-webhook", CreationTimestamp: metav1.NewTime(dayOf(-100))},
		Webhooks: append([]admissionv1.MutatingWebhook{{Name: "mutate--v1-pod.sparkoperator.k8s.io",
			ClientConfig: admissionv1.WebhookClientConfig{
				CABundle: b.bundle, Service: &admissionv1.ServiceReference{Namespace: "spark-operator", Name: "spark-operator-webhook-svc",
					Path: &path},
			}}}, b.extra...),
	}
	if !b.written.IsZero() {
		fields := `{"f:webhooks":{"k:{\"name\":\"mutate--v1-pod.sparkoperator.k8s.io\"}":{"f:clientConfig":{"f:caBundle":{}}}}}`
		configuration.ManagedFields = []metav1.ManagedFieldsEntry{{
			Manager: "spark-operator", Operation: metav1.ManagedFieldsOperationUpdate, Time: new(metav1.NewTime(b.written)),
			FieldsV1: metav1.NewFieldsV1(fields),
		}}
	}
	if !b.unregistered {
		add(source(snapshot.MutatingWebhooks), configuration)
	}
	if b.data != nil {
		add(source(snapshot.WebhookSecrets), &corev1.Secret{ObjectMeta: meta("spark-operator-webhook-certs"), Data: b.data})
	}
	for i, started := range b.start {
		name := "webhook-" + string(rune('a'+i))
		add(source(snapshot.OperatorPods), &corev1.Pod{ObjectMeta: meta(name), Status: corev1.PodStatus{
			Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "webhook",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(dayOf(started))}}}},
		}})
		if entries, read := b.logs[i]; read {
			out.Add(snapshot.OperatorLogs, &snapshot.OperatorLog{Container: "webhook", Entries: entries, Object: snapshot.Object{
				Ref:    snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "spark-operator", Name: name},
				Labels: snapshot.LabelsOf(map[string]string{"app": "webhook"}),
			}})
		}
		chain, asked := b.served[i]
		if !asked {
			continue
		}
		answer := &snapshot.ServedCertificate{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod",
			Namespace: "spark-operator", Name: name}}, ServerName: serviceName}
		for _, c := range chain {
			answer.Chain.DER = append(answer.Chain.DER, c.cert.Raw)
		}
		out.Add(snapshot.ServedCertificates, answer)
	}
	if b.more != nil {
		b.more(out)
	}
	for _, v := range []snapshot.View{
		snapshot.Deployments, snapshot.MutatingWebhooks, snapshot.ValidatingWebhooks, snapshot.WebhookSecrets, snapshot.OperatorPods,
		snapshot.ServedCertificates,
		snapshot.OperatorLogs, snapshot.WebhookServices, snapshot.WebhookEndpoints, snapshot.SparkApplications, snapshot.SparkPods,
		snapshot.Owners, snapshot.Namespaces,
		snapshot.ScheduledSparkApplications, snapshot.SparkConnects,
	} {
		out.Cover(v, snapshot.Coverage{State: snapshot.Complete})
	}
	for v, cover := range seen {
		out.Cover(v, cover)
	}
	return out.Seal()
}

// run asks one check.
func (b bed) run(t *testing.T, id string) check.Result {
	t.Helper()
	return check.Run(b.snapshot(t), []check.Check{checkOf(t, id)}, check.DefaultParams())[0]
}

// verdicts are "severity certainty" of each finding.
func verdicts(r check.Result) []string {
	out := []string{}
	for _, f := range r.Findings {
		out = append(out, f.Severity.String()+" "+f.Certainty.String())
	}
	return out
}
