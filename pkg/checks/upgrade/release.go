package upgrade

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ReleaseOf returns what installs the operator that is upgraded; where there is none, the names are those of the chart's README.
func ReleaseOf(u *check.Upgrade) command.Installer {
	if u.Installation == nil {
		return command.Installer{Name: "spark-operator", Namespace: "spark-operator"}
	}
	return command.InstallerOf(u.Installation)
}

// ReleaseNamespace returns where the installed release is; empty where nobody saw an installation.
func ReleaseNamespace(u *check.Upgrade) string {
	if u.Installation == nil {
		return ""
	}
	return ReleaseOf(u).Namespace
}

// helmRelease returns what Helm calls the installation.
func helmRelease(in *operator.Installation) string { return command.InstallerOf(in).Name }

const (
	releaseLabel  = "app.kubernetes.io/instance"
	ChartLabel    = "helm.sh/chart"
	OperatorChart = "spark-operator"
)

// OthersInRelease returns what was seen, or will be installed, of the release beside the operator's own chart: the release is then
// that of an umbrella chart. None is no proof that there are none, since few kinds are read.
func OthersInRelease(s *snapshot.Snapshot, u *check.Upgrade) []snapshot.Ref {
	if u.Installation == nil {
		return nil
	}
	r := ReleaseOf(u)
	if u.Release != nil { // which tells all of it
		return othersOf(u.Release)
	}
	out := append(otherDeployments(s.Deployments(), u.Installation), otherCharts(s, u.Installation.Controller, r)...)
	if coming := u.Coming(); coming != nil && u.Target != nil {
		r.Namespace = coming.Namespace
		r.Name = cmp.Or(coming.Controller.Labels.Get(releaseLabel), r.Name)
		out = append(out, otherCharts(u.Target, coming.Controller, r)...)
	}
	slices.SortFunc(out, snapshot.Ref.Compare)
	return slices.CompactFunc(out, func(a, b snapshot.Ref) bool { return a.Key() == b.Key() })
}

// othersOf are what Helm itself says. An object without a namespace is in the release's.
func othersOf(r *helm.Release) []snapshot.Ref {
	out := r.Others()
	for i := range out {
		if out[i].Namespace == "" && !snapshot.ClusterScoped(out[i].GroupKind()) {
			out[i].Namespace = r.Namespace
		}
	}
	slices.SortFunc(out, snapshot.Ref.Compare)
	return slices.Compact(out)
}

// otherDeployments are those which Helm says it made with the release, and that are not the installation's. The chart has no other.
func otherDeployments(list []snapshot.Deployment, in *operator.Installation) []snapshot.Ref {
	release := in.Controller.Helm
	if release == (snapshot.HelmRelease{}) {
		return nil
	}
	var out []snapshot.Ref
	for i := range list {
		d := &list[i]
		own := slices.ContainsFunc(in.Deployments(), func(mine *snapshot.Deployment) bool { return mine.Key() == d.Key() })
		if d.Helm == release && !own {
			out = append(out, d.Ref)
		}
	}
	return out
}

// otherCharts are the objects in the release's namespace that have its label and that of another chart. Releases of other namespaces
// may have the same name. What Helm says it made with another release, whatever its labels, is left out.
func otherCharts(s *snapshot.Snapshot, controller *snapshot.Deployment, r command.Installer) []snapshot.Ref {
	foreign := map[snapshot.Key]bool{}
	for _, d := range s.Deployments() {
		foreign[d.Key()] = d.Helm != controller.Helm
	}
	chart := cmp.Or(chartName(controller.Labels.Get(ChartLabel)), OperatorChart)
	var out []snapshot.Ref
	for o := range s.Objects() {
		theirs := o.Labels.Get(ChartLabel)
		ours := o.Namespace == r.Namespace && o.Labels.Get(releaseLabel) == r.Name && len(o.Owners) == 0
		if ours && theirs != "" && chartName(theirs) != chart && !foreign[o.Key()] {
			out = append(out, o.Ref)
		}
	}
	return out
}

// chartName is what the label of a chart says without its version: the label is "name-version".
func chartName(label string) string {
	for i := 0; i+1 < len(label); i++ {
		if label[i] == '-' && label[i+1] >= '0' && label[i+1] <= '9' {
			return label[:i]
		}
	}
	return label
}
