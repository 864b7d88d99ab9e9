package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

const (
	controllers    = "cgroup.controllers"     // what a group may use, v2 only
	subtreeControl = "cgroup.subtree_control" // what its children may use
	enabledFile    = "controllers"            // those that the machine's children could not use before
)

// hierarchies returns the roots of the trees of control groups: one of v2, or one for each controller of v1 (cgroups(7)).
func hierarchies(root string) ([]string, error) {
	if isFile(filepath.Join(root, controllers)) {
		return []string{root}, nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("listing the hierarchies of control groups: %w", err)
	}
	var out []string
	for _, entry := range entries {
		dir, err := filepath.EvalSymlinks(filepath.Join(root, entry.Name())) // cpu is often a link to cpu,cpuacct
		if err == nil && isFile(filepath.Join(dir, "cgroup.procs")) && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no control groups are mounted at %s", root)
	}
	return out, nil
}

// makeGroups makes the group below which the kubelet puts its pods, in every hierarchy. With v2 it lets the children of the root use
// all controllers, as systemd does for those that units ask for, and notes in dir which that added.
func makeGroups(root, dir string) error {
	roots, err := hierarchies(root)
	if err != nil {
		return err
	}
	if isFile(filepath.Join(root, controllers)) {
		if err := enableControllers(root, dir); err != nil {
			return err
		}
	}
	for _, at := range roots {
		group := filepath.Join(at, cgroupName)
		if err := os.Mkdir(group, 0o755); err != nil {
			return fmt.Errorf("making a control group: %w", err)
		}
		// A new group of v1 may use no processor and no memory until it is told which (cpuset(7)).
		for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
			all, err := os.ReadFile(filepath.Join(at, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue // not this controller, or v2, whose groups inherit
			}
			if err != nil {
				return fmt.Errorf("reading what the machine may use: %w", err)
			}
			if err := os.WriteFile(filepath.Join(group, name), all, 0o644); err != nil {
				return fmt.Errorf("giving the control group processors and memory: %w", err)
			}
		}
	}
	return nil
}

func enableControllers(root, dir string) error {
	all, err := os.ReadFile(filepath.Join(root, controllers))
	if err != nil {
		return fmt.Errorf("listing controllers: %w", err)
	}
	now, err := os.ReadFile(filepath.Join(root, subtreeControl))
	if err != nil {
		return fmt.Errorf("listing controllers that are in use: %w", err)
	}
	var added []string
	for _, name := range strings.Fields(string(all)) {
		if !slices.Contains(strings.Fields(string(now)), name) {
			added = append(added, name)
		}
	}
	// First the note: what was written down and not done is undone without harm.
	if err := os.WriteFile(filepath.Join(dir, enabledFile), []byte(strings.Join(added, " ")), 0o600); err != nil {
		return fmt.Errorf("noting controllers: %w", err)
	}
	return setControllers(root, "+", added)
}

func setControllers(root, sign string, names []string) error {
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(root, subtreeControl), []byte(sign+name), 0o644); err != nil {
			return fmt.Errorf("setting controller %s%s: %w", sign, name, err)
		}
	}
	return nil
}

// removeGroups undoes makeGroups. The groups are empty, for their processes ended with the node; the kernel says so a moment later.
func removeGroups(ctx context.Context, root, dir string) error {
	roots, err := hierarchies(root)
	if err != nil {
		return err
	}
	for _, at := range roots {
		group := filepath.Join(at, cgroupName)
		err := controlplane.Until(ctx, 10*time.Second, "the node's control groups to be empty", func(context.Context) (bool, error) {
			err := removeTree(group)
			return err == nil, err
		})
		if err != nil {
			return err
		}
	}
	added, err := os.ReadFile(filepath.Join(dir, enabledFile))
	if err != nil {
		return nil // v1, or nothing was started
	}
	return setControllers(root, "-", strings.Fields(string(added)))
}

// removeTree removes a group and those below it. Their files go with them.
func removeTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if err := removeTree(filepath.Join(dir, entry.Name())); err != nil {
				return err
			}
		}
	}
	return os.Remove(dir)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
