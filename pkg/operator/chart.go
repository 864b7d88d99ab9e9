package operator

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
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

// FullName is what the chart calls a release of Helm, unless fullnameOverride says otherwise
// (charts/spark-operator-chart/templates/_helpers.tpl@spark-operator-chart-1.4.6 to @v2.5.2).
func FullName(release string) string {
	const chart = "spark-operator"
	full := release
	if !strings.Contains(release, chart) {
		full = release + "-" + chart
	}
	return strings.TrimSuffix(full[:min(len(full), 63)], "-")
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
