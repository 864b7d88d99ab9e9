package spec

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ineffective is a group of settings that do nothing on Kubernetes, and the verdicts that they would have had to do with.
type ineffective struct {
	key     *regexp.Regexp
	of      []cause.Class
	because string
}

// settingsWithoutEffect lists them:
//   - what only YARN reads (resource-managers/yarn, config.scala); the names that all of Spark still takes for another are in honored
//   - spark.cores.max, which Standalone reads (core/src/main/scala/org/apache/spark/scheduler/cluster/
//     StandaloneSchedulerBackend.scala, apache/spark@0346a03)
//   - spark.master and spark.submit.deployMode, which the operator gives as arguments, and these count
//     (masterOption and deployModeOption in internal/controller/sparkapplication/submission.go@v2.5.2; SparkSubmitArguments.scala,
//     apache/spark@0086939)
func settingsWithoutEffect() []ineffective {
	placing := []cause.Class{cause.Scheduling, cause.Quota, cause.SlowButProgressing}
	return []ineffective{
		{regexp.MustCompile(`^spark\.yarn\.queue$`), placing, "it is read on YARN only"},
		{regexp.MustCompile(`^spark\.yarn\.(?:am|executor|driver)\.(?:.*[mM]emory.*|cores)$`),
			[]cause.Class{cause.ClusterKilled, cause.Configuration, cause.Scheduling, cause.Quota}, "it is read on YARN only"},
		{regexp.MustCompile(`^spark\.yarn\.(?:max(?:App)?Attempts|maxAppAttempts)$`), []cause.Class{cause.ClusterKilled},
			"it is read on YARN only; on Kubernetes restartPolicy retries"},
		{regexp.MustCompile(`^spark\.yarn\.(?:jars?|archive|dist\..*)$`), []cause.Class{cause.Dependency}, "it is read on YARN only"},
		{regexp.MustCompile(`^spark\.cores\.max$`), placing,
			"Spark Standalone reads it; on Kubernetes executor.instances and executor.cores count"},
		{regexp.MustCompile(`^spark\.(?:master|submit\.deployMode)$`), []cause.Class{cause.Submission, cause.Configuration},
			"the operator gives its own as an argument"},
	}
}

// honored are names of YARN that all of Spark takes for the newer one (configsWithAlternatives in
// core/src/main/scala/org/apache/spark/SparkConf.scala, apache/spark@0012449).
func honored(key string) bool {
	return slices.Contains([]string{"spark.yarn.executor.memoryOverhead", "spark.yarn.driver.memoryOverhead"}, key)
}

// ignored are settings that would have to do with a verdict, and do nothing.
func ignored(v *mechanism.View, c *cause.Cause) []Note {
	settings := v.Settings()
	var out []Note
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		for _, one := range settingsWithoutEffect() {
			off := strings.EqualFold(settings[key], "false")
			if off || honored(key) || !one.key.MatchString(key) || !slices.Contains(one.of, c.Class) {
				continue
			}
			out = append(out, Note{
				Text:   fmt.Sprintf("%s in sparkConf has no effect: %s", key, one.because),
				Proofs: []cause.Proof{proof(v, "sparkConf["+key+"]", settings[key])},
			})
		}
	}
	return slices.Concat(out, startOnly(v, c), unreadDefaults(v, c))
}

// unreadDefaults is about spark-defaults.conf in the ConfigMap of sparkConfigMap: the driver starts with a properties file of its own, in
// whose presence Spark does not read it (resource-managers/kubernetes/docker/src/main/dockerfiles/spark/entrypoint.sh and
// core/src/main/scala/org/apache/spark/deploy/SparkSubmitArguments.scala@v3.5.5).
func unreadDefaults(v *mechanism.View, c *cause.Cause) []Note {
	name := v.Spec("sparkConfigMap")
	if name == "" || !slices.Contains([]cause.Class{cause.Credentials, cause.Configuration}, c.Class) {
		return nil
	}
	return []Note{{
		Text:   fmt.Sprintf("a spark-defaults.conf in sparkConfigMap %s is not read: the driver starts with a properties file of its own", name),
		Proofs: []cause.Proof{proof(v, "sparkConfigMap", name)},
		Next:   []command.Command{command.Do("set in sparkConf or hadoopConf what spark-defaults.conf of ConfigMap %s sets", name)},
	}}
}

// startOnly is about executor.instances under dynamic allocation: it is where that begins, and no bound
// (getDynamicAllocationInitialExecutors in core/src/main/scala/org/apache/spark/util/Utils.scala of Spark 3 and 4).
func startOnly(v *mechanism.View, c *cause.Cause) []Note {
	instances := v.Spec("executor", "instances")
	dynamic := v.Spec("dynamicAllocation", "enabled") == "true" || v.Settings()["spark.dynamicAllocation.enabled"] == "true"
	bound := v.Spec("dynamicAllocation", "maxExecutors") + v.Settings()["spark.dynamicAllocation.maxExecutors"]
	placing := []cause.Class{cause.Quota, cause.Scheduling, cause.SlowButProgressing}
	if !dynamic || instances == "" || bound != "" || !slices.Contains(placing, c.Class) {
		return nil
	}
	return []Note{{
		Text:   fmt.Sprintf("with dynamic allocation executor.instances %s is only where it begins, and maxExecutors is not set", instances),
		Proofs: []cause.Proof{proof(v, "executor.instances", instances)},
	}}
}
