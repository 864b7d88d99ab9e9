package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// TestFirstFindingBeforeTheListingsEnd keeps the pods back until the terminal says what the applications alone show.
func TestFirstFindingBeforeTheListingsEnd(t *testing.T) {
	server := exampleCluster(t)
	var executors []string
	for i := range 20000 {
		executors = append(executors, fmt.Sprintf(`"clicks-8f1d2c9b7a6e5f40-exec-%d": "COMPLETED"`, i))
	}
	server.add(t, `{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "metadata": {"name": "clicks", "namespace": "streaming", "uid": "c"}, "status": {"executorState": {`+strings.Join(executors, ", ")+`}}}`)
	screen, terminal := newTerminal(t)
	said := make(chan string, 1)
	go func() {
		var all strings.Builder
		for part := make([]byte, 4096); ; {
			n, err := screen.Read(part)
			all.Write(part[:n])
			if strings.Contains(all.String(), "executorState with ") || err != nil {
				said <- all.String()
				return
			}
		}
	}()
	var once sync.Once
	var first string
	server.answer = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/v1/pods" {
			once.Do(func() {
				select {
				case first = <-said:
				case <-time.After(time.Minute):
				}
			})
		}
		return false
	}
	code := cli.Run(t.Context(), []string{"scan", "--checks", "SD3001,SD4002", "--kubeconfig", server.kubeconfig(t, "")}, genericiooptions.IOStreams{In: strings.NewReader(""), Out: &strings.Builder{}, ErrOut: terminal})
	require.Zero(t, code, "a warning fails nothing")
	require.Contains(t, first, "first: SparkApplication streaming/clicks: status.executorState with 20000 entries")
}

// newTerminal returns both ends of a pseudo-terminal: what a person sees, and what a program writes to (pty(7)).
func newTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	return screen, terminal
}
