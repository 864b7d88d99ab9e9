package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// etcdFile is where the address of etcd is written, beside the kubeconfigs.
const etcdFile = "etcd.url"

// EtcdBeside returns the address of the etcd whose cluster a kubeconfig of this package is for. It takes requests
// of all users of this machine.
func EtcdBeside(kubeconfig string) (string, error) {
	address, err := os.ReadFile(filepath.Join(filepath.Dir(kubeconfig), etcdFile))
	if err != nil {
		return "", fmt.Errorf("finding etcd: %w", err)
	}
	return string(address), nil
}

// Etcd returns the address of the cluster's etcd.
func (cp *ControlPlane) Etcd() (string, error) { return EtcdBeside(cp.file("any")) }

// CollectGarbage has the API server collect its own, and waits until it has (net/http/pprof: heap?gc=1).
func (cp *ControlPlane) CollectGarbage(ctx context.Context) error {
	if _, err := cp.Client.CoreV1().RESTClient().Get().AbsPath("/debug/pprof/heap").Param("gc", "1").DoRaw(ctx); err != nil {
		return fmt.Errorf("asking the API server to collect its garbage: %w", err)
	}
	return nil
}

// ForgetPeakMemory lets APIServerPeakMemory start again (proc(5), clear_refs).
func (cp *ControlPlane) ForgetPeakMemory() error {
	path, err := cp.proc("clear_refs")
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte("5"), 0o200)
}

// APIServerPeakMemory returns the most bytes that were resident in the API server since ForgetPeakMemory. Linux only.
func (cp *ControlPlane) APIServerPeakMemory() (int64, error) {
	path, err := cp.proc("status")
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("reading the API server's memory: %w", err)
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0, errors.New("this system does not say what a process took at most")
	}
	kib, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kib << 10, err
}

func (cp *ControlPlane) proc(file string) (string, error) {
	cp.mu.Lock()
	defer cp.mu.Unlock()
	for _, p := range cp.processes {
		if p.name == "kube-apiserver" {
			return fmt.Sprintf("/proc/%d/%s", p.cmd.Process.Pid, file), nil
		}
	}
	return "", errors.New("no API server runs")
}
