package scan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	files "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// target is the file of rendered manifests. It is read twice: before the cluster, so that a mistake is reported at once, and
// when it is known in which namespace the release is.
type target struct {
	path  string
	stdin []byte
	home  string // namespace of the release, as the manifests say it

	schemas snapshot.Schemas // of its CRDs
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
	t.schemas = snapshot.SchemasOf(s)
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
	from := await.Reader(ctx, o.Stdin)
	if o.Values != "-" {
		f, err := files.Open(ctx, o.Values)
		if err != nil {
			return nil, fmt.Errorf("--helm-values: %w", err)
		}
		defer f.Close() //nolint:errcheck // only read
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, helm.MaxValues+1))
	if err != nil {
		return nil, fmt.Errorf("--helm-values: %w", err)
	}
	values, err := helm.ParseValues(data)
	if err != nil {
		return nil, fmt.Errorf("--helm-values %s: %w", o.Values, err)
	}
	return values, nil
}

// readRelease reads what Helm keeps of an installation; nil if that was not asked for. What is wrong ends the gate: without the release
// it would answer another question than the one that was asked.
func (o GateOptions) readRelease(ctx context.Context, in *operator.Installation) (*helm.Release, error) {
	if !o.Release {
		return nil, nil
	}
	cluster, live := o.Source.(Cluster)
	switch {
	case !live:
		return nil, errors.New("--helm-release reads a cluster; with files, pass --helm-values")
	case in == nil:
		return nil, errors.New("--helm-release: no operator found, whose Deployment names its release; pass --helm-values")
	}
	r := command.InstallerOf(in)
	name, namespace := in.Controller.Helm.Name, ReleaseNamespace(in)
	switch r.Tool {
	case command.ArgoCD:
		return nil, fmt.Errorf("--helm-release: Argo CD renders the chart of application %s itself, so that Helm keeps no release; "+
			"pass --helm-values with the values of the application", r.Source)
	case command.Kustomize, command.PlainKustomize:
		return nil, errors.New("--helm-release: the operator was installed with kustomize, so that there is no Helm release; " +
			"pass --target-manifests with the output of kubectl kustomize")
	}
	conn, err := cluster.Connect()
	if err != nil {
		return nil, err
	}
	release, err := collect.HelmRelease(ctx, conn, namespace, name)
	if err != nil {
		return nil, releaseError(err, cmp.Or(name, r.Name), namespace)
	}
	if !release.Locate(in.Controller.Name) {
		return nil, fmt.Errorf("--helm-release: revision %d of release %s in namespace %s holds no chart of the Spark Operator; "+
			"pass --helm-values", release.Revision, release.Name, namespace)
	}
	return release, nil
}

// ReleaseNamespace is where Helm keeps the release of an installation. Flux keeps it beside its HelmRelease, unless spec.storageNamespace
// says otherwise (fluxcd.io/flux/components/helm/helmreleases, storage namespace).
func ReleaseNamespace(in *operator.Installation) string {
	r := command.InstallerOf(in)
	if r.Tool == command.FluxHelm {
		return cmp.Or(r.SourceFrom, r.Namespace)
	}
	return r.Namespace
}

// releaseError says what to do where a release cannot be read.
func releaseError(err error, name, namespace string) error {
	var why *collect.ReleaseError
	if !errors.As(err, &why) {
		return err
	}
	instead := fmt.Sprintf("pass --helm-values with the output of helm get values %s -n %s -o yaml", name, namespace)
	switch {
	case why.Forbidden:
		return fmt.Errorf("--helm-release: you may not list and get Secrets in namespace %s, where Helm keeps its releases; kubectl "+
			"sparkdoctor rbac --helm-release --operator-namespaces %s prints the Role, or %s", namespace, namespace, instead)
	case len(why.Found) > 0:
		return fmt.Errorf("--helm-release: the operator's Deployment does not name its Helm release, and namespace %s holds several: %s; "+
			"pass --helm-values with the output of helm get values RELEASE -n %s -o yaml", namespace, few(why.Found), namespace)
	case why.Reason == "":
		return fmt.Errorf("--helm-release: no Secret in namespace %s holds Helm release %s; see helm list -n %s; if Helm keeps releases "+
			"elsewhere (HELM_DRIVER), %s", namespace, name, namespace, instead)
	default:
		return fmt.Errorf("--helm-release: release %s in namespace %s cannot be read: %s; %s", name, namespace, why.Reason, instead)
	}
}

// maxTarget bounds manifests on standard input. The chart renders to less than a MiB, without CRDs to a tenth of that.
const maxTarget = 64 << 20
