package build

import (
	"context"
	_ "embed" // the pins below
	"fmt"
	"path/filepath"
	"strings"
)

// Versions of everything but the Spark Operator, whose version the caller chooses.
const (
	KubernetesVersion = "v1.36.3"
	helmVersion       = "v3.22.0"
	kwokVersion       = "v0.8.0"
	krewVersion       = "v0.4.4"
	prometheusVersion = "v0.312.0"

	prometheusOperatorVersion = "v0.85.0"
)

//go:embed pins/kubernetes.mod
var kubernetesMod string

//go:embed pins/kubernetes.sum
var kubernetesSum string

// Kubernetes returns a directory with etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl.
// One build makes all five, because they share most of their packages.
func (b *Builder) Kubernetes(ctx context.Context) (string, error) {
	return b.kubernetes(ctx, "kubernetes", map[string]string{"server": "etcd"},
		"go.etcd.io/etcd/server/v3",
		"k8s.io/kubernetes/cmd/kube-apiserver",
		"k8s.io/kubernetes/cmd/kube-controller-manager",
		"k8s.io/kubernetes/cmd/kube-scheduler",
		"k8s.io/kubernetes/cmd/kubectl",
	)
}

// kubernetes builds programs of Kubernetes with its pins.
func (b *Builder) kubernetes(ctx context.Context, name string, rename map[string]string, packages ...string) (string, error) {
	const version = "k8s.io/component-base/version."
	part := strings.Split(strings.TrimPrefix(KubernetesVersion, "v"), ".")
	return b.ensure(ctx, recipe{
		Name: name, Module: "k8s.io/kubernetes", Version: KubernetesVersion,
		ModFile: kubernetesMod, SumFile: kubernetesSum, Packages: packages, Rename: rename,
		// Without a version Helm takes the server for v0.0.0 and refuses the chart.
		LDFlags: fmt.Sprintf("-X %[1]sgitVersion=%[2]s -X %[1]sgitMajor=%[3]s -X %[1]sgitMinor=%[4]s", version, KubernetesVersion, part[0],
			part[1]),
	})
}

// Kwok returns a directory with kwok and the definitions of its own resources.
func (b *Builder) Kwok(ctx context.Context) (string, error) {
	return b.ensure(ctx, recipe{
		Name: "kwok", Module: "sigs.k8s.io/kwok", Version: kwokVersion,
		Packages: []string{"./cmd/kwok"},
		Keep:     map[string]string{"kustomize/crd/bases": "crds", "kustomize/stage": "stage"},
	})
}

// Helm returns a directory with helm.
func (b *Builder) Helm(ctx context.Context) (string, error) {
	return b.ensure(ctx, recipe{Name: "helm", Module: "helm.sh/helm/v3", Version: helmVersion, Packages: []string{"./cmd/helm"}})
}

// Krew returns a directory with krew and with validate-krew-manifest, which krew's index runs on each manifest.
func (b *Builder) Krew(ctx context.Context) (string, error) {
	return b.ensure(ctx, recipe{Name: "krew", Module: "sigs.k8s.io/krew", Version: krewVersion,
		Packages: []string{"./cmd/krew", "./cmd/validate-krew-manifest"}})
}

// Promtool returns a directory with promtool.
func (b *Builder) Promtool(ctx context.Context) (string, error) {
	return b.ensure(ctx, recipe{Name: "promtool", Module: "github.com/prometheus/prometheus", Version: prometheusVersion,
		Packages: []string{"./cmd/promtool"}})
}

// Operator returns a directory with one release of the Spark Operator: the program and its chart.
func (b *Builder) Operator(ctx context.Context, version string) (string, error) {
	return b.ensure(ctx, recipe{
		Name: "spark-operator", Module: operatorModule, Version: "v" + version,
		Packages: []string{"./cmd/operator"},
		Keep:     map[string]string{operatorChart: "chart"},
	})
}

//go:embed testdata/mutator/main.go
var mutatorProgram string

// Mutator returns a directory with a program, mutator, that does with applications and pods what one release of the Spark Operator
// does. Its webhook is an internal package, so the program is built in a copy of the operator's module.
func (b *Builder) Mutator(ctx context.Context, version string) (string, error) {
	return b.ensure(ctx, recipe{
		Name: "mutator", Module: operatorModule, Version: "v" + version,
		Packages: []string{"./cmd/mutator"}, Add: map[string]string{"cmd/mutator/main.go": mutatorProgram},
	})
}

const (
	operatorModule = "github.com/kubeflow/spark-operator/v2"
	operatorChart  = "charts/spark-operator-chart"
)

// OperatorSource returns the directory with the source of a release of the Spark Operator, downloaded as a module. That is
// possible from v2.2.1 on: the tags before it are no versions of a module.
func OperatorSource(ctx context.Context, version string) (string, error) {
	return moduleDir(ctx, "", operatorModule+"@v"+version)
}

// Module returns the directory of a module that is downloaded, as MODULE@VERSION, or MODULE@TAG.
func Module(ctx context.Context, module string) (string, error) { return moduleDir(ctx, "", module) }

// OperatorChart returns the directory with the chart of a release of the Spark Operator, for which no program is built.
func OperatorChart(ctx context.Context, version string) (string, error) {
	dir, err := OperatorSource(ctx, version)
	return filepath.Join(dir, operatorChart), err
}

// PrometheusOperatorCRDs returns the directory with the definitions of the Prometheus Operator's kinds.
func PrometheusOperatorCRDs(ctx context.Context) (string, error) {
	dir, err := moduleDir(ctx, "", "github.com/prometheus-operator/prometheus-operator@"+prometheusOperatorVersion)
	return filepath.Join(dir, "example", "prometheus-operator-crd"), err
}
