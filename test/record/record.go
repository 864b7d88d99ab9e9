// Package record makes examples/broken-cluster: real faults arise on a test cluster with the real operator, and what
// kubectl says of them is kept.
package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// Options say what is recorded where.
type Options struct {
	Dir string // gets the dump; files that the recording does not write stay
	// Stuck is how long the faults last before they are recorded: a deletion counts as stuck after ten minutes.
	Stuck time.Duration
	Log   io.Writer
}

// jobNamespaces are those that the operator watches.
func jobNamespaces() []string { return []string{"team-a", "streaming", "nightly", "reporting"} }

// values are those of a chart whose users wanted to see all executors, and never to be refused by the webhook.
func values() map[string]any {
	return map[string]any{
		"webhook":    map[string]any{"port": 9443, "failurePolicy": "Ignore"},
		"controller": map[string]any{"maxTrackedExecutorPerApp": 50_000},
	}
}

// Record starts a cluster, breaks it, waits, and writes the dump.
func Record(ctx context.Context, o Options) (err error) {
	cp, err := controlplane.Start(ctx, controlplane.Options{Log: o.Log, Nodes: 3})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cp.Stop()) }()
	r := &recorder{cp: cp, log: o.Log}
	if err := r.install(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		r.healthy, r.completed, r.stuckDeletion, r.driverWithoutOwner, r.grownStatus, r.lostDriver, r.takenByCollector,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	r.say("waiting %s", o.Stuck)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(o.Stuck):
	}
	// What the garbage collector would delete at once can be seen only while it does not run.
	if err := cp.PauseControllerManager(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cp.ResumeControllerManager()) }()
	if err := r.foreignOwner(ctx); err != nil {
		return err
	}
	return r.dump(ctx, o.Dir)
}

type recorder struct {
	cp  *controlplane.ControlPlane
	op  *controlplane.Operator
	log io.Writer
}

// install brings Argo's kinds first: the operator's installation restarts the controller manager, whose garbage
// collector then knows them too.
func (r *recorder) install(ctx context.Context) (err error) {
	if err := r.cp.CreateNamespace(ctx, "argo"); err != nil {
		return err
	}
	if _, err := r.kubectl(ctx, argoKinds, "create", "-f", "-"); err != nil {
		return err
	}
	if _, err := r.kubectl(ctx, "", "wait", "crd", "--all", "--for=condition=Established"); err != nil {
		return err
	}
	if _, err := r.kubectl(ctx, argoObjects, "create", "-f", "-"); err != nil {
		return err
	}
	opts := controlplane.OperatorOptions{Version: "2.5.1", JobNamespaces: jobNamespaces(), Values: values()}
	r.op, err = r.cp.InstallOperator(ctx, opts)
	return err
}

// kubectl runs the release's own kubectl as the administrator.
func (r *recorder) kubectl(ctx context.Context, stdin string, args ...string) ([]byte, error) {
	config, err := r.cp.Kubeconfig("admin")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, r.cp.Kubectl(), append([]string{"--kubeconfig=" + config}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running kubectl %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}

func (r *recorder) say(format string, args ...any) { fmt.Fprintf(r.log, format+"\n", args...) }
