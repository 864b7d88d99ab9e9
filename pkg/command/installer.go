package command

import (
	"cmp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// Tool is what applies an operator's manifests.
type Tool string

// The tools.
const (
	Unknown   Tool = ""
	Helm      Tool = "Helm"
	ArgoCD    Tool = "Argo CD"
	FluxHelm  Tool = "Flux HelmRelease"
	Kustomize Tool = "Flux Kustomization"

	PlainKustomize Tool = "kustomize" // applied by hand
)

// Installer is what installs an operator, by the labels and annotations that Helm and GitOps tools set on the controller's Deployment.
type Installer struct {
	Tool  Tool
	Chart string // version of the operator's chart; empty: nothing says that it comes of one

	Name, Namespace       string // of the Helm release, or what the chart calls it
	Source, SourceFrom    string // name and namespace of what the GitOps tool applies; the namespace may not be known
	Deployment, Installed string // namespace/name of the controller, and its namespace
}

// InstallerOf reads it. Argo CD marks what it applies with an annotation, or with a label where that was configured
// (argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking); Flux with labels (fluxcd/helm-controller#238, docs/spec/v1beta1/
// kustomization.md of fluxcd/kustomize-controller). They come first: Argo CD renders Helm's labels, too.
func InstallerOf(in *operator.Installation) Installer {
	d := cmp.Or(in.Controller, in.Webhook)
	l := d.Labels
	r := Installer{
		Name: cmp.Or(d.Helm.Name, l.Get("app.kubernetes.io/instance"), in.Name), Namespace: cmp.Or(d.Helm.Namespace, in.Namespace),
		Deployment: d.Name, Installed: d.Namespace,
	}
	if chart, ours := strings.CutPrefix(l.Get("helm.sh/chart"), "spark-operator-"); ours {
		r.Chart = chart
	}
	switch app := argoApplication(d.TrackedBy); {
	case app != "":
		r.Tool, r.Source = ArgoCD, app
	case l.Has("helm.toolkit.fluxcd.io/name"):
		r.Tool = FluxHelm
		r.Source = l.Get("helm.toolkit.fluxcd.io/name")
		r.SourceFrom = l.Get("helm.toolkit.fluxcd.io/namespace")
	case l.Has("kustomize.toolkit.fluxcd.io/name"):
		r.Tool = Kustomize
		r.Source = l.Get("kustomize.toolkit.fluxcd.io/name")
		r.SourceFrom = l.Get("kustomize.toolkit.fluxcd.io/namespace")
	case d.Helm.Name != "":
		r.Tool = Helm
	case l.Get("app.kubernetes.io/managed-by") == "kustomize": // config/default/kustomization.yaml@v2.5.2
		r.Tool = PlainKustomize
	}
	return r
}

// argoApplication is the name in what marks an object: "annotation KEY APP:GROUP/KIND:NAMESPACE/NAME" or "label KEY APP". Where
// applications may be in any namespace, APP is NAMESPACE_NAME.
func argoApplication(mark string) string {
	words := strings.Fields(mark)
	if len(words) != 3 {
		return ""
	}
	app, _, _ := strings.Cut(words[2], ":")
	return app
}

// GitOps names what applies the manifests again and again, so that nobody runs helm upgrade; empty: nothing that is known.
func (r Installer) GitOps() string {
	switch r.Tool {
	case ArgoCD:
		return "Argo CD"
	case FluxHelm, Kustomize:
		return "Flux"
	default:
		return ""
	}
}

// upgrade is the line that changes values of a release of the operator's own chart, and does nothing to one of another chart: an upgrade
// to the operator's chart would delete what that chart has besides. The first command prints "chart" as NAME-VERSION
// (cmd/helm/list.go of helm.sh/helm/v3@v3.22.0).
func (r Installer) upgrade(set string) string {
	names := []string{r.Namespace, r.Name, r.Chart, r.Name, r.Chart, r.Namespace}
	line := Line(`helm list -n %s --filter '^%s$' -o json | grep -q '"chart":"spark-operator-%s"' && `+
		"helm upgrade %s spark-operator/spark-operator --version %s -n %s --reuse-values", names...)
	if line == "" || set == "" {
		return ""
	}
	return line + set
}
