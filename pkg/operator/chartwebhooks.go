package operator

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ChartWebhook is a webhook that a release registers.
type ChartWebhook struct {
	Name         string
	Mutating     bool
	Path         string
	Group        string // of the resource
	Version      string
	Resource     string
	Operations   []string
	LaunchedOnly bool // only objects labelled launched-by-spark-operator
}

// ChartWebhooks returns the webhooks of a release. In 1.x the operator registers the one for pods at its start, and calls in
// all namespaces unless told otherwise; quota enforcement adds another, which is left out (pkg/webhook/webhook.go@
// spark-operator-chart-1.4.6). In 2.x the chart does, for the job namespaces (charts/spark-operator-chart/templates/webhook/
// {mutating,validating}webhookconfiguration.yaml@v2.0.0 to @v2.5.2); those of SparkConnect came with 2.5.0.
func ChartWebhooks(v Version) []ChartWebhook {
	create, change := []string{"CREATE"}, []string{"CREATE", "UPDATE"}
	if v.Major == 1 {
		return []ChartWebhook{{
			Name: "webhook." + snapshot.SparkGroup, Mutating: true, Path: legacyPath, Version: "v1", Resource: "pods", Operations: create,
		}}
	}
	out := []ChartWebhook{{
		Name: "mutate--v1-pod." + snapshot.SparkGroup, Mutating: true, Path: "/mutate--v1-pod", Version: "v1", Resource: "pods",
		Operations: create, LaunchedOnly: true,
	}}
	for _, crd := range CRDsOf(v) {
		if crd.Resource == "sparkconnects" && !releases.Of(v).CRDs.ConnectHook {
			continue
		}
		of := func(verb string) ChartWebhook {
			// The path is made of group, version and kind by controller-runtime, the name of the path by the chart.
			name := verb + "-" + strings.ReplaceAll(snapshot.SparkGroup, ".", "-") + "-" + crd.Version + "-" + strings.ToLower(crd.Kind)
			return ChartWebhook{
				Name: name + "." + snapshot.SparkGroup, Mutating: verb == "mutate", Path: "/" + name,
				Group: snapshot.SparkGroup, Version: crd.Version, Resource: crd.Resource, Operations: change,
			}
		}
		out = append(out, of("mutate"), of("validate"))
	}
	slices.SortStableFunc(out, func(a, b ChartWebhook) int {
		switch {
		case a.Mutating == b.Mutating:
			return 0
		case a.Mutating:
			return -1
		default:
			return 1
		}
	})
	return out
}
