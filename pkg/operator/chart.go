package operator

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ChartOf returns what the chart of a release sets. known is false for what this build has no facts about, and that is
// also 1.x before chart 1.4.0.
func ChartOf(v Version) (c Chart, known bool) {
	if c = releases.Of(v).Chart; c.Spark == "" || !IsKnown(v) {
		return Chart{}, false
	}
	return c, true
}

// SparkFour is the first release with Spark 4 in its image.
func SparkFour() Version {
	return Since(func(f *Facts) bool { return strings.HasPrefix(f.Chart.Spark, "4.") })
}

// ChartNames are what a chart calls its objects.
type ChartNames struct {
	ControllerAccount string
	WebhookAccount    string
	SparkAccount      string // for drivers
	SparkRole         string // of it, in each job namespace
	SparkBinding      string
	Mutating          string // configurations of the webhook
	Validating        string
	WebhookService    string
	WebhookSecret     string
	ControllerLock    string
	WebhookLock       string // empty in 1.x, whose webhook does not compete
}

// ChartNamesOf returns the names that the chart of a release gives, unless values say otherwise: of a release of Helm with a
// full name. In 1.x the accounts for drivers are called after the release, and the Roles the same whoever installs them
// (charts/spark-operator-chart/templates/spark-rbac.yaml, _helpers.tpl@spark-operator-chart-1.4.6;
// templates/{controller,webhook,spark}/_helpers.tpl@v2.0.0 to @v2.5.2).
func ChartNamesOf(v Version, release, full string) ChartNames {
	service, secret := full+"-webhook-svc", full+"-webhook-certs"
	if v.Major == 1 {
		return ChartNames{
			ControllerAccount: full, WebhookAccount: full,
			SparkAccount: release + "-spark", SparkRole: "spark-role", SparkBinding: "spark",
			Mutating: full + "-webhook-config", Validating: full + "-webhook-config",
			WebhookService: service, WebhookSecret: secret, ControllerLock: "spark-operator-lock",
		}
	}
	return ChartNames{
		ControllerAccount: full + "-controller", WebhookAccount: full + "-webhook",
		SparkAccount: full + "-spark", SparkRole: full + "-spark", SparkBinding: full + "-spark",
		Mutating: full + "-webhook", Validating: full + "-webhook",
		WebhookService: service, WebhookSecret: secret,
		ControllerLock: full + "-controller-lock", WebhookLock: full + "-webhook-lock",
	}
}

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

// ChartVersion reads the number of a chart, as its label states it behind the name.
func ChartVersion(text string) (Version, bool) { return release.ParseVersion(text) }
