package situations

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// Bed is a cluster with a real node, on which the operator is installed and watches the namespaces of all situations.
type Bed struct {
	Cluster  *controlplane.ControlPlane
	Node     *node.Node
	Operator string    // its release
	Binary   string    // kubectl-sparkdoctor
	Log      io.Writer // what happens
}

// Namespaces are those of all situations, for the operator to watch.
func Namespaces() []string {
	names := []string{crowdNamespace}
	for _, p := range patched() {
		names = append(names, p.namespace())
	}
	for _, s := range slices.Concat(All(), Alone()) {
		names = append(names, s.Name)
	}
	return names
}

// atOnce is how many situations begin side by side: a JVM or two each. More of them starve the operator's webhook on two cores.
const atOnce = 2

// Happen makes situations happen and returns what did not, by name. One that fails does not stop the others.
func (b Bed) Happen(ctx context.Context, list []Situation) (map[string]error, error) {
	var mu sync.Mutex
	failed := map[string]error{}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, s := range list {
		group.Go(func() error {
			start := time.Now()
			err := s.happen(ctx, b)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed[s.Name] = err
			}
			fmt.Fprintf(b.Log, "%s: %s %v\n", s.Name, time.Since(start).Round(time.Second), err)
			return nil
		})
	}
	return failed, group.Wait()
}

// kubectl runs the release's own kubectl as the administrator.
func (b Bed) kubectl(ctx context.Context, args ...string) ([]byte, error) {
	return b.run(ctx, b.Cluster.Kubectl(), args...)
}

// run runs a program against the cluster and returns what it prints.
func (b Bed) run(ctx context.Context, program string, args ...string) ([]byte, error) {
	config, err := b.Cluster.Kubeconfig("admin")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, append(args, "--kubeconfig="+config)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("running %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}
