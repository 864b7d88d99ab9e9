//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node/plan"
)

// mounts separates what the node mounts from the machine, and hides from it what it would write outside of its directory.
func mounts(p plan.Plan) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("separating the node's mounts: %w", err)
	}
	// Pods' volumes are shared between the kubelet and containers, which mount propagation needs (mount_namespaces(7)).
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""); err != nil {
		return fmt.Errorf("sharing the node's mounts with its containers: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	for _, dir := range p.Hide {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			continue // nothing to hide; what appears below it, stays in its nearest parent that is hidden
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=755"); err != nil {
			return fmt.Errorf("hiding %s: %w", dir, err)
		}
	}
	for _, name := range p.Settings {
		if err := copySetting(p.Dir, filepath.Join("/proc/sys", name)); err != nil {
			return err
		}
	}
	return nil
}

// copySetting puts a file in the place of a kernel setting, so that the kubelet, which sets what it likes
// (setupKernelTunables, pkg/kubelet/cm/container_manager_linux.go@v1.36.3), does not change the machine.
func copySetting(dir, path string) error {
	now, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading a kernel setting: %w", err)
	}
	stand := filepath.Join(dir, "settings", strings.ReplaceAll(strings.TrimPrefix(path, "/proc/sys/"), "/", "."))
	if err := os.MkdirAll(filepath.Dir(stand), 0o755); err != nil {
		return fmt.Errorf("making a place for kernel settings: %w", err)
	}
	if err := os.WriteFile(stand, now, 0o644); err != nil {
		return fmt.Errorf("copying a kernel setting: %w", err)
	}
	if err := unix.Mount(stand, path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("putting a copy in the place of %s: %w", path, err)
	}
	return nil
}
