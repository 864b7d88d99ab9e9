package spec

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// NoEffect is a setting of sparkConf that would have to do with the verdict, and does nothing on Kubernetes.
type NoEffect struct {
	Setting string
	Because Unread
}

// Mechanism names it.
func (NoEffect) Mechanism() cause.ID { return "no-effect" }

// Unread is why a setting does nothing.
type Unread string

// Why.
const (
	YARNOnly           Unread = "yarn"
	YARNRetries        Unread = "yarn-retries" // on Kubernetes restartPolicy retries
	StandaloneOnly     Unread = "standalone"
	OperatorsOwnCounts Unread = "operator" // it gives its own as an argument
)

// ineffective is a group of settings that do nothing on Kubernetes, and the verdicts that they would have had to do with.
type ineffective struct {
	key     *lazyregexp.Regexp
	of      []cause.Class
	because Unread
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
		{lazyregexp.New(`^spark\.yarn\.queue$`), placing, YARNOnly},
		{lazyregexp.New(`^spark\.yarn\.(?:am|executor|driver)\.(?:.*[mM]emory.*|cores)$`),
			[]cause.Class{cause.ClusterKilled, cause.Configuration, cause.Scheduling, cause.Quota}, YARNOnly},
		{lazyregexp.New(`^spark\.yarn\.(?:max(?:App)?Attempts|maxAppAttempts)$`), []cause.Class{cause.ClusterKilled}, YARNRetries},
		{lazyregexp.New(`^spark\.yarn\.(?:jars?|archive|dist\..*)$`), []cause.Class{cause.Dependency}, YARNOnly},
		{lazyregexp.New(`^spark\.cores\.max$`), placing, StandaloneOnly},
		{lazyregexp.New(`^spark\.(?:master|submit\.deployMode)$`), []cause.Class{cause.Submission, cause.Configuration}, OperatorsOwnCounts},
	}
}

// honored are names of YARN that all of Spark takes for the newer one (configsWithAlternatives in
// core/src/main/scala/org/apache/spark/SparkConf.scala, apache/spark@0012449).
func honored(key string) bool {
	return slices.Contains([]string{"spark.yarn.executor.memoryOverhead", "spark.yarn.driver.memoryOverhead"}, key)
}

// ignored are settings that would have to do with a verdict, and do nothing.
func ignored(v *mechanism.View, c *cause.Cause) []Note {
	settings := v.Spec.Settings()
	var out []Note
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		for _, one := range settingsWithoutEffect() {
			off := strings.EqualFold(settings[key], "false")
			if off || honored(key) || !one.key.MatchString(key) || !slices.Contains(one.of, c.Class) {
				continue
			}
			out = append(out, Note{Detail: NoEffect{Setting: key, Because: one.because},
				Proofs: []cause.Proof{proof(v, "sparkConf["+key+"]", settings[key])}})
		}
	}
	return slices.Concat(out, startOnly(v, c), unreadDefaults(v, c))
}

// UnreadDefaults is a spark-defaults.conf that nothing reads.
type UnreadDefaults struct{ ConfigMap string }

// Mechanism names it.
func (UnreadDefaults) Mechanism() cause.ID { return "unread-defaults" }

// unreadDefaults is about spark-defaults.conf in the ConfigMap of sparkConfigMap: the driver starts with a properties file of its own, in
// whose presence Spark does not read it (resource-managers/kubernetes/docker/src/main/dockerfiles/spark/entrypoint.sh and
// core/src/main/scala/org/apache/spark/deploy/SparkSubmitArguments.scala@v3.5.5).
func unreadDefaults(v *mechanism.View, c *cause.Cause) []Note {
	name := v.Spec.SparkConfigMap
	if name == "" || !slices.Contains([]cause.Class{cause.Credentials, cause.Configuration}, c.Class) {
		return nil
	}
	return []Note{{Detail: UnreadDefaults{ConfigMap: name}, Proofs: []cause.Proof{proof(v, "sparkConfigMap", name)}}}
}

// StartOnly is a number of executors that bounds nothing.
type StartOnly struct{ Instances int }

// Mechanism names it.
func (StartOnly) Mechanism() cause.ID { return "start-only" }

// startOnly is about executor.instances under dynamic allocation: it is where that begins, and no bound
// (getDynamicAllocationInitialExecutors in core/src/main/scala/org/apache/spark/util/Utils.scala of Spark 3 and 4).
func startOnly(v *mechanism.View, c *cause.Cause) []Note {
	instances := v.Spec.Executor.Instances
	dynamic := v.Spec.Allocates()
	bound := v.Spec.DynamicAllocation.MaxExecutors != nil || v.Spec.Conf["spark.dynamicAllocation.maxExecutors"] != ""
	placing := []cause.Class{cause.Quota, cause.Scheduling, cause.SlowButProgressing}
	if !dynamic || instances == 0 || bound || !slices.Contains(placing, c.Class) {
		return nil
	}
	return []Note{{Detail: StartOnly{Instances: instances}, Proofs: []cause.Proof{proof(v, "executor.instances", strconv.Itoa(instances))}}}
}
