package node

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// Supported returns why no node can run on this machine, or nil.
func Supported() error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("a node needs Linux, and this is %s", runtime.GOOS)
	}
	if os.Geteuid() != 0 {
		return errors.New("a node needs root")
	}
	if _, err := os.Stat(cgroupRoot); err != nil {
		return fmt.Errorf("a node needs cgroups: %w", err)
	}
	for _, program := range []string{"runc"} {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if _, err := exec.LookPath("apt-get"); err != nil {
			return fmt.Errorf("a node needs %s, or apt-get to install it", program)
		}
	}
	return nil
}
