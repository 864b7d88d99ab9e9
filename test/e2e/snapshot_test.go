package e2e

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

// replayed saves a cluster with faults and holds that a scan of the archive says byte for byte what a scan of the cluster
// says. A proxy stops the clock, or every age would be another.
func replayed(t *testing.T, s situation) {
	ns, elsewhere := s.namespace(t, "replayed"), s.namespace(t, "replayed-owner")
	for _, name := range []string{"foreign", "lost", "ownerless"} {
		s.application(t, ns, name)
	}
	s.application(t, ns, "held", finalizer("argocd.argoproj.io/hook-finalizer"))
	s.call(t) // so that there is something in the logs
	there, here := s.configMap(t, elsewhere, "workflow"), s.configMap(t, ns, "gone")

	s.withManagerPaused(t, func() {
		s.patch(t, ns, "foreign", ownerReferences("ConfigMap", "v1", there.Name, string(there.UID)))
		s.patch(t, ns, "lost", ownerReferences("ConfigMap", "v1", here.Name, string(here.UID)))
		require.NoError(t, s.cp.Client.CoreV1().ConfigMaps(ns).Delete(t.Context(), here.Name, metav1.DeleteOptions{}))
		_, err := s.cp.Client.CoreV1().Pods(ns).Patch(t.Context(), "ownerless-driver", types.MergePatchType,
			[]byte(`{"metadata":{"ownerReferences":null,"annotations":{"sparkdoctor.io/ignore":"SD2006: kept"}}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		s.deleteApp(t, ns, "held", metav1.DeletePropagationBackground)
		time.Sleep(2 * time.Second) // ages are counted by the second

		p, err := proxy.Start(s.cp.RESTConfig())
		require.NoError(t, err)
		defer p.Close()
		kubeconfig, err := p.Kubeconfig(t.TempDir(), s.cp.RESTConfigFor("admin").BearerToken)
		require.NoError(t, err)
		p.Inject(func(proxy.Request) bool { return true }, 1<<30, proxy.At(time.Now()))
		d := doctor{binary: s.doctor.binary, kubeconfig: kubeconfig}
		file := filepath.Join(t.TempDir(), "cluster.tar.gz")

		flags := []string{"--probe", "--logs", "--new-after", "0s", "--stuck-after", "1s"}
		var live, again outcome
		until(t, "nothing to happen between a scan and a snapshot", func(context.Context) (bool, error) {
			live = d.scan(t, flags...)
			saved := d.run(t, append([]string{"snapshot", "-o", file, "--overwrite", "--confirm-after", "1s"}, flags...)...)
			require.Equal(t, 0, saved.code, saved.stderr)
			again = d.scan(t, "-f", file, "--new-after", "0s", "--stuck-after", "1s")
			return sameReport(t, live.stdout, again.stdout), nil
		})
		require.Equal(t, live.code, again.code)
		for _, want := range []string{
			"error proven SD2001 SparkApplication replayed/foreign", "error proven SD2002 ", "SD2005 SparkApplication replayed/held",
		} {
			require.Contains(t, strings.Join(again.findings(), "\n"), want, again.stdout)
		}
		require.Contains(t, again.stdout, `"name": "lost"`, "it is among what the garbage collector leaves")
		require.Equal(t, 1, again.report.Summary.Findings.Suppressed, "the annotation was saved")
		require.Contains(t, live.stderr, "rechecking in 1s")
		require.NotContains(t, again.stderr, "rechecking in 1s")
		require.Contains(t, d.scan(t, "-f", file, "sparkapplication/foreign", "-n", ns).stderr,
			"no case file of replayed/foreign: the archive has no full record of SparkApplication replayed/foreign")

		for _, args := range [][]string{{"-n", ns}, {"sparkapplication/foreign", "-n", ns}, {"--checks", "SD2002"},
			{"--ignore", "SD2001: known"}} {
			args = append(args, "--new-after", "0s", "--stuck-after", "1s")
			until(t, "the same of "+strings.Join(args, " "), func(context.Context) (bool, error) {
				return sameReport(t, d.scan(t, append(args, "--probe", "--logs")...).stdout, d.scan(t, append(args, "-f", file)...).stdout), nil
			})
		}
	})
	s.release(t, ns, "held")
}

// sameReport compares two reports but for what made them, from what, and how long that took, and but for the case file: an archive holds
// those applications in full that failed last, and none of this test did.
func sameReport(t *testing.T, a, b string) bool {
	t.Helper()
	var texts [2]string
	for i, text := range []string{a, b} {
		var r map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &r), text)
		delete(r, "sources")
		delete(r, "tool")
		delete(r, "caseFile")
		withoutCommands(r)
		if metrics, ok := r["metrics"].(map[string]any); ok {
			delete(metrics, "durationMilliseconds")
		}
		out, err := json.MarshalIndent(r, "", " ")
		require.NoError(t, err)
		texts[i] = string(out)
	}
	if texts[0] != texts[1] {
		t.Logf("scan:\n%s\nreplay:\n%s", texts[0], texts[1])
	}
	return texts[0] == texts[1]
}

// withoutCommands takes the commands from all next steps: an archive does not know who asks, and with what kubeconfig.
func withoutCommands(value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			withoutCommands(v)
		}
	case map[string]any:
		if value["text"] != nil {
			delete(value, "command")
		}
		for _, v := range value {
			withoutCommands(v)
		}
	}
}
