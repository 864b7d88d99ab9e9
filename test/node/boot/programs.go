//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node/plan"
)

// programs starts the programs and returns when one of them has ended.
func programs(p plan.Plan) error {
	names := map[int]string{}
	started, failed := make(chan plan.Program), make(chan error, 1)
	go func() {
		for _, program := range p.Programs {
			started <- program
			if err := answers(program.Socket, 30*time.Second); err != nil {
				failed <- fmt.Errorf("waiting for %s: %w", program.Name, err)
				return
			}
		}
	}()
	ended := make(chan int)
	go reap(ended)
	for {
		select {
		case program := <-started:
			pid, err := start(p.Dir, program)
			if err != nil {
				return err
			}
			names[pid] = program.Name
		case err := <-failed:
			return err
		case pid := <-ended:
			if name := names[pid]; name != "" {
				return fmt.Errorf("%s has ended: see %s.log", name, name)
			}
		}
	}
}

func start(dir string, program plan.Program) (int, error) {
	log, err := os.OpenFile(filepath.Join(dir, program.Name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, fmt.Errorf("opening the log of %s: %w", program.Name, err)
	}
	defer log.Close()
	process, err := os.StartProcess(program.Path, append([]string{program.Path}, program.Args...), &os.ProcAttr{
		Dir: dir, Env: append(os.Environ(), program.Env...), Files: []*os.File{nil, log, log},
	})
	if err != nil {
		return 0, fmt.Errorf("starting %s: %w", program.Name, err)
	}
	return process.Pid, nil
}

// reap waits for all children: the kernel gives the first process those that have lost their parent, such as containerd's shims.
func reap(ended chan<- int) {
	for {
		pid, err := unix.Wait4(-1, nil, 0, nil)
		switch {
		case err == nil:
			ended <- pid
		case errors.Is(err, unix.ECHILD):
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// answers waits until a Unix socket takes connections.
func answers(socket string, timeout time.Duration) error {
	if socket == "" {
		return nil
	}
	deadline := time.Now().Add(timeout)
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}
