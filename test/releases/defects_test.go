package releases

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	known "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// sign tells by the source whether a release has a defect: a file has a text.
type sign struct {
	path, text string
	of         signOf
}

type signOf bool

const (
	fault  signOf = true
	mended signOf = false
)

const (
	controllerStart = "cmd/operator/controller/start.go"
	webhookStart    = "cmd/operator/webhook/start.go"
	reconciler      = "internal/controller/sparkapplication/controller.go"
	submission      = "internal/controller/sparkapplication/submission.go"
	podDefaulter    = "internal/webhook/sparkpod_defaulter.go"
	connectOptions  = "internal/controller/sparkconnect/options.go"
	controllerChart = "charts/spark-operator-chart/templates/controller/_helpers.tpl"
)

// legacySigns lists, for each defect of 1.x, what must all hold.
func legacySigns() map[string][]sign {
	return map[string][]sign{
		"certificate-per-replica": {{"pkg/webhook/certs.go", "NewCertProvider", fault}},
		"lock-identity-empty": {{"main.go", "POD_NAME", fault},
			{"charts/spark-operator-chart/templates/deployment.yaml", "POD_NAME", mended}},
		"executors-tracked-without-limit": {{"main.go", "max-tracked-executor-per-app", mended}},
	}
}

// signs lists them for 2.x.
func signs() map[string][]sign {
	return map[string][]sign{
		"executors-tracked-without-limit": {{controllerStart, "max-tracked-executor-per-app", mended}},
		"pull-options-dropped":            {{submission, "if len(app.Spec.ImagePullSecrets) == 0 {", fault}},
		"packages-not-downloadable":       {{"Dockerfile", "\nUSER spark\n", fault}, {"Dockerfile", "/home/spark", mended}},
		"submission-never-retried":        {{reconciler, "result.RequeueAfter = timeUntilNextRetryDue", mended}},
		"local-dir-size-nil":              {{submission, "if volume.EmptyDir.SizeLimit != nil {", mended}},
		"certificate-not-checked":         {{"pkg/certificate/certificate.go", "AddDate(0, 0, 180)", mended}},
		"executor-lifecycle-refused": {{podDefaulter, `return fmt.Errorf("Spark container %s not found in pod %s", containerName, pod.Name)`,
			fault}},
		"executor-env-needs-driver-env":   {{podDefaulter, "len(app.Spec.Executor.Env) == 0", mended}},
		"gang-of-unknown-size":            {{"pkg/util/sparkapplication.go", "i < *app.Spec.Executor.Instances", fault}},
		"executor-metrics-lost":           {{"internal/metrics/sparkpod_metrics.go", "labels: validLabels,", mended}},
		"local-dir-medium-dropped":        {{submission, "volume.EmptyDir.Medium != corev1.StorageMediumDefault", mended}},
		"dotted-configmap-refused":        {{podDefaulter, `volumeName := namePath.Name + "-vol"`, fault}},
		"pod-template-file-overridden":    {{submission, "template = &corev1.PodTemplateSpec{", fault}},
		"ui-path-not-set":                 {{reconciler, "\t\t\t\t\t\tapp.Spec.SparkConf[common.SparkUIProxyBase] = ", fault}}, // after it
		"executors-have-two-owners":       {{submission, "ownerReference.Controller = nil", fault}},
		"election-timing-ignored":         {{controllerStart, "LeaseDuration:           &leaderElectionLeaseDuration", mended}},
		"webhook-election-timing-ignored": {{webhookStart, "LeaseDuration:           &leaderElectionLeaseDuration", mended}},
		"connect-ipv6-refused":            {{connectOptions, `"spark.driver.host=${POD_IP}"`, fault}},
		"connect-finalizers-not-granted": {{connectOptions, "package sparkconnect", fault},
			{controllerChart, "sparkconnects/finalizers", mended}},
		"connect-needs-executor-template": {{connectOptions, "	if len(template.Spec.Containers) != 0 {", fault}},
		"connect-executor-memory-ignored": {{connectOptions, "package sparkconnect", fault},
			{connectOptions, "common.SparkExecutorMemory", mended}},
		"selected-namespaces-unmutated": {{controllerStart, `"namespace-selector"`, fault}, {webhookStart, `"namespace-selector"`, mended}},
	}
}

func TestDefects(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		all := signs()
		if r.legacy() {
			all = legacySigns()
		}
		for _, d := range known.Table().Defects {
			list := all[d.ID]
			if list == nil {
				require.False(t, d.In(r.Version), "%s is of the other line, or nothing tells of it", d.ID)
				continue
			}
			shows := !slices.ContainsFunc(list, func(s sign) bool { return r.contains(t, s.path, s.text) != bool(s.of) })
			require.Equal(t, d.In(r.Version), shows, d.ID)
		}
	})
}

// contains reports whether a file of the source has a text; one that is not there has none.
func (r release) contains(t *testing.T, path, text string) bool {
	t.Helper()
	return r.exists(path) && strings.Contains(r.read(t, path), text)
}
