package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/vishvananda/netlink"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// pidFile holds the number of the node's first process.
const pidFile = "boot.pid"

// ErrAnotherNode says that another process runs a node on this machine.
var ErrAnotherNode = errors.New("another real node is up on this machine, and there is one at a time")

func lock() (net.Listener, error) {
	l, err := net.Listen("unix", lockName)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, ErrAnotherNode
	}
	if err != nil {
		return nil, fmt.Errorf("locking: %w", err)
	}
	return l, nil
}

// removeState removes what is left of a node. Whoever calls it holds the lock, so that its node is this process's own or one whose
// test was killed.
func removeState(ctx context.Context) error {
	if err := endBoot(ctx, stateDir); err != nil {
		return err
	}
	// It goes with the node's namespaces, which the kernel takes down a moment after the last process.
	if link, err := netlink.LinkByName(hostInterface); err == nil {
		if err := netlink.LinkDel(link); err != nil && !errors.As(err, new(netlink.LinkNotFoundError)) && !errors.Is(err, syscall.ENODEV) {
			return fmt.Errorf("removing interface %s: %w", hostInterface, err)
		}
	}
	if err := removeGroups(ctx, cgroupRoot, stateDir); err != nil {
		return err
	}
	if err := os.RemoveAll(stateDir); err != nil {
		return fmt.Errorf("removing the node's directory: %w", err)
	}
	return nil
}

// endBoot ends the first process of a node that is written down in a directory, if there is one and it is what it was.
func endBoot(ctx context.Context, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, pidFile))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the number of the node's first process: %w", err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return fmt.Errorf("reading the number of the node's first process: %w", err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return fmt.Errorf("finding the node's first process: %w", err)
	}
	if !runs(pid, filepath.Join(dir, "boot")) {
		return nil
	}
	if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("ending the node's first process: %w", err)
	}
	return controlplane.Until(ctx, 20*time.Second, "the node's first process to end", func(context.Context) (bool, error) {
		return !runs(pid, filepath.Join(dir, "boot")), nil
	})
}

// runs says whether a process is there whose program was started under the given name. One that has ended has no command line.
func runs(pid int, program string) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	name, _, _ := strings.Cut(string(text), "\x00")
	return err == nil && name == program
}
