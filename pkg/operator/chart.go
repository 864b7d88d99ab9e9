package operator

import "strings"

// Chart is what a release installs with its chart, unless told otherwise, and what runs in its image. Read in
// charts/spark-operator-chart/values.yaml, templates/ and Dockerfile at the tag of each release.
type Chart struct {
	JobNamespaces   []string // whose applications it takes up; "" is all of them
	Replicas        int32    // of the controller
	WebhookReplicas int32    // of the webhook's own Deployment; 0 where it has none
	LeaderElection  bool
	MetricsPort     int32
	Repository      string // of the image, with the registry
	RootReadOnly    bool   // of the containers, which run in group 185
	UpgradesCRDs    bool   // a job that does can be asked for with hook.upgradeCrd
	LabelledOnly    bool   // of ConfigMaps, it sees only those labelled created-by-spark-operator (#2878)

	Webhook        bool // whether there is one at all
	FailurePolicy  string
	WebhookPort    int32 // of its pods
	ServicePort    int32 // of its Service
	WebhookTimeout int32 // seconds
	SideEffects    string

	Spark  string // of spark-submit in the image
	Java   int    // that it runs on
	Source string
}

// ChartOf returns what the chart of a release sets. known is false for what this build has no facts about, and that is
// also 1.x before chart 1.4.0.
func ChartOf(v Version) (c Chart, known bool) {
	switch {
	case v.Major == 1 && !v.Before(1, 6, 0):
		return legacyChart(), true
	case v.Major == 1 || !IsKnown(v):
		return Chart{}, false
	}
	c = Chart{
		JobNamespaces: []string{"default"}, Replicas: 1, WebhookReplicas: 1, LeaderElection: true, MetricsPort: 8080,
		Repository: "docker.io/kubeflow/spark-operator",
		Webhook:    true, FailurePolicy: "Fail", WebhookPort: 9443, ServicePort: 9443, WebhookTimeout: 10, SideEffects: "NoneOnDryRun",
		Source: "charts/spark-operator-chart/values.yaml, Dockerfile@v" + v.String(),
	}
	c.RootReadOnly = !v.Before(2, 1, 0) // #2282
	if v.Compare(RegistryMoved()) >= 0 {
		c.Repository = "ghcr.io/kubeflow/spark-operator/controller"
	}
	c.UpgradesCRDs = !v.Before(2, 3, 0) // #2371
	c.LabelledOnly = !v.Before(2, 5, 0) // cmd/operator/controller/start.go@v2.5.0
	if !v.Before(2, 5, 1) {
		c.SideEffects = "None"
	}
	c.Spark, c.Java = sparkIn(v)
	return c, true
}

// legacyChart is that of charts 1.4.0 to 1.4.6, which differ in nothing of it. Leader election comes with a
// second replica.
func legacyChart() Chart {
	return Chart{
		JobNamespaces: []string{""}, Replicas: 1, MetricsPort: 10254, Repository: "docker.io/kubeflow/spark-operator",
		FailurePolicy: "Ignore", WebhookPort: 8080, ServicePort: 443, WebhookTimeout: 30, SideEffects: "NoneOnDryRun",
		Spark: "3.5.0", Java: 11,
		Source: "charts/spark-operator-chart/values.yaml, pkg/webhook/webhook.go, Dockerfile@spark-operator-chart-1.4.6",
	}
}

// SparkFour is the first release with Spark 4 in its image (Dockerfile@v2.3.0, #2564).
func SparkFour() Version { return Version{2, 3, 0} }

// sparkIn returns the Spark of a 2.x image. Images of Spark 3.5 run on Java 11 unless their tag says otherwise (library/spark
// of docker-library/official-images); Spark 4.0 needs 17 (#2617).
func sparkIn(v Version) (spark string, java int) {
	switch {
	case v.Before(2, 1, 0):
		return "3.5.2", 11
	case v.Before(2, 2, 0):
		return "3.5.3", 11
	case v.Compare(SparkFour()) < 0:
		return "3.5.5", 11
	case v.Before(2, 5, 0):
		return "4.0.0", 17
	case v.Before(2, 5, 2):
		return "4.0.1", 17
	default:
		return "4.0.4", 17
	}
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
