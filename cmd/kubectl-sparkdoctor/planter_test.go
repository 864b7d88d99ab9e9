package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// planter makes secrets and remembers where each was put. Servers plant some while they answer.
type planter struct {
	mu    sync.Mutex
	where map[string]string
	forms int // how many texts were made
}

func (p *planter) secret(where string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := fmt.Sprintf("pl4nted-%03d-hunter2", len(p.where))
	p.where[s] = where
	return s
}

// text makes a text with a secret, in another form than the last: TestNoFieldKeepsASecret plants every form in every field.
func (p *planter) text(where string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	secret := fmt.Sprintf("pl4nted%03dHunter2", len(p.where))
	forms := redacttest.Forms(secret)
	form := forms[p.forms%len(forms)]
	p.forms++
	p.where[form.Secret] = where + ", as " + strings.ReplaceAll(form.Text, form.Secret, "V")
	return "said " + form.Text + " then"
}

// found holds that none of the secrets is in a text.
func (p *planter) found(t *testing.T, what, text string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for s, where := range p.where {
		if i := strings.Index(text, s); i >= 0 {
			t.Errorf("%s shows the secret from %s: …%.200s…", what, where, text[max(0, i-100):])
		}
	}
}

// plant puts secrets into every place of an object where people put them, or programs do.
func (p *planter) plant(t *testing.T, u *unstructured.Unstructured) {
	t.Helper()
	o, kind := u.Object, u.GetKind()
	at := func(where string) string { return p.secret(kind + " " + u.GetName() + " " + where) }
	said := func(where string) string { return p.text(kind + " " + u.GetName() + " " + where) }
	annotations := u.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	// large enough to be removed
	annotations["kubectl.kubernetes.io/last-applied-configuration"] = `{"spec":{"password":"` + at("last-applied") + `"},"pad":"` +
		strings.Repeat("x", 8000) + `"}`
	annotations["example.com/note"] = at("annotation")
	u.SetAnnotations(annotations)
	container := func(c map[string]any) {
		env, _ := c["env"].([]any)
		c["env"] = append(env, map[string]any{"name": "DB_PASSWORD", "value": at("env")},
			map[string]any{"name": "HOME", "value": at("harmless env")})
		args, _ := c["args"].([]any)
		c["args"] = append(args, "--db-password="+at("args"), "--token", at("args after a flag"), "jdbc:x://me:"+at("URL in args")+"@db/x")
	}
	switch kind {
	case "Pod":
		each(o, container, "spec", "containers")
		set(t, o, said("status.message"), "status", "message")
		set(t, o, []any{map[string]any{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
			"message": "0/1 nodes: " + said("message of the scheduler")}}, "status", "conditions")
		each(o, func(c map[string]any) {
			c["state"] = map[string]any{"terminated": map[string]any{"exitCode": int64(1), "message": said("terminated.message")}}
		}, "status", "containerStatuses")
	case "Deployment":
		each(o, container, "spec", "template", "spec", "containers")
	case "SparkApplication":
		p.plantSpec(t, o, at, "spec")
		set(t, o, said("errorMessage")+"\n"+said("errorMessage")+"\nMessage: pods \"x\" is forbidden: exceeded quota: "+
			said("refusal in errorMessage")+" Received status: x", "status", "applicationState", "errorMessage")
	case "ScheduledSparkApplication":
		p.plantSpec(t, o, at, "spec", "template")
		set(t, o, "FailedValidation", "status", "scheduleState")
		set(t, o, "invalid schedule: "+said("status.reason"), "status", "reason")
	case "Event":
		message, _, _ := unstructured.NestedString(o, "message")
		set(t, o, message+" "+said("message"), "message")
	case "ConfigMap":
		set(t, o, map[string]any{"spark.properties": "spark.hadoop.fs.s3a.secret.key=" + at("data")}, "data")
	case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
		hooks, _, _ := unstructured.NestedSlice(o, "webhooks")
		set(t, o, append(hooks, map[string]any{"name": "other.example.com",
			"clientConfig": map[string]any{"url": "https://me:" + at("url") + "@example.com/"}, "sideEffects": "None",
			"admissionReviewVersions": []any{"v1"}}), "webhooks")
	case "Workflow", "WorkflowTemplate":
		set(t, o, []any{map[string]any{"name": "password", "value": at("arguments")}}, "spec", "arguments", "parameters")
		each(o, func(template map[string]any) {
			if resource, ok := template["resource"].(map[string]any); ok {
				text, _ := resource["manifest"].(string)
				resource["manifest"] = text + "\n# password: " + at("manifest") + "\n"
			}
		}, "spec", "templates")
	}
}

func (p *planter) plantSpec(t *testing.T, o map[string]any, at func(string) string, path ...string) {
	t.Helper()
	put := func(value any, more ...string) { set(t, o, value, append(append([]string{}, path...), more...)...) }
	put("s3a://me:"+at("mainApplicationFile")+"@bucket/app.jar", "mainApplicationFile")
	put("https://me:"+at("image")+"@registry.example.com/spark:4", "image")
	put([]any{"--password", at("arguments"), "token=" + at("arguments")}, "arguments")
	put([]any{"https://me:" + at("deps") + "@repo/x.jar"}, "deps", "jars")
	put(map[string]any{"fs.s3a.secret.key": at("hadoopConf")}, "hadoopConf")
	put(at("sparkConf"), "sparkConf", "spark.hadoop.fs.s3a.secret.key")
	put(at("sparkConf env"), "sparkConf", "spark.executorEnv.DB_PASSWORD")
	put(at("sparkConf that is on pods"), "sparkConf", "spark.kubernetes.driver.annotation.token")
	for _, role := range []string{"driver", "executor"} {
		put([]any{map[string]any{"name": "DB_PASSWORD", "value": at(role + ".env")}}, role, "env")
		put(map[string]any{"DB_PASSWORD": at(role + ".envVars")}, role, "envVars")
		put("-Dpassword="+at(role+".javaOptions"), role, "javaOptions")
		put(map[string]any{"note": at(role + ".annotations")}, role, "annotations")
	}
}

// certificates is the Secret of the webhook, with a key that belongs to the certificate.
func (p *planter) certificates(t *testing.T, now time.Time) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "spark-operator"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for i, line := range strings.Split(string(private), "\n") {
		if len(line) == 64 && i > 7 { // the modulus, which comes first, is in the certificate
			p.where[line] = fmt.Sprint("line ", i, " of the private key")
		}
	}
	b64 := func(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
	p.where[b64(private)[:100]] = "the private key as it is stored"
	other := p.secret("another key of the Secret")
	p.where[b64([]byte(other))] = "another key of the Secret as it is stored"
	return fmt.Sprintf("{apiVersion: v1, kind: Secret, metadata: {name: spark-operator-webhook-certs, namespace: spark-operator, uid: s}, "+
		"data: {ca-key.pem: %s, ca-cert.pem: %s, server-key.pem: %s, server-cert.pem: %s, password: %s}}",
		b64(private), b64(certificate), b64(private), b64(certificate), b64([]byte(other)))
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// plantedCluster is the example with secrets everywhere.
func plantedCluster(t *testing.T) (*apiServer, *planter) {
	t.Helper()
	s, p := exampleCluster(t), &planter{where: map[string]string{}}
	s.add(t, p.certificates(t, s.now))
	s.objects = slices.DeleteFunc(s.objects, func(o *unstructured.Unstructured) bool { // so that logs are quoted
		return o.GetLabels()["kubernetes.io/service-name"] == "spark-operator-webhook-svc"
	})
	s.add(t, "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, uid: k}}")
	s.add(t, `{apiVersion: v1, kind: Event, metadata: {name: gone, namespace: team-a}, reason: OwnerRefInvalidNamespace, type: Warning, message: 'ownerRef [argoproj.io/v1alpha1/Workflow, namespace: team-a, name: x, uid: y] does not exist in namespace "team-a"', involvedObject: {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, namespace: team-a, name: gone}, count: 1, firstTimestamp: "2026-11-21T14:00:00Z", lastTimestamp: "2026-11-21T14:20:00Z"}`)
	for _, o := range s.objects {
		if o.GetKind() != "Secret" {
			p.plant(t, o)
		}
		if o.GetName() == "clickstream" || o.GetName() == "sessions" {
			annotations := o.GetAnnotations()
			annotations["sparkdoctor.io/ignore"] = "SD3001: password=" + p.secret("reason of a suppression") + "; nonsense token=" +
				p.secret("what is no suppression")
			o.SetAnnotations(annotations)
		}
		if o.GetKind() == "Pod" && o.GetNamespace() == "spark-operator" {
			s.logs[o.GetName()] = "2026-11-21T14:29:00.000000000Z 2026/11/21 14:29:00 http: TLS handshake error from 10.0.0.1:4711: remote " +
				"error: tls: bad certificate " + oneLine(p.text("log")) + "\n" +
				`2026-11-21T14:29:01.000000000Z E1121 failed calling webhook "mutate--v1-pod.sparkoperator.k8s.io": failed to call webhook: Post "https://me:` + p.secret("URL in log") + `@svc.ns.svc:443/x": no endpoints available ` + oneLine(p.text("log")) + "\n" +
				"2026-11-21T14:29:02.000000000Z Failed to sync webhook secret: " + oneLine(p.text("log")) + "\n"
		}
	}
	s.deny = func(r *http.Request) bool { return strings.Contains(r.URL.Path, "volcano") }
	return s, p
}
