package scan

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// target is the file of rendered manifests. It is read twice: before the cluster, so that a mistake is told at once, and
// when it is known in which namespace the release is.
type target struct {
	path  string
	stdin []byte
	home  string // namespace of the release, as the manifests say it
}

// in reads the manifests as Helm applies them: what names no namespace lives in that of the release. Where no installed operator
// shows which one that is, the manifests may.
func (t *target) in(ctx context.Context, namespace string) (*snapshot.Snapshot, error) {
	if t == nil {
		return nil, nil
	}
	s, _, err := t.read(ctx, cmp.Or(namespace, t.home))
	return s, err
}

// homeOf returns the namespace that manifests say their release is in: the one of the account under which the controller runs, as
// their bindings name it: the chart writes it there, and on no Deployment (charts/spark-operator-chart/templates/controller/
// {deployment,rbac}.yaml@v2.0.0 to @v2.5.2). Empty: none does, or two do.
func homeOf(s *snapshot.Snapshot, controller *snapshot.Deployment) string {
	if controller.Namespace != "" {
		return controller.Namespace
	}
	home := ""
	for _, v := range []snapshot.View{snapshot.RoleBindings, snapshot.ClusterRoleBindings} {
		for _, b := range s.RoleBindings(v) {
			for _, who := range b.Subjects {
				switch {
				case who.Everyone || who.Name != controller.Account.Name || who.Namespace == "":
				case home != "" && home != who.Namespace:
					return ""
				default:
					home = who.Namespace
				}
			}
		}
	}
	return home
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
		t.home = homeOf(s, in.Controller)
		return t, nil
	}
	return nil, fmt.Errorf("--target-manifests %s holds no controller of the operator: it should be the output of helm template",
		o.Manifests)
}

// readValues reads the file of values; nil if there is none.
func (o GateOptions) readValues(ctx context.Context) (helm.Values, error) {
	if o.Values == "" {
		return nil, nil
	}
	from := o.Stdin
	if o.Values != "-" {
		f, err := os.Open(o.Values)
		if err != nil {
			return nil, fmt.Errorf("--helm-values: %w", err)
		}
		defer f.Close() //nolint:errcheck // only read
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(await.Reader(ctx, from), helm.MaxValues+1))
	if err != nil {
		return nil, fmt.Errorf("--helm-values: %w", err)
	}
	values, err := helm.ParseValues(data)
	if err != nil {
		return nil, fmt.Errorf("--helm-values %s: %w", o.Values, err)
	}
	return values, nil
}

// maxTarget bounds manifests on standard input. The chart renders to less than a MiB, without CRDs to a tenth of that.
const maxTarget = 64 << 20
