package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// runUp starts `testbed up` and returns it with its kubeconfig.
func runUp(t *testing.T) (*exec.Cmd, string) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "testbed")
	out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	cmd := exec.Command(binary, "up")
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	kubeconfig, ok := strings.CutPrefix(strings.TrimSpace(line), "export KUBECONFIG=")
	require.True(t, ok, line)
	return cmd, kubeconfig
}

// children returns the processes of a parent, by /proc.
func children(t *testing.T, parent int) []string {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	require.NoError(t, err)
	var pids []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		pids = append(pids, strings.Fields(string(text))...)
	}
	return pids
}

func requireGone(t *testing.T, pids []string) {
	t.Helper()
	require.Eventually(t, func() bool {
		for _, pid := range pids {
			if _, err := os.Stat("/proc/" + pid); err == nil {
				return false
			}
		}
		return true
	}, 10*time.Second, 50*time.Millisecond, "processes %v are left", pids)
}

func TestUpEndsCleanlyOnInterrupt(t *testing.T) {
	cmd, kubeconfig := runUp(t)
	pids := children(t, cmd.Process.Pid)
	require.Len(t, pids, 5)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Wait())
	requireGone(t, pids)
	_, err := os.Stat(filepath.Dir(kubeconfig))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestNothingSurvivesAKill(t *testing.T) {
	cmd, kubeconfig := runUp(t)
	t.Cleanup(func() { os.RemoveAll(filepath.Dir(kubeconfig)) })
	pids := children(t, cmd.Process.Pid)
	require.Len(t, pids, 5)
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait()
	requireGone(t, pids)
}

func TestUnknownCommand(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), []string{"no-such"}, t.Output(), t.Output()), "unknown command")
	require.ErrorContains(t, run(t.Context(), nil, t.Output(), t.Output()), "no command given")
}
