// Package node adds a real node to a control plane: a kubelet, containerd and runc, the CNI's bridge, and a DNS server. It needs Linux
// and root, and there is one at a time on a machine.
//
// The node has mount, process and network namespaces of its own. Its first process, boot, ends with the process that started it, and
// the kernel then ends every other, takes away what is mounted and removes the network. Left are a directory and control groups,
// which Stop removes, or the next Start.
package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/relay"
)

// Options say how a node starts. The zero value is a node "node-real" that can run no image but pause.
type Options struct {
	Log     io.Writer         // gets each step and how long it took; nil discards it
	Name    string            // of the Node, "node-real" if empty
	Images  []string          // archives to import before the node is ready
	Kubelet map[string]any    // fields of the KubeletConfiguration that win over what the bed sets
	Labels  map[string]string // of the Node
}

// Node is a running node.
type Node struct {
	Name    string
	Address string // where its kubelet answers
	Dir     string // logs and state; gone after Stop

	cp      *controlplane.ControlPlane
	opts    Options
	tools   tools
	lock    net.Listener
	boot    *exec.Cmd
	stdin   io.Closer
	output  *tail
	done    chan struct{} // closed when boot has ended
	started time.Time     // when boot was
	service *relay.Relay
}

// Start builds what is missing, removes what a node left whose test was killed, starts a node and returns when it is ready. The control
// plane must have been started with NodeJoins. Call Stop in any case but an error.
func Start(ctx context.Context, cp *controlplane.ControlPlane, opts Options) (*Node, error) {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	if opts.Name == "" {
		opts.Name = "node-real"
	}
	if err := Supported(); err != nil {
		return nil, err
	}
	n := &Node{Name: opts.Name, Address: nodeAddress, Dir: stateDir, cp: cp, opts: opts}
	if err := n.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting a node: %w", err), n.Stop())
	}
	return n, nil
}

func (n *Node) start(ctx context.Context) (err error) {
	if n.tools, err = build(ctx, n.cp.Builder()); err != nil {
		return err
	}
	// The lock comes before anything that Stop removes.
	if n.lock, err = lock(); err != nil {
		return err
	}
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"removing what is left of an earlier node", func(ctx context.Context) error { return removeState(ctx) }},
		{"writing its files", n.writeFiles},
		{"its namespaces and network", n.startBoot},
		{"containerd", n.waitForContainerd},
		{"importing images", func(ctx context.Context) error { return n.Import(ctx, n.images()...) }},
		{"the kubelet to be ready", n.waitUntilReady},
	} {
		start := time.Now()
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w%s", step.what, err, n.ended())
		}
		fmt.Fprintf(n.opts.Log, "node %s: %s: %s\n", n.Name, step.what, time.Since(start).Round(10*time.Millisecond))
	}
	return nil
}

// Import adds image archives to those that the node's pods can use.
func (n *Node) Import(ctx context.Context, archives ...string) error {
	for _, archive := range archives {
		start := time.Now()
		if out, err := n.ctr(ctx, "images", "import", archive); err != nil {
			return fmt.Errorf("importing %s: %w\n%s", filepath.Base(archive), err, out)
		}
		fmt.Fprintf(n.opts.Log, "node %s: imported %s in %s\n", n.Name, filepath.Base(archive), time.Since(start).Round(10*time.Millisecond))
	}
	return nil
}

func (n *Node) images() []string { return append([]string{n.tools.pause}, n.opts.Images...) }

// ctr runs containerd's own client in the namespace of Kubernetes' containers.
func (n *Node) ctr(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	return exec.CommandContext(ctx, n.tools.containerd+"/ctr", append([]string{"--address", n.file(containerdSocket),
		"--namespace", "k8s.io"}, args...)...).CombinedOutput()
}

func (n *Node) file(name string) string { return filepath.Join(n.Dir, name) }

// Restart stops the node and starts it again, with fields of the KubeletConfiguration that win over what the bed sets.
func (n *Node) Restart(ctx context.Context, kubelet map[string]any) error {
	if err := n.Stop(); err != nil {
		return err
	}
	n.opts.Kubelet = kubelet
	return n.start(ctx)
}

// Stop ends the node and everything that ran on it, and leaves nothing but its objects in the cluster. It may be called more than
// once.
func (n *Node) Stop() error {
	if n.lock == nil {
		return nil
	}
	defer func() {
		n.lock.Close()
		n.lock = nil
	}()
	if n.service != nil {
		n.service.Close()
	}
	if n.boot != nil {
		n.stdin.Close()
		_ = n.boot.Process.Kill()
		<-n.done
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return removeState(ctx)
}

// ended explains an error with the ends of the logs.
func (n *Node) ended() string {
	var text strings.Builder
	if n.output != nil {
		fmt.Fprintf(&text, "\n--- boot\n%s", n.output.String())
	}
	for _, name := range []string{containerdName, kubeletName, dnsName} {
		if log, err := os.ReadFile(n.file(name + ".log")); err == nil {
			fmt.Fprintf(&text, "\n--- %s\n%s", name, log[max(0, len(log)-4096):])
		}
	}
	return text.String()
}
