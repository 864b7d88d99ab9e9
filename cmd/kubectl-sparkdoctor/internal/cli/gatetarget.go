package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// target is the file of rendered manifests. It is read twice: before the cluster, so that a mistake is told at once, and when it is
// known in which namespace the release is.
type target struct {
	path  string
	stdin []byte
}

// in reads the manifests as Helm applies them: what names no namespace lives in that of the release.
func (t *target) in(ctx context.Context, namespace string) (*snapshot.Snapshot, error) {
	if t == nil {
		return nil, nil
	}
	s, _, err := t.read(ctx, namespace)
	return s, err
}

func (t *target) read(ctx context.Context, namespace string) (*snapshot.Snapshot, collect.Input, error) {
	s, read, err := collect.Files(ctx, collect.FileOptions{
		Paths: []string{t.path}, Stdin: bytes.NewReader(t.stdin), Namespace: namespace, Now: time.Now().Truncate(time.Second),
	})
	if err != nil {
		return nil, collect.Input{}, fmt.Errorf("--target-manifests: %w", err)
	}
	return s, read, nil
}

// readTarget checks that the rendered manifests are those of the target; nil if there are none.
func (g *gateOptions) readTarget(ctx context.Context, streams genericiooptions.IOStreams) (*target, error) {
	if g.target == "" {
		return nil, nil
	}
	t := &target{path: g.target}
	if t.path == "-" {
		var err error
		if t.stdin, err = io.ReadAll(io.LimitReader(collect.Await(ctx, streams.In), maxTarget+1)); err != nil || len(t.stdin) > maxTarget {
			return nil, fmt.Errorf("--target-manifests: standard input cannot be read, or is larger than %d MiB", maxTarget>>20)
		}
	}
	s, read, err := t.read(ctx, "")
	if err != nil {
		return nil, err
	}
	sayCopies(streams, read)
	for _, in := range operator.Find(s.Deployments()) {
		if in.Controller == nil {
			continue
		}
		if in.Recognised && in.Version != g.to {
			return nil, fmt.Errorf("--target-manifests %s installs operator %s, not %s", g.target, in.Version, g.to)
		}
		if !in.Recognised {
			say(streams, "--target-manifests: %s states version %q, and is judged as %s", controllerName(&in), report.Escape(in.Stated), g.to)
		}
		return t, nil
	}
	return nil, fmt.Errorf("--target-manifests %s holds no controller of the operator: it should be the output of helm template", g.target)
}

// maxTarget bounds manifests on standard input. The chart renders to less than a MiB, without CRDs to a tenth of that.
const maxTarget = 64 << 20
