package e2e

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serves scrapes a server that scans with the roles of rbac and nothing else.
func serves(t *testing.T, d doctor, args ...string) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.binary, append(append([]string{"serve"}, args...), "--listen", "127.0.0.1:0", "--interval", "5s",
		"--confirm-after", "0s")...)
	cmd.Env = d.env()
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	log := bufio.NewReader(stderr)
	line, err := log.ReadString('\n')
	require.NoError(t, err)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(line)
	require.NotEmpty(t, address, line)
	rest := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(log)
		rest <- string(b)
	}()

	get := func(path string) (int, string) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+path, http.NoBody)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode, string(body)
	}
	until(t, "a report", func(context.Context) (bool, error) { code, _ := get("/readyz"); return code == http.StatusOK, nil })
	_, metrics := get("/metrics")
	require.Contains(t, metrics, "\nsparkdoctor_scan_complete 1\n")
	require.Contains(t, metrics, `sparkdoctor_admission_state{namespace="jobs",state="healthy"} 1`)
	code, page := get("/")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, page, "No findings")
	until(t, "the next scan", func(context.Context) (bool, error) {
		_, metrics := get("/metrics")
		return regexp.MustCompile(`\nsparkdoctor_scans_total [2-9]`).MatchString(metrics), nil
	})

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	log2 := <-rest
	require.NoError(t, cmd.Wait(), log2)
	require.NotContains(t, log2, "DATA RACE")
}
