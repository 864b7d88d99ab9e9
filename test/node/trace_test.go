package node_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

const dir = "/var/tmp/sparkdoctor-node"

// traces are what a node may leave on a machine: processes, mounts, interfaces, control groups, and files where the programs of a
// node put them unless they are kept from it; and the kernel's settings.
func traces(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"processes": "", "mounts": "", "routes": ""}
	commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range commands {
		text, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(text), dir) {
			out["processes"] += strings.ReplaceAll(string(text), "\x00", " ") + "\n"
		}
	}
	for name, file := range map[string]string{"mounts": "/proc/self/mounts", "routes": "/proc/net/route"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, dir) || strings.HasPrefix(line, "sparkdoctor0") {
				out[name] += line
			}
		}
	}
	groups, err := filepath.Glob("/sys/fs/cgroup/*/sparkdoctor-node")
	require.NoError(t, err)
	paths := append(groups, dir, "/sys/fs/cgroup/sparkdoctor-node", "/sys/class/net/sparkdoctor0", "/sys/class/net/pods", "/run/containerd",
		"/run/netns", "/var/lib/kubelet", "/var/lib/cni", "/var/lib/containerd", "/var/log/containers", "/var/log/pods", "/etc/cni", "/opt/cni",
		"/opt/containerd", "/usr/libexec/kubernetes")
	for _, path := range paths {
		_, err := os.Stat(path)
		out[path] = fmt.Sprint(err == nil)
	}
	for _, setting := range []string{"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
		"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes", "net/ipv4/ip_forward"} {
		text, err := os.ReadFile("/proc/sys/" + setting)
		require.NoError(t, err)
		out[setting] = string(text)
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/cgroup.subtree_control"); err == nil {
		out["controllers"] = string(text)
	}
	return out
}

// runPod runs a pod and waits for it to be ready.
func runPod(t *testing.T, cp *controlplane.ControlPlane, name string) {
	t.Helper()
	require.NoError(t, createPod(t.Context(), cp, name))
}

func createPod(ctx context.Context, cp *controlplane.ControlPlane, name string) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: images.PauseName}}},
	}
	if _, err := cp.Client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	running, err := cp.WaitForPod(ctx, "default", name)
	if err == nil && running.Status.PodIP == "" {
		return fmt.Errorf("pod %q has no address", name)
	}
	return err
}

func TestStopLeavesNothing(t *testing.T) {
	node.Require(t)
	before := traces(t)
	cp, first := start(t, node.Options{})
	runPod(t, cp, "one")
	during := traces(t)
	for _, what := range []string{"processes", "routes"} {
		require.NotEmpty(t, during[what], "what is looked for is there while a node is up")
	}
	require.Equal(t, "true", during[dir])
	require.Equal(t, "true", during["/sys/class/net/sparkdoctor0"])
	require.NoError(t, first.Stop())
	require.Equal(t, before, traces(t))
	require.NoError(t, first.Stop(), "stopping twice is allowed")

	second := join(t, cp, node.Options{})
	runPod(t, cp, "two")
	require.NoError(t, second.Stop())
	require.Equal(t, before, traces(t))
}

func TestOneNodeAtATime(t *testing.T) {
	cp, _ := start(t, node.Options{})
	_, err := node.Start(t.Context(), cp, node.Options{Name: "another"})
	require.ErrorIs(t, err, node.ErrAnotherNode)
	runPod(t, cp, "still-runs")
}

// killed is set in the process that TestKilledNode kills: this program, which then runs no test.
const killed = "SPARKDOCTOR_NODE_TO_BE_KILLED"

func TestMain(m *testing.M) {
	if os.Getenv(killed) == "" {
		os.Exit(m.Run())
	}
	if err := waitToBeKilled(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func waitToBeKilled(ctx context.Context) error {
	cp, err := controlplane.Start(ctx, controlplane.Options{NodeJoins: true})
	if err != nil {
		return err
	}
	if _, err := node.Start(ctx, cp, node.Options{}); err != nil {
		return err
	}
	if err := createPod(ctx, cp, "orphan"); err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "the node is up")
	time.Sleep(5 * time.Minute)
	return nil
}

// TestKilledNode: what is left of a node whose test was killed are files and empty control groups, and the next node removes them.
func TestKilledNode(t *testing.T) {
	node.Require(t)
	before := traces(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killed+"=1", "TMPDIR="+t.TempDir())
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(stdout)
	up := false
	for !up && lines.Scan() {
		t.Log(lines.Text())
		up = strings.Contains(lines.Text(), "the node is up")
	}
	require.True(t, up)
	require.NotEqual(t, before["processes"], traces(t)["processes"])
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait()

	// A shell in which a user looks at the directory was there before, and stays.
	if !assert.Eventually(t, func() bool {
		now := traces(t)
		return now["processes"] == before["processes"] && now["routes"] == "" && now["/sys/class/net/sparkdoctor0"] == "false"
	}, 20*time.Second, 100*time.Millisecond, "the kernel ends what the node ran") {
		t.Fatalf("what was left at last: %v", traces(t))
	}
	require.Equal(t, "true", traces(t)[dir], "files stay: without this the next line shows nothing")

	cp, n := start(t, node.Options{})
	runPod(t, cp, "fresh")
	require.NoError(t, n.Stop())
	require.Equal(t, before, traces(t))
}
