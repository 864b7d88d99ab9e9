package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// plantedFiles are an application that failed, its driver, an event and the log of the driver, with every form of a secret in each text.
func plantedFiles(t *testing.T, canary string) (dir string) {
	t.Helper()
	var all []string
	var arguments []any
	for _, form := range append(redacttest.Forms(canary), redacttest.Grammar(canary)...) {
		all = append(all, form.Text)
		arguments = append(arguments, form.Text)
	}
	said := strings.Join(all, "\n")
	app := func(name, message string) map[string]any {
		return map[string]any{
			"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
			"metadata": map[string]any{"name": name, "namespace": "team-a", "uid": name, "creationTimestamp": "2026-11-21T14:00:00Z",
				"annotations": map[string]any{"note": said}},
			"spec": map[string]any{"type": "Python", "mode": "cluster", "sparkVersion": "3.5.5", "arguments": arguments,
				"sparkConf": map[string]any{"spark.redis.auth": canary, "spark.driver.extraJavaOptions": said},
				"driver":    map[string]any{"env": []any{map[string]any{"name": "DB_PASSWORD", "value": canary}}}},
			"status": map[string]any{"sparkApplicationId": "spark-1", "lastSubmissionAttemptTime": "2026-11-21T14:00:05Z",
				"terminationTime": "2026-11-21T14:10:00Z", "driverInfo": map[string]any{"podName": "etl-driver"},
				"applicationState": map[string]any{"state": "FAILED", "errorMessage": message}},
		}
	}
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "etl-driver", "namespace": "team-a", "uid": "p", "creationTimestamp": "2026-11-21T14:00:05Z",
			"labels": map[string]any{"spark-role": "driver", "sparkoperator.k8s.io/app-name": "etl", "spark-app-selector": "spark-1",
				"sparkoperator.k8s.io/launched-by-spark-operator": "true"}},
		"spec": map[string]any{"nodeName": "n", "containers": []any{map[string]any{"name": "spark-kubernetes-driver", "args": arguments}}},
		"status": map[string]any{"phase": "Failed", "message": said, "containerStatuses": []any{map[string]any{
			"name": "spark-kubernetes-driver", "state": map[string]any{"terminated": map[string]any{"exitCode": 1, "message": said,
				"startedAt": "2026-11-21T14:00:10Z", "finishedAt": "2026-11-21T14:10:00Z"}}}}},
	}
	event := map[string]any{"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": "e", "namespace": "team-a"},
		"type": "Warning", "reason": "Failed", "message": said, "lastTimestamp": "2026-11-21T14:09:00Z",
		"involvedObject": map[string]any{"kind": "Pod", "namespace": "team-a", "name": "etl-driver"}}
	dir = t.TempDir()
	for name, object := range map[string]any{"etl": app("etl", "driver failed: "+said), "pod": pod, "event": event} {
		text, err := json.Marshal(object)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), text, 0o600))
	}
	log := "26/11/21 14:09:59 ERROR Main: connecting with\n" + said +
		"\n26/11/21 14:10:00 ERROR ApplicationMaster: User class threw exception: " +
		"java.lang.IllegalStateException: " + said + "\njava.lang.IllegalStateException: " + said + "\n\tat com.example.Main.main(Main.java:1)\n"
	for _, form := range redacttest.Forms(canary) {
		log += "26/11/21 14:10:00 ERROR Main: failed\norg.apache.spark.SparkException: " + form.Text +
			"\n\tat com.example.Main.main(Main.java:1)\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "team-a_etl-driver_spark-kubernetes-driver.log"), []byte(log), 0o600))
	return dir
}

// TestPlantedForms: no form of a secret, wherever it stands in files, is shown by any command in any format.
func TestPlantedForms(t *testing.T) {
	const canary = "hunter2Zq9xK4abcd"
	dir := plantedFiles(t, canary)
	for _, format := range []string{"table", "wide", "json", "yaml", "markdown", "html"} {
		o := run(t, "why", "etl", "-n", "team-a", "-f", dir, "-o", format)
		require.NotEmpty(t, o.stdout, o.stderr)
		require.NotContains(t, o.stdout+o.stderr, canary, format)
		require.Contains(t, o.stdout, "redacted", format)
	}
	for _, format := range []string{"table", "wide", "json", "yaml", "markdown", "html", "sarif", "junit", "github", "prometheus"} {
		o := run(t, "scan", "-f", dir, "-o", format)
		require.NotEmpty(t, o.stdout, o.stderr)
		require.NotContains(t, o.stdout+o.stderr, canary, format)
	}
}

// TestPlantedFormsOfACluster: nor does a cluster that holds them leave any in an archive with logs, a plan or the record of a fix; and the
// archive says how many were removed.
func TestPlantedFormsOfACluster(t *testing.T) {
	const canary = "hunter2Zq9xK4abcd"
	dir, s := plantedFiles(t, canary), exampleCluster(t)
	for _, name := range []string{"etl", "pod", "event"} {
		text, err := os.ReadFile(filepath.Join(dir, name+".json")) // #nosec G304 -- a test
		require.NoError(t, err)
		s.add(t, string(text))
	}
	log, err := os.ReadFile(filepath.Join(dir, "team-a_etl-driver_spark-kubernetes-driver.log")) // #nosec G304 -- a test
	require.NoError(t, err)
	s.logs["etl-driver"] = string(log)
	s.add(t, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": "k"}}`)
	config, archive, records := s.kubeconfig(t, ""), filepath.Join(t.TempDir(), "a.tar.gz"), t.TempDir()
	o := run(t, "snapshot", "--kubeconfig", config, "-o", archive, "--logs", "--confirm-after", "0", "--allow-incomplete")
	require.Zero(t, o.code, o.stderr)
	require.NotContains(t, o.stdout+o.stderr, canary)
	redacted := 0
	for name, text := range entries(t, archive) {
		require.NotContains(t, text, canary, name)
		redacted += strings.Count(text, "[redacted]")
	}
	require.Greater(t, redacted, 100)
	require.Contains(t, entries(t, archive)["sparkdoctor-snapshot.json"], `"redacted":[{`)
	for _, args := range [][]string{{"--dry-run=client"}, {"-o", "yaml", "--dry-run=client"}, {"--yes", "--record-dir", records}} {
		o := run(t, append([]string{"fix", "--kubeconfig", config, "--confirm-after", "0"}, args...)...)
		require.NotEmpty(t, o.stdout+o.stderr)
		require.NotContains(t, o.stdout+o.stderr, canary, args)
	}
	written, err := filepath.Glob(filepath.Join(records, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, written)
	for _, path := range written {
		text, err := os.ReadFile(path) // #nosec G304 -- a test
		require.NoError(t, err)
		require.NotContains(t, string(text), canary)
	}
}

// TestPlantedAddress: nor is the secret of an address after -f, in any format, also where it cannot be read.
func TestPlantedAddress(t *testing.T) {
	const canary = "hunter2Zq9xK4"
	objects, err := os.ReadFile("../../examples/broken-cluster/sparkapplications.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone.yaml" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(objects)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for _, address := range []string{"http://" + host + "/a.yaml?sv=1&sig=" + canary, "http://" + canary + "@" + host + "/a.yaml",
		"http://me:" + canary + "@" + host + "/a.yaml", "http://" + host + "/gone.yaml?sig=" + canary,
		"http://" + canary + "@127.0.0.1:1/a.yaml"} {
		for _, format := range []string{"table", "wide", "json", "yaml", "name", "markdown", "html", "sarif", "junit", "github", "prometheus"} {
			o := run(t, "scan", "-f", address, "-o", format)
			require.NotContains(t, o.stdout+o.stderr, canary, "%s: %s", format, address)
		}
		o := run(t, "why", "etl", "-n", "team-a", "-f", address)
		require.NotContains(t, o.stdout+o.stderr, canary, address)
	}
}
