package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// severalClusters has contexts of one control plane seen with all rights and with some, and of one that does not answer.
func severalClusters(t *testing.T, d doctor) {
	raw, err := clientcmd.LoadFromFile(d.kubeconfig)
	require.NoError(t, err)
	now := raw.Contexts[raw.CurrentContext]
	raw.Contexts["full"] = now
	raw.Contexts["part"] = &clientcmdapi.Context{Cluster: now.Cluster, AuthInfo: now.AuthInfo}
	raw.Contexts["part"].AuthInfo = "part"
	some := raw.AuthInfos[now.AuthInfo].DeepCopy()
	some.Impersonate = "nobody-at-all"
	raw.AuthInfos["part"] = some
	raw.Clusters["dark"] = &clientcmdapi.Cluster{Server: "http://127.0.0.1:1"}
	raw.Contexts["dark"] = &clientcmdapi.Context{Cluster: "dark", AuthInfo: now.AuthInfo}
	delete(raw.Contexts, raw.CurrentContext)
	raw.CurrentContext = "full"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, clientcmd.WriteToFile(*raw, path))
	d.kubeconfig = path

	one := d.scan(t)
	require.Equal(t, 0, one.code)
	o := d.scan(t, "--contexts", "full,full")
	require.Equal(t, 0, o.code, o.stderr)
	require.Len(t, o.report.Checks, len(one.report.Checks))
	o = d.scan(t, "--all-contexts")
	require.Equal(t, 3, o.code, "one does not answer and one hides everything: %s", o.stderr)
	require.Empty(t, o.findings())
	require.Contains(t, o.stderr, "dark: the connection to the server http://127.0.0.1:1 failed")
	require.Contains(t, o.stderr, "full: scope: all namespaces of full\n")
	var sources struct {
		Sources []struct{ Name, Error string }
		Checks  []struct{ ID, Source, Status string }
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &sources))
	require.Len(t, sources.Sources, 3)
	require.Equal(t, "dark", sources.Sources[0].Name)
	require.NotEmpty(t, sources.Sources[0].Error)
	for _, c := range sources.Checks {
		require.NotEqual(t, "dark", c.Source)
		if c.Source == "full" {
			require.Equal(t, "passed", c.Status, c.ID)
		}
	}
	require.Contains(t, d.run(t, "scan", "--all-contexts").stdout, "not scanned: dark: ")
	require.Equal(t, 2, d.run(t, "scan", "--contexts", "full,elsewhere").code)
}

// watches looks on while a fault comes and goes.
func watches(t *testing.T, cp *controlplane.ControlPlane, d doctor) {
	patch := func(owners string) {
		_, err := cp.Dynamic.Resource(controlplane.Applications()).Namespace("jobs").Patch(t.Context(), "pi", types.MergePatchType,
			[]byte(`{"metadata":{"ownerReferences":`+owners+`}}`), metav1.PatchOptions{})
		require.NoError(t, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.CommandContext(ctx, d.binary, "scan", "-w", "--interval", "5s", "--confirm-after", "0s", "-o", "json="+file)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Env = d.env()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			lines <- s.Text()
		}
	}()
	next := func(word string) {
		t.Helper()
		select {
		case line := <-lines:
			require.Contains(t, line, " "+word+" ")
			require.Contains(t, line, "SD2002 jobs sparkapplication/pi: ")
		case <-ctx.Done():
			require.Fail(t, "nobody said "+word, stderr.String())
		}
	}
	until(t, "the first scan", func(context.Context) (bool, error) { _, err := os.Stat(file); return err == nil, nil })
	patch(`[{"apiVersion":"pipelines.example.com/v1","kind":"Pipeline","name":"nightly","uid":"00000000-0000-4000-8000-000000000001"}]`)
	next("NEW")

	short := d.run(t, "scan", "--until=clean", "--timeout", "1s", "--interval", "5s", "--fail-on", "info", "--confirm-after", "0s")
	require.Equal(t, 1, short.code, short.stdout+short.stderr)
	require.Contains(t, short.stderr, "not clean after 1 s")

	clean := make(chan outcome, 1)
	go func() {
		o, err := d.exec(ctx, "scan", "--until=clean", "--timeout", "1m", "--interval", "5s", "--fail-on", "info", "--confirm-after", "0s")
		if err != nil {
			o.code = -1
		}
		clean <- o
	}()
	patch("null")
	next("RESOLVED")
	o := <-clean
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.True(t, o.stdout == "" || strings.Count(o.stdout, "NEW") == strings.Count(o.stdout, "RESOLVED"), o.stdout)

	cancel()
	for range lines {
		require.Fail(t, "a change that nobody made")
	}
	_ = cmd.Wait()
	require.Equal(t, 130, cmd.ProcessState.ExitCode(), stderr.String())
	require.Equal(t, 1, strings.Count(stderr.String(), "scope: "), "told once: %s", stderr.String())
}
