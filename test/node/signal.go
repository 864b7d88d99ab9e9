package node

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"k8s.io/apimachinery/pkg/types"
)

// Signal sends a signal to one of the node's own programs: "kubelet", "containerd" or "coredns". A kubelet that is stopped (SIGSTOP) is
// a node that the cluster has lost; SIGCONT brings it back.
func (n *Node) Signal(program string, signal syscall.Signal) error {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", n.boot.Process.Pid))
	if err != nil {
		return fmt.Errorf("listing the node's programs: %w", err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // a thread that has ended
		}
		for pid := range strings.FieldsSeq(string(text)) {
			number, err := strconv.Atoi(pid)
			if err == nil && runs(number, n.path(program)) {
				return syscall.Kill(number, signal)
			}
		}
	}
	return fmt.Errorf("signalling %s: it does not run", program)
}

func (n *Node) path(program string) string {
	for _, p := range n.plan().Programs {
		if p.Name == program {
			return p.Path
		}
	}
	return ""
}

// SignalPod sends a signal to the processes of a pod's containers that were started under the given name, such as
// "/usr/bin/spark-operator".
func (n *Node) SignalPod(pod types.UID, program string, signal syscall.Signal) error {
	pids, err := n.processes(pod)
	if err != nil {
		return err
	}
	sent := false
	for _, pid := range pids {
		if !runs(pid, program) {
			continue
		}
		if err := syscall.Kill(pid, signal); err != nil {
			return fmt.Errorf("signalling process %d of pod %s: %w", pid, pod, err)
		}
		sent = true
	}
	if !sent {
		return fmt.Errorf("signalling %s of pod %s: it does not run", program, pod)
	}
	return nil
}

// processes are those in the control groups of a pod, which the kubelet names after its UID.
func (n *Node) processes(pod types.UID) ([]int, error) {
	roots, err := hierarchies(cgroupRoot)
	if err != nil {
		return nil, err
	}
	var pids []int
	// With v1 a process is in a group of every hierarchy; one that limits memory has all of them.
	at := roots[0]
	for _, root := range roots {
		if filepath.Base(root) == "memory" {
			at = root
		}
	}
	err = filepath.WalkDir(filepath.Join(at, cgroupName), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "cgroup.procs" || !strings.Contains(path, "pod"+string(pod)) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for field := range strings.FieldsSeq(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				return err
			}
			pids = append(pids, pid)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing the processes of pod %s: %w", pod, err)
	}
	return pids, nil
}
