package controlplane

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// dieWithParent lets the kernel kill the program when the test process dies, however it dies.
// The signal is tied to the thread that started the program; Go ends a thread only when a goroutine
// locked to it ends, and none is here (golang/go#27505).
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// stopped says whether all threads of the program are stopped (state T in proc_pid_stat(5)).
func (p *process) stopped() (bool, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.cmd.Process.Pid))
	if err != nil || len(threads) == 0 {
		return false, fmt.Errorf("looking for the threads of %s: %w", p.name, err)
	}
	for _, path := range threads {
		stat, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // ended meanwhile
		}
		if err != nil {
			return false, fmt.Errorf("reading the state of %s: %w", p.name, err)
		}
		// The state follows the name of the thread, which is in brackets and may hold any character.
		if i := bytes.LastIndexByte(stat, ')'); i < 0 || i+2 >= len(stat) || stat[i+2] != 'T' {
			return false, nil
		}
	}
	return true, nil
}
