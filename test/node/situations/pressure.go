package situations

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"k8s.io/apimachinery/pkg/api/resource"
)

// kubelet is a field or more of a KubeletConfiguration, which are asked for when a node starts.
type kubelet func() (map[string]any, error)

// startNode starts the node again, with another configuration of its kubelet.
func startNode(configured kubelet) Step {
	return Step{"start the node", func(ctx context.Context, p place) error {
		fields, err := configured()
		if err != nil {
			return err
		}
		return p.node.Restart(ctx, fields)
	}}
}

// asEver is the configuration that the bed sets.
func asEver() kubelet { return func() (map[string]any, error) { return nil, nil } }

const forPods = 4 << 30 // bytes of memory

// memoryPressure leaves 4 GiB to pods, of which the kubelet wants 300 MiB free. What else runs on the machine does not count.
func memoryPressure() kubelet {
	return func() (map[string]any, error) {
		total, err := memory()
		if err != nil {
			return nil, err
		}
		reserved := resource.NewQuantity(total-forPods, resource.BinarySI)
		return map[string]any{
			"systemReserved": map[string]any{"memory": reserved.String()}, "enforceNodeAllocatable": []string{"pods"},
			"evictionHard": map[string]any{"memory.available": "300Mi"},
		}, nil
	}
}

// memory is what the machine has, in bytes.
func memory() (int64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, fmt.Errorf("reading how much memory the machine has: %w", err)
	}
	var kibibytes int64
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kibibytes); err != nil {
		return 0, fmt.Errorf("reading how much memory the machine has: %w", err)
	}
	return kibibytes << 10, nil
}

// diskPressure wants as much of the disk free as there is now, but for 2 GiB.
func diskPressure() kubelet {
	return func() (map[string]any, error) {
		var stat syscall.Statfs_t
		if err := syscall.Statfs("/tmp", &stat); err != nil {
			return nil, fmt.Errorf("reading how full the disk is: %w", err)
		}
		free := resource.NewQuantity(int64(stat.Bavail)*int64(stat.Bsize)-2<<30, resource.BinarySI)
		return map[string]any{"evictionHard": map[string]any{"nodefs.available": free.String(), "imagefs.available": "1Gi"}}, nil
	}
}
