package scan_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// dump is what kubectl cluster-info dump --output-directory writes, of pods that spark-submit started: no custom resources, items without
// kind, and one file of logs for each pod (pkg/cmd/clusterinfo/clusterinfo_dump.go@kubectl-v0.36.3).
const dump = `
-- nodes.json --
{"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"4"}}}]}
-- jobs/events.json --
{"kind":"EventList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"e1","namespace":"jobs"},"type":"Normal",
"reason":"Killing","involvedObject":{"kind":"Pod","namespace":"jobs","name":"pi-driver"},"lastTimestamp":"2026-01-02T03:04:05Z"}]}
-- jobs/pods.json --
{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
{"metadata":{"name":"pi-driver","namespace":"jobs","labels":{"spark-app-selector":"spark-1","spark-role":"driver"}},
"spec":{"nodeName":"n1","containers":[{"name":"spark-kubernetes-driver","env":[{"name":"A","value":"hunter2"}]}]},"status":{"phase":"Failed"}},
{"metadata":{"name":"pi-exec-1","namespace":"jobs","labels":{"spark-app-selector":"spark-1","spark-role":"executor"}},"spec":{},"status":{}},
{"metadata":{"name":"pi2-driver","namespace":"jobs","labels":{"spark-app-selector":"spark-2","spark-role":"driver"}},"spec":{},"status":{}},
{"metadata":{"name":"web","namespace":"jobs"},"spec":{"nodeName":"n1","containers":[{"name":"web"}]},"status":{"phase":"Running"}}]}
-- jobs/pi-driver/logs.txt --
==== START logs for container fetch of pod jobs/pi-driver ====
fetched: yes
==== END logs for container fetch of pod jobs/pi-driver ====
==== START logs for container spark-kubernetes-driver of pod jobs/pi-driver ====
26/01/02 03:04:00 INFO SparkContext: Running
` + "\x1b[31mException\x1b[0m in thread password=hunter2 \u202e" + `
==== END logs for container spark-kubernetes-driver of pod jobs/pi-driver ====
-- jobs/pi-exec-1/logs.txt --
==== START logs for container spark-kubernetes-executor of pod jobs/pi-exec-1 ====
Request log error: container "spark-kubernetes-executor" in pod "pi-exec-1" is waiting to start: ContainerCreating
==== END logs for container spark-kubernetes-executor of pod jobs/pi-exec-1 ====
-- jobs/web/logs.txt --
==== START logs for container web of pod jobs/web ====
: not: yaml: [
==== END logs for container web of pod jobs/web ====
`

func unpacked(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		path := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, f.Data, 0o600))
	}
	return dir
}

// packed is the same as a tar.gz.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range txtar.Parse([]byte(text)).Files {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o600, Size: int64(len(f.Data))}))
		_, err := w.Write(f.Data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	path := filepath.Join(t.TempDir(), "dump.tar.gz")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

func TestDumpOfACluster(t *testing.T) {
	for name, path := range map[string]string{"a directory": unpacked(t, dump), "packed": packed(t, dump)} {
		t.Run(name, func(t *testing.T) {
			e := evidenceOf(t, "pod/pi-driver", "", path)
			require.Equal(t, "Pod", e.Subject.Kind)
			require.Nil(t, e.Application)
			require.Len(t, e.Pods, 2, "those that share spark-app-selector")
			require.Len(t, e.Events, 1)
			require.Len(t, e.Nodes, 1)
			require.Len(t, e.Neighbors, 1)
			require.Equal(t, "2026-01-02T03:04:05Z", e.Now.Format("2006-01-02T15:04:05Z07:00"), "the latest time in the files")
			require.Len(t, e.Logs, 2, "what kubectl could not read is no log")
			require.Equal(t, "fetch fetched: yes\n", e.Logs[0].Container+" "+e.Logs[0].Tail)
			require.Equal(t, "26/01/02 03:04:00 INFO SparkContext: Running\nException in thread password=[redacted] \n", e.Logs[1].Tail)
			require.NotContains(t, e.Pods[0].String()+e.Pods[1].String(), "hunter2")
		})
	}
}

// TestScanPassesOverLogs: a log is no broken YAML, whatever stands in it.
func TestScanPassesOverLogs(t *testing.T) {
	dir := unpacked(t, dump+"-- logs/jobs_pi-driver_spark-kubernetes-driver.previous.log --\n: no: yaml: [\n")
	d, err := scan.Diagnose(t.Context(), scan.Options{Source: scan.Files{Paths: []string{dir}, Recursive: true}})
	require.NoError(t, err)
	require.Empty(t, d.Source.Unreadable)
	require.Empty(t, d.Snapshot.ApplicationLogs(), "nobody asked for them")
	e := evidenceOf(t, "pi-driver", "jobs", dir)
	require.Len(t, e.Logs, 3)
	require.True(t, e.Logs[1].Previous != e.Logs[2].Previous)
}

// TestWhatADeletedApplicationLeft: an event, a pod, queued work.
func TestWhatADeletedApplicationLeft(t *testing.T) {
	const event = `{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"a"},"reason":"Deleted",
"involvedObject":{"kind":"SparkApplication","namespace":"a","name":"gone","apiVersion":"sparkoperator.k8s.io/v1beta2"}}`
	const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a","labels":{"sparkoperator.k8s.io/app-name":"gone"}}}`
	const work = `{"apiVersion":"kueue.x-k8s.io/v1beta1","kind":"Workload","metadata":{"name":"w","namespace":"a",
"ownerReferences":[{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","name":"gone","uid":"u"}]}}`
	for _, left := range []string{event, pod, work} {
		e := evidenceOf(t, "gone", "", unpacked(t, "-- left.json --\n"+left))
		require.Equal(t, "SparkApplication a/gone", e.Subject.String())
		require.Nil(t, e.Application)
	}
	dir := unpacked(t, "-- left.json --\n"+pod+strings.ReplaceAll(pod, `"a"`, `"b"`))
	_, err := scan.Evidence(t.Context(), scan.WhyOptions{Options: scan.Options{Source: scan.Files{Paths: []string{dir}}}, Subject: "gone"})
	var several *app.AmbiguousError
	require.ErrorAs(t, err, &several)
	require.Equal(t, []string{"a", "b"}, several.Namespaces)
}
