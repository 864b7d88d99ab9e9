package operator

import "strings"

// When says at which time of an upgrade something is done.
type When int

// The times of an upgrade.
const (
	Before When = iota
	During
	After
)

// String returns before, during or after.
func (w When) String() string { return [...]string{"before", "during", "after"}[w] }

// Note is what to do about an upgrade that nothing in a cluster shows: it is about values, dashboards and clients.
type Note struct {
	Since Version // what brought it
	Until Version // first release of which it is not true any more; zero: none
	When  When
	Do    string // imperative, lower case
	Why   string // a fact, to go on after the version: "2.1.0 …"
	// Command is to be copied; "{to}" stands for the target, "{namespace}" and "{deployments}" for those of the installation.
	Command string
	Source  string
}

// Notes are those of all releases, in order.
func Notes() []Note {
	return []Note{
		{
			Since: Version{2, 0, 0}, When: Before, Do: "write values.yaml anew for the chart of 2.x",
			Why:     "moved all values below controller, webhook, spark and prometheus; Helm passes over a name that the chart does not know",
			Command: "helm show values spark-operator/spark-operator --version {to} > values-of-the-chart.yaml",
			Source:  "charts/spark-operator-chart/values.yaml@spark-operator-chart-1.4.6 and @v2.0.0",
		},
		{
			Since: Version{2, 0, 0}, When: Before, Do: "let the API server reach the webhook's port 9443, or keep it off with webhook.enable=false",
			Why:    "has the webhook on by default, on port 9443, with failurePolicy Fail: where a firewall stands between, no application can be made",
			Source: "webhook in charts/spark-operator-chart/values.yaml@v2.0.0, #2331",
		},
		{
			Since: Version{2, 0, 0}, When: During, Do: "stop the controller of 1.x before that of 2.x starts",
			Why:     "does not wait for the old one, which has no lease or one of another name: both would submit",
			Command: "kubectl scale deployment -n {namespace} {deployments} --replicas 0",
			Source:  "leader election in main.go@v1beta2-1.6.2-3.5.0 and charts/spark-operator-chart/templates/controller/deployment.yaml@v2.0.0",
		},
		{
			Since: Version{2, 0, 0}, When: After, Do: "scrape port 8080, and rename the metrics of dashboards and alerts",
			Why:    "serves metrics on port 8080 instead of 10254, and they begin with spark_application_ instead of spark_app_",
			Source: "pkg/controller/sparkapplication/sparkapp_metrics.go@v1beta2-1.6.2-3.5.0, pkg/common/metrics.go and charts/spark-operator-chart/values.yaml@v2.0.0",
		},
		{
			Since: Version{2, 1, 0}, When: Before, Do: "keep the volume tmp where values.yaml sets controller.volumes or controller.volumeMounts, and serving-certs where it sets those of the webhook",
			Why:    "makes the root file system read-only, and spark-submit and the webhook write into volumes that lists of your own replace",
			Source: "controller.volumes, webhook.volumes and securityContext in charts/spark-operator-chart/values.yaml@v2.1.0, #2282",
		},
		{
			Since: Version{2, 2, 0}, When: Before, Do: "let nodes and policies pull from ghcr.io, and take image.registry and image.repository out of values.yaml unless they name a mirror",
			Why:    "is published as ghcr.io/kubeflow/spark-operator/controller: what pins the old place does not find it",
			Source: "image in charts/spark-operator-chart/values.yaml@v2.2.0, #2483",
		},
		{
			Since: Version{2, 2, 1}, When: Before, Do: "let what asks for the UI Service of an application wait until it has been submitted",
			Why:    "makes the UI Service and its Ingress after the submission; it was before it",
			Source: "reconcileSubmittedSparkApplication in internal/controller/sparkapplication/controller.go@v2.2.1, submitSparkApplication @v2.2.0",
		},
		{
			Since: Version{2, 3, 0}, Until: Version{2, 5, 0}, When: Before, Do: "leave hook.upgradeCrd off and apply the CRDs yourself",
			Why:    "brings a hook for CRDs which until 2.5.0 fails at fields that Helm owns, and with it the upgrade",
			Source: "charts/spark-operator-chart/templates/hook/job.yaml@v2.3.0 and @v2.5.0, #2663, #2785",
		},
		{
			Since: Version{2, 4, 0}, When: Before, Do: "look at how clients name applications: Airflow, CI, scripts",
			Why:    "refuses names that are no DNS-1035 label, and who makes names is not in the cluster",
			Source: "internal/webhook/sparkapplication_validator.go@v2.4.0, #2711",
		},
		{
			Since: Version{2, 5, 2}, When: Before, Do: "look at which sparkConf clients write: Airflow, CI, repositories of manifests",
			Why:     "refuses settings that name images, accounts, tokens, the master or another namespace, and clients are not in the cluster",
			Command: "kubectl sparkdoctor gate --from {from} --to {to} -f manifests/ -R",
			Source:  "internal/webhook/sparkconf_validator.go@v2.5.2, #3043",
		},
	}
}

// NotesOf are those of an upgrade: what it brings, unless the target has it no more.
func NotesOf(from, to Version) []Note {
	var out []Note
	for _, n := range Notes() {
		brings := n.Since.Compare(from) > 0 && n.Since.Compare(to) <= 0
		if brings && (n.Until.IsZero() || to.Compare(n.Until) < 0) {
			out = append(out, n)
		}
	}
	return out
}

// Fill puts values into the blanks of a command: names and values in turn, without braces.
func (n Note) Fill(pairs ...string) string {
	blanks := make([]string, len(pairs))
	for i := range pairs {
		if blanks[i] = pairs[i]; i%2 == 0 {
			blanks[i] = "{" + pairs[i] + "}"
		}
	}
	return strings.NewReplacer(blanks...).Replace(n.Command)
}
