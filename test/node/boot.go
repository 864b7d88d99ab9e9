package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/vishvananda/netlink"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/relay"
)

// startBoot starts the node's first process, connects its network to the machine, and lets it go on.
func (n *Node) startBoot(context.Context) error {
	text, err := json.MarshalIndent(n.plan(), "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the plan: %w", err)
	}
	if err := os.WriteFile(n.file("plan.json"), text, 0o600); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	cmd := exec.Command(n.file("boot"), n.file("plan.json"))
	cmd.SysProcAttr = ownNamespaces()
	n.output = &tail{}
	cmd.Stdout, cmd.Stderr = n.output, n.output
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("connecting to boot: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting boot: %w", err)
	}
	n.boot = cmd
	n.stdin = stdin
	n.done = make(chan struct{})
	n.started = time.Now()
	go func() {
		_ = cmd.Wait() // it has said why on its output
		close(n.done)
	}()
	if err := os.WriteFile(n.file(pidFile), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
		return fmt.Errorf("writing down the node's first process: %w", err)
	}
	if err := connect(cmd.Process.Pid); err != nil {
		return err
	}
	if n.service, err = relay.Start(controlplane.ServiceAddress, 443); err != nil {
		return err
	}
	n.service.SetBackends(n.cp.Server())
	if _, err := io.WriteString(stdin, "go on\n"); err != nil {
		return fmt.Errorf("letting boot go on: %w", err)
	}
	return nil
}

// connect puts one end of a pair of interfaces into the namespace of a process. The machine forwards nothing that arrives at the other
// end, whatever it does for other interfaces, and changes no address.
func connect(pid int) error {
	pair := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: hostInterface}, PeerName: nodeInterface, PeerNamespace: netlink.NsPid(pid)}
	if err := netlink.LinkAdd(pair); err != nil {
		return fmt.Errorf("adding interface %s: %w", hostInterface, err)
	}
	if err := os.WriteFile("/proc/sys/net/ipv4/conf/"+hostInterface+"/forwarding", []byte("0"), 0o644); err != nil {
		return fmt.Errorf("forbidding the forwarding of packets: %w", err)
	}
	for _, address := range []string{hostAddress + prefix, controlplane.ServiceAddress + "/32"} {
		parsed, err := netlink.ParseAddr(address)
		if err != nil {
			return fmt.Errorf("parsing address %s: %w", address, err)
		}
		if err := netlink.AddrAdd(pair, parsed); err != nil {
			return fmt.Errorf("adding address %s: %w", address, err)
		}
	}
	if err := netlink.LinkSetUp(pair); err != nil {
		return fmt.Errorf("setting interface %s up: %w", hostInterface, err)
	}
	return nil
}

func (n *Node) waitForContainerd(ctx context.Context) error {
	return n.until(ctx, 30*time.Second, "containerd to answer", func(context.Context) (bool, error) {
		conn, err := net.Dial("unix", n.file(containerdSocket))
		if err != nil {
			return false, err
		}
		return true, conn.Close()
	})
}

func (n *Node) waitUntilReady(ctx context.Context) error {
	return n.until(ctx, time.Minute, "the node to be ready", func(ctx context.Context) (bool, error) {
		node, err := n.cp.Client.CoreV1().Nodes().Get(ctx, n.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range node.Status.Conditions {
			// A Node of that name may be left of an earlier one: it counts from this kubelet's first heartbeat on.
			fresh := !condition.LastHeartbeatTime.Time.Before(n.started.Truncate(time.Second))
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue && fresh && len(node.Spec.Taints) == 0 {
				return true, nil
			}
		}
		return false, fmt.Errorf("conditions %v, taints %v", node.Status.Conditions, node.Spec.Taints)
	})
}

// until waits for a condition, and no longer than the node runs.
func (n *Node) until(ctx context.Context, timeout time.Duration, what string, holds func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-n.done:
			cancel(errors.New("the node has ended"))
		case <-ctx.Done():
		}
	}()
	err := controlplane.Until(ctx, timeout, what, holds)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w (%w)", err, context.Cause(ctx))
	}
	return err
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	t.text = t.text[max(0, len(t.text)-4096):]
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
