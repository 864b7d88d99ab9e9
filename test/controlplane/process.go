package controlplane

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is one program of the cluster. Its output goes to a file in the cluster's directory.
type process struct {
	name string
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when the program has ended
	err  error         // what Wait said; read only after done
}

// startProcess starts a program. An existing log is continued, so that a restart keeps the history.
func startProcess(dir, name, path string, env []string, args ...string) (*process, error) {
	return startLogged(dir, name, nil, env, path, args...)
}

// startLogged starts a program whose output goes to a container's log, too, if there is one.
func startLogged(dir, name string, container *criLog, env []string, path string, args ...string) (*process, error) {
	log := filepath.Join(dir, name+".log")
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", name, err)
	}
	if container == nil {
		defer out.Close() // the program has it
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	if container != nil {
		both := io.MultiWriter(out, container)
		cmd.Stdout, cmd.Stderr = both, both
		cmd.WaitDelay = time.Second // nothing that the program leaves behind may hold its output
	}
	cmd.SysProcAttr = dieWithParent()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p := &process{name: name, cmd: cmd, log: log, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		if container != nil {
			out.Close()
			container.file.Close()
		}
		close(p.done)
	}()
	return p, nil
}

// stop asks the program to end and ends it by force after the grace period.
func (p *process) stop(grace time.Duration) {
	if p == nil {
		return
	}
	p.signal(syscall.SIGCONT) // a stopped program cannot react
	p.signal(syscall.SIGTERM)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
		return
	case <-timer.C:
	}
	p.signal(syscall.SIGKILL)
	<-p.done
}

// signal reaches only the program that was started: Go refuses once it has been waited for.
func (p *process) signal(sig syscall.Signal) {
	_ = p.cmd.Process.Signal(sig)
}

func (p *process) alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// failure explains an error with the end of the program's log.
func (p *process) failure(err error) error {
	if !p.alive() {
		return fmt.Errorf("%s ended early (%w): %w\n%s", p.name, p.err, err, logTail(p.log))
	}
	return fmt.Errorf("%s: %w\n%s", p.name, err, logTail(p.log))
}

func logTail(path string) string {
	const keep = 32 << 10 // the stack trace after an error is longer than the error
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	return string(text[max(0, len(text)-keep):])
}
