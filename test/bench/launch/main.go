// Command launch runs a program with its output thrown away, and prints what it took as JSON. It exists because a
// child's peak memory begins with that of the process that started it (Linux counts the memory that exec replaces):
// this one is small, the benchmark is not.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// taken is read by the benchmark.
type taken struct {
	Wall time.Duration
	CPU  time.Duration // of user and system
	Peak int64         // bytes
	Code int
}

func main() {
	t, err := run(os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(t)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) (taken, error) {
	if len(args) == 0 {
		return taken{}, errors.New("no program given")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return taken{}, fmt.Errorf("running %s: %w", args[0], err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return taken{}, errors.New("this system does not say what a process took")
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS == "linux" {
		peak <<= 10 // getrusage(2): kilobytes
	}
	return taken{Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Peak: peak, Code: cmd.ProcessState.ExitCode()},
		nil
}
