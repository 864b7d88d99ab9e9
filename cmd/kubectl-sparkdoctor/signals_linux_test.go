package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// process is the program in a process of its own, as a user starts it.
type process struct {
	*exec.Cmd
	t      *testing.T
	stderr *io.PipeReader
	ended  chan error
}

// start runs the program. stdin may be nil. A process that does not end is killed after a minute, and the test fails.
func start(t *testing.T, stdin *os.File, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	read, write := io.Pipe()
	// #nosec G204 -- TestMain puts it there
	p := &process{Cmd: exec.CommandContext(ctx, "kubectl-sparkdoctor", args...), t: t, stderr: read, ended: make(chan error, 1)}
	if stdin != nil {
		p.Stdin = stdin
	}
	p.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	p.Stderr = write
	require.NoError(t, p.Start())
	go func() {
		err := p.Wait()
		_ = write.Close()
		p.ended <- err
	}()
	return p
}

// until reads stderr until a text was said.
func (p *process) until(text string) {
	p.t.Helper()
	var said strings.Builder
	for part := make([]byte, 4096); !strings.Contains(said.String(), text); {
		n, err := p.stderr.Read(part)
		said.Write(part[:n])
		require.NoError(p.t, err, "%s", said.String())
	}
}

// status signals the process and returns how it ended.
func (p *process) status(s os.Signal) syscall.WaitStatus {
	p.t.Helper()
	require.NoError(p.t, p.Process.Signal(s))
	go func() { _, _ = io.Copy(io.Discard, p.stderr) }()
	return p.waited()
}

func (p *process) waited() syscall.WaitStatus {
	<-p.ended
	status, ok := p.ProcessState.Sys().(syscall.WaitStatus)
	require.True(p.t, ok)
	return status
}

// fifo makes one.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo.yaml")
	require.NoError(t, unix.Mkfifo(path, 0o600))
	return path
}

// meet opens a FIFO for writing, which takes until the program has opened it for reading (fifo(7)).
func meet(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // #nosec G304 -- of a test
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// prunable serves an application whose status fix can prune.
func prunable(t *testing.T) *apiServer {
	t.Helper()
	s := exampleCluster(t)
	var executors []string
	for i := range 20000 {
		executors = append(executors, fmt.Sprintf(`"clicks-8f1d2c9b7a6e5f40-exec-%d": "COMPLETED"`, i+1))
	}
	s.add(t, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": "k"}}`)
	s.add(t, `{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "metadata": {"name": "clicks", "namespace": "streaming", "uid": "c", "resourceVersion": "7"}, "status": {"submissionID": "s", "applicationState": {"state": "COMPLETED"}, "executorState": {`+strings.Join(executors, ", ")+`}}}`)
	return s
}

const anObject = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"

// fill writes a whole file into a FIFO.
func fill(t *testing.T, path string) {
	t.Helper()
	f := meet(t, path)
	_, err := f.WriteString(anObject)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// TestSignalsWhileInputIsAwaited holds that Ctrl-C ends the program wherever it waits for what does not come.
func TestSignalsWhileInputIsAwaited(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T) *process{
		"a FIFO that was opened": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "scan", "-f", path)
			_, err := meet(t, path).WriteString(anObject)
			require.NoError(t, err)
			return p
		},
		"a FIFO that is not opened": func(t *testing.T) *process {
			first := fifo(t)
			p := start(t, nil, "scan", "-f", first, "-f", fifo(t))
			fill(t, first)
			return p
		},
		"a pipe": func(t *testing.T) *process {
			read, write, err := os.Pipe()
			require.NoError(t, err)
			t.Cleanup(func() { _, _ = read.Close(), write.Close() })
			p := start(t, read, "scan", "-f", "-")
			_, err = write.WriteString(anObject + strings.Repeat("# more than a pipe holds (pipe(7))\n", 8000))
			require.NoError(t, err)
			return p
		},
		"a terminal": func(t *testing.T) *process {
			first := fifo(t)
			_, terminal := newTerminal(t)
			p := start(t, terminal, "scan", "-f", first, "-f", "-")
			fill(t, first)
			return p
		},
		"a report": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "diff", path, path)
			meet(t, path)
			return p
		},
		"a baseline": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "scan", "-f", "testdata", "--baseline", path)
			meet(t, path)
			return p
		},
		"a configuration": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "scan", "-f", "testdata", "--config", path)
			meet(t, path)
			return p
		},
		"values": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "gate", "-f", "../../examples/upgrade/operator.yaml", "--to", "2.5.2", "--helm-values", path)
			meet(t, path)
			return p
		},
		"manifests of the target": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "gate", "-f", "../../examples/upgrade/operator.yaml", "--to", "2.5.2", "--target-manifests", path)
			meet(t, path)
			return p
		},
		"a plan": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "fix", "--plan", path, "--kubeconfig", prunable(t).kubeconfig(t, ""))
			meet(t, path)
			return p
		},
		"a record": func(t *testing.T) *process {
			path := fifo(t)
			p := start(t, nil, "undo", path)
			meet(t, path)
			return p
		},
		"a yes": func(t *testing.T) *process {
			_, terminal := newTerminal(t)
			p := start(t, terminal, "fix", "SD3001", "--kubeconfig", prunable(t).kubeconfig(t, ""))
			p.until("[y/N/d/i/?] ")
			return p
		},
	} {
		t.Run(name, func(t *testing.T) {
			status := begin(t).status(os.Interrupt)
			require.False(t, status.Signaled(), "it was killed: %s", status.Signal())
			require.Equal(t, 130, status.ExitStatus())
		})
	}
}

// TestSecondSignalKills holds that a second signal ends the program during a read that it cannot interrupt.
func TestSecondSignalKills(t *testing.T) {
	path := fifo(t)
	p := start(t, nil, "scan", "--kubeconfig", path)
	meet(t, path)
	for len(p.ended) == 0 {
		if err := p.Process.Signal(os.Interrupt); !errors.Is(err, os.ErrProcessDone) {
			require.NoError(t, err)
		}
	}
	status := p.waited()
	require.False(t, status.Signaled(), status.Signal())
	require.Equal(t, 130, status.ExitStatus())
}

// TestServeEndsInOrder holds that a container that is asked to end did not fail.
func TestServeEndsInOrder(t *testing.T) {
	config := exampleCluster(t).kubeconfig(t, "")
	for signal, code := range map[os.Signal]int{syscall.SIGTERM: 0, os.Interrupt: 130} {
		p := start(t, nil, "serve", "--listen", "127.0.0.1:0", "--kubeconfig", config)
		p.until("serving on http://")
		require.Equal(t, code, p.status(signal).ExitStatus(), "%s", signal)
	}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	p := start(t, read, "scan", "-f", "-")
	_, err = write.WriteString(anObject + strings.Repeat("# more than a pipe holds (pipe(7))\n", 8000))
	require.NoError(t, err)
	require.Equal(t, 130, p.status(syscall.SIGTERM).ExitStatus(), "what was to end by itself did not")
}

// TestInterruptionIsTwoLines holds that Ctrl-C during the reading of a cluster says so in two lines, that nothing was judged in the first.
func TestInterruptionIsTwoLines(t *testing.T) {
	asked := make(chan struct{}, 1)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case asked <- struct{}{}:
		default:
		}
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	p := start(t, nil, "scan", "--server", silent.URL)
	<-asked
	require.NoError(t, p.Process.Signal(os.Interrupt))
	said, err := io.ReadAll(p.stderr)
	require.NoError(t, err)
	require.Equal(t, 130, p.waited().ExitStatus())
	require.Regexp(t, `^interrupted after 0 of \d+ kinds of objects were read; nothing was judged\nnot looked at: [^\n]{1,66}\n$`, string(said))
}
