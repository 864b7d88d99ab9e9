package scan

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

type releaseObject = map[string]any

// releaseServer has an operator of 2.5.0 and the Secrets of Helm.
type releaseServer struct {
	annotations string // of the controller's Deployment
	secrets     []releaseObject
	forbidden   bool
	all         bool // every check of a gate is asked
	asked       []string
}

const releasePath = "/api/v1/namespaces/op/secrets"

func (s *releaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	status := func(code int, reason string) {
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","code":%d,"reason":%q}`, code, reason)
	}
	if answer, ok := discovery()[r.URL.Path]; ok {
		_ = json.NewEncoder(w).Encode(answer)
		return
	}
	switch path := r.URL.Path; {
	case path == "/apis/apps/v1/deployments":
		_, _ = fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"DeploymentList","metadata":{},"items":[{"metadata":{
			"namespace":"op","name":"spark-operator-controller","uid":"u",
			"labels":{"app.kubernetes.io/name":"spark-operator","app.kubernetes.io/component":"controller","app.kubernetes.io/version":"2.5.0",
			"app.kubernetes.io/instance":"spark"},"annotations":{%s}},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{
			"containers":[{"name":"c","image":"ghcr.io/kubeflow/spark-operator/controller:2.5.0",
			"args":["controller","start","--namespaces=team-a"]}]}}}}]}`,
			s.annotations)
	case strings.HasPrefix(path, releasePath) && s.forbidden:
		status(http.StatusForbidden, "Forbidden")
	case path == releasePath:
		s.asked = append(s.asked, "list "+r.URL.Query().Get("labelSelector")+" "+r.Header.Get("Accept"))
		var items []releaseObject
		for _, one := range s.secrets {
			labels := one["metadata"].(releaseObject)["labels"].(releaseObject)
			if !strings.Contains(r.URL.Query().Get("labelSelector"), ",name=") || labels["name"] == "spark" {
				items = append(items, releaseObject{"metadata": one["metadata"]})
			}
		}
		_ = json.NewEncoder(w).Encode(releaseObject{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList", "items": items})
	case strings.HasPrefix(path, releasePath+"/"):
		s.asked = append(s.asked, "get "+strings.TrimPrefix(path, releasePath+"/"))
		for _, one := range s.secrets {
			if one["metadata"].(releaseObject)["name"] == strings.TrimPrefix(path, releasePath+"/") {
				_ = json.NewEncoder(w).Encode(one)
				return
			}
		}
		fallthrough
	default:
		status(http.StatusNotFound, "NotFound")
	}
}

// kept is a revision as Helm keeps it.
func kept(t *testing.T, name string, revision int, status, chart string, values releaseObject) releaseObject {
	t.Helper()
	raw, err := json.Marshal(releaseObject{
		"name": name, "namespace": "op", "version": revision, "info": releaseObject{"status": status},
		"chart": releaseObject{"metadata": releaseObject{
			"name": chart, "version": "2.5.0", "dependencies": []releaseObject{{"name": "spark-operator"}}}},
		"config": values,
		"manifest": "---\n# Source: " + map[bool]string{true: "", false: chart + "/charts/"}[chart == "spark-operator"] +
			"spark-operator/templates/controller/deployment.yaml\nkind: Deployment\nmetadata: {name: spark-operator-controller}\n",
	})
	require.NoError(t, err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(raw)
	require.NoError(t, z.Close())
	return keptAs(name, revision, status, base64.StdEncoding.EncodeToString(b.Bytes()))
}

func keptAs(name string, revision int, status, data string) releaseObject {
	return releaseObject{
		"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
		"metadata": releaseObject{"namespace": "op", "name": fmt.Sprintf("sh.helm.release.v1.%s.v%d", name, revision), "labels": releaseObject{
			"owner": "helm", "name": name, "status": status, "version": fmt.Sprint(revision)}},
		"data": releaseObject{"release": base64.StdEncoding.EncodeToString([]byte(data))},
	}
}

const byHelm = `"meta.helm.sh/release-name":"spark","meta.helm.sh/release-namespace":"op"`

// judgedOf asks a gate with the release, and checks that are about it.
func judgedOf(t *testing.T, s *releaseServer) (*report.Report, error) {
	t.Helper()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	to, err := operator.ReleaseNamed("2.5.2")
	require.NoError(t, err)
	list := slices.DeleteFunc(checks.OfGate(), func(c check.Check) bool {
		return !s.all && !slices.Contains([]string{"SD5012", "SD7027", "SD7005"}, c.ID)
	})
	r, err := Gate(t.Context(), GateOptions{To: to.Application, Release: true, Options: Options{
		Checks: list, Source: Cluster{Connect: func() (*apiserver.Connection, error) { return apiserver.Connect(&rest.Config{Host: web.URL}) }},
	}})
	if err == nil {
		r.Decide("error", true)
	}
	return r, err
}

// TestRelease: one Secret is read, that of the newest revision; the release is in the report, without a value.
func TestRelease(t *testing.T) {
	const secret = "hunter2"
	values := releaseObject{"spark": releaseObject{"jobNamespaces": []string{"team-a"}}, "password": secret,
		"image": releaseObject{"registry": "https://me:" + secret + "@registry.example.com"}}
	s := &releaseServer{annotations: byHelm, secrets: []releaseObject{
		kept(t, "spark", 9, "superseded", "spark-operator", nil), kept(t, "spark", 10, "deployed", "spark-operator", values),
		kept(t, "other", 11, "pending-upgrade", "redis", nil),
	}}
	r, err := judgedOf(t, s)
	require.NoError(t, err)
	require.Equal(t, "op/spark revision 10, deployed, chart spark-operator-2.5.0", r.Gate.Release.Text())
	require.Equal(t, []report.HelmRevision{{Revision: 9, Status: "superseded"}, {Revision: 10, Status: "deployed"}}, r.Gate.Release.History)
	require.Equal(t, "GO", r.Gate.Verdict, r.Gate.Because)
	require.Equal(t, []string{
		"list owner=helm,name=spark application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
		"get sh.helm.release.v1.spark.v10"}, s.asked)
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	require.False(t, strings.Contains(string(raw), secret))

	s.all = true // what other checks quote of values is clean as well
	r, err = judgedOf(t, s)
	require.NoError(t, err)
	raw, err = json.Marshal(r)
	require.NoError(t, err)
	require.True(t, strings.Contains(string(raw), "from https://[redacted] with 2.5.2"))
	require.False(t, strings.Contains(string(raw), secret))
}

// TestReleaseState: what Helm says of its last operation decides, as it does when it is run.
func TestReleaseState(t *testing.T) {
	for name, c := range map[string]struct {
		status, verdict, message, command string
		before                            string
	}{
		"deployed": {"deployed", "GO", "", "", "superseded"},
		"pending upgrade": {"pending-upgrade", "NO-GO",
			`revision 2 is pending-upgrade: "another operation (install/upgrade/rollback) is in progress"; revision 1`,
			"helm rollback spark 1 -n op --timeout 5m", "deployed"},
		"pending install": {"pending-install", "NO-GO", "revision 2 is pending-install", "helm history spark -n op", "failed"},
		"failed":          {"failed", "GO", "revision 2 of release spark failed", "helm rollback spark 1 -n op --timeout 5m", "deployed"},
		"uninstalled":     {"uninstalled", "NO-GO", "has no deployed releases", "helm history spark -n op", "superseded"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := judgedOf(t, &releaseServer{annotations: byHelm, secrets: []releaseObject{
				kept(t, "spark", 1, c.before, "spark-operator", nil), kept(t, "spark", 2, c.status, "spark-operator", nil)}})
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Gate.Verdict, r.Gate.Because)
			if c.message == "" {
				require.Empty(t, r.Items)
				return
			}
			require.Len(t, r.Items, 1)
			require.Equal(t, "SD5012", r.Items[0].Check)
			require.Contains(t, r.Items[0].Message, c.message)
			var commands []string
			for _, step := range r.Gate.Runbook {
				commands = append(commands, step.Commands...)
			}
			require.Contains(t, commands, c.command)
		})
	}
}

// TestReleaseOfAnUmbrella: the values are those below the operator's chart, and the runbook raises the dependency.
func TestReleaseOfAnUmbrella(t *testing.T) {
	values := releaseObject{"spark-operator": releaseObject{"spark": releaseObject{"jobNamespaces": []string{"team-a"}}},
		"spark": releaseObject{"jobNamespaces": []string{"of another chart"}}}
	r, err := judgedOf(t, &releaseServer{annotations: byHelm, secrets: []releaseObject{kept(t, "spark", 1, "deployed", "platform", values)}})
	require.NoError(t, err)
	require.Empty(t, r.Items)
	require.Equal(t, "op/spark revision 1, deployed, chart platform-2.5.0 (umbrella chart, the operator's values are below spark-operator)",
		r.Gate.Release.Text())
	var steps []string
	for _, step := range r.Gate.Runbook {
		steps = append(steps, step.Do+": "+step.Because)
	}
	require.Contains(t, strings.Join(steps, "\n"), "raise the dependency: set version: 2.5.2 for spark-operator under dependencies in the "+
		"Chart.yaml of release spark: release spark is of chart platform")
}

// TestReleaseOfAnotherState: values that the Deployments do not have are used by no check, and named.
func TestReleaseOfAnotherState(t *testing.T) {
	values := releaseObject{"spark": releaseObject{"jobNamespaces": []string{"team-b"}}}
	r, err := judgedOf(t, &releaseServer{annotations: byHelm, secrets: []releaseObject{
		kept(t, "spark", 1, "deployed", "spark-operator", nil), kept(t, "spark", 2, "failed", "spark-operator", values)}})
	require.NoError(t, err)
	var found []string
	for _, i := range r.Items {
		found = append(found, i.Check+" "+i.Severity)
	}
	require.ElementsMatch(t, []string{"SD5012 warning", "SD7027 warning"}, found)
}

// TestReleaseIsRefused: what cannot be read ends the gate, which says what to do and nothing of what is in a Secret.
func TestReleaseIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		server releaseServer
		want   []string
	}{
		"none": {releaseServer{annotations: byHelm},
			[]string{"no Secret in namespace op holds Helm release spark", "helm list -n op", "HELM_DRIVER"}},
		"several": {releaseServer{secrets: []releaseObject{kept(t, "a", 1, "deployed", "x", nil), kept(t, "b", 1, "deployed", "x", nil)}},
			[]string{"holds several: a, b", "helm get values RELEASE -n op"}},
		"forbidden": {releaseServer{annotations: byHelm, forbidden: true},
			[]string{"you may not list and get Secrets in namespace op", "rbac --helm-release --operator-namespaces op"}},
		"hostile": {releaseServer{annotations: byHelm, secrets: []releaseObject{keptAs("spark", 1, "deployed", "hunter2!")}},
			[]string{"secret sh.helm.release.v1.spark.v1 cannot be decoded: not base64", "helm get values spark -n op"}},
		"another chart": {releaseServer{secrets: []releaseObject{func() releaseObject {
			one := kept(t, "redis", 1, "deployed", "spark-operator", nil)
			raw := []byte(`{"name":"redis","version":1,"info":{"status":"deployed"},"chart":{"metadata":{"name":"redis"}}}`)
			one["data"] = keptAs("redis", 1, "deployed", base64.StdEncoding.EncodeToString(raw))["data"]
			return one
		}()}}, []string{"holds no chart of the Spark Operator"}},
		"another revision": {releaseServer{annotations: byHelm, secrets: []releaseObject{func() releaseObject {
			one := kept(t, "spark", 2, "deployed", "spark-operator", nil)
			one["metadata"].(releaseObject)["labels"].(releaseObject)["version"] = "7"
			return one
		}()}}, []string{"holds another revision than its labels say"}},
		"another type": {releaseServer{annotations: byHelm, secrets: []releaseObject{func() releaseObject {
			one := kept(t, "spark", 2, "deployed", "spark-operator", nil)
			one["type"] = "Opaque"
			return one
		}()}}, []string{`is of type "Opaque"`}},
		"Argo CD": {releaseServer{annotations: `"argocd.argoproj.io/tracking-id":"spark:apps/Deployment:op/spark-operator-controller"`},
			[]string{"Argo CD renders the chart of application spark itself", "--helm-values"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := judgedOf(t, &c.server)
			require.Error(t, err)
			for _, want := range append(c.want, "--helm-release: ") {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

// TestReleaseOfFiles: files hold no Secrets of Helm.
func TestReleaseOfFiles(t *testing.T) {
	to, err := operator.ReleaseNamed("2.5.2")
	require.NoError(t, err)
	_, err = Gate(t.Context(), GateOptions{To: to.Application, Release: true, Options: Options{Source: Files{Paths: []string{"-"},
		Stdin: io.NopCloser(strings.NewReader("{apiVersion: v1, kind: Namespace, metadata: {name: a}}"))}}})
	require.ErrorContains(t, err, "no operator found")
}
