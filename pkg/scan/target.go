package scan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// target is the file of rendered manifests. It is read twice: before the cluster, so that a mistake is told at once, and
// when it is known in which namespace the release is.
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

func (t *target) read(ctx context.Context, namespace string) (*snapshot.Snapshot, manifests.Input, error) {
	s, read, err := manifests.Read(ctx, manifests.Options{
		Paths: []string{t.path}, Stdin: bytes.NewReader(t.stdin), Namespace: namespace, Now: time.Now().Truncate(time.Second),
	})
	if err != nil {
		return nil, manifests.Input{}, fmt.Errorf("--target-manifests: %w", err)
	}
	return s, read, nil
}

// readTarget checks that the rendered manifests are those of the target; nil if there are none.
func (o GateOptions) readTarget(ctx context.Context) (*target, error) {
	if o.Manifests == "" {
		return nil, nil
	}
	t := &target{path: o.Manifests}
	if t.path == "-" {
		var err error
		if t.stdin, err = io.ReadAll(io.LimitReader(await.Reader(ctx, o.Stdin), maxTarget+1)); err != nil || len(t.stdin) > maxTarget {
			return nil, fmt.Errorf("--target-manifests: standard input cannot be read, or is larger than %d MiB", maxTarget>>20)
		}
	}
	s, read, err := t.read(ctx, "")
	if err != nil {
		return nil, err
	}
	o.noteCopies(read)
	for _, in := range operator.Find(s.Deployments()) {
		if in.Controller == nil {
			continue
		}
		if in.Recognised && in.Version != o.To {
			return nil, fmt.Errorf("--target-manifests %s installs operator %s, not %s", o.Manifests, in.Version, o.To)
		}
		if !in.Recognised {
			o.note("--target-manifests: %s states version %q, and is judged as %s", controllerName(&in), in.Stated, o.To)
		}
		return t, nil
	}
	return nil, fmt.Errorf("--target-manifests %s holds no controller of the operator: it should be the output of helm template",
		o.Manifests)
}

// maxTarget bounds manifests on standard input. The chart renders to less than a MiB, without CRDs to a tenth of that.
const maxTarget = 64 << 20
