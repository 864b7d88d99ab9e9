package mechanism

import (
	"path"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// JarTooLate is a shuffle manager that executors do not find, although the application names its jar: up to Spark 3.5 an executor makes its
// shuffle manager before it fetches such jars (core/src/main/scala/org/apache/spark/SparkEnv.scala@v3.5.5: create; from 4.0 on
// Executor.scala does so after updateDependencies, apache/spark#43627). A jar that nothing names looks alike.
type JarTooLate struct {
	Class string
	Jar   string // its file, or its coordinates
	Field string // that names it
	Spark string
}

// Mechanism names it.
func (JarTooLate) Mechanism() cause.ID { return "jar-too-late" }

// ofShuffle are the names of jars by a part of the class of their shuffle manager, as the projects publish them.
func ofShuffle() map[string]string {
	return map[string]string{"celeborn": "celeborn-client", "RssShuffleManager": "rss-client", "rapids": "rapids-4-spark", "gluten": "gluten",
		"comet": "comet-spark"}
}

// TooLate finds the jar of a shuffle manager that an executor did not find.
func TooLate(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	manager := v.Spec.Conf[shuffleManager]
	release := sparkVersion(v)
	if v.Application == nil || about.Role != cause.ExecutorRole || manager == "" || !strings.HasPrefix(release, "3.") {
		return cause.Cause{}, false
	}
	missing := func(t logs.Throwable) bool {
		return t.Class == classNotFound && strings.TrimSpace(t.Message) == manager
	}
	if !missing(failed.Root) && !slices.ContainsFunc(failed.Chain, missing) {
		return cause.Cause{}, false
	}
	for part, jar := range ofShuffle() {
		if !strings.Contains(manager, part) {
			continue
		}
		if one, is := namedJar(v, jar); is {
			d := JarTooLate{Class: manager, Jar: path.Base(one.value), Field: one.field, Spark: release}
			return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
				Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: v.AppRef(), Field: one.field, Value: one.value}}}, true
		}
	}
	return cause.Cause{}, false
}

const (
	classNotFound  = "java.lang.ClassNotFoundException"
	shuffleManager = "spark.shuffle.manager"
)

// namedJar is a jar that executors fetch, by a part of its name.
func namedJar(v *View, name string) (given, bool) {
	lists := []struct {
		field  string
		values []string
	}{
		{"spec.deps.jars", v.Spec.Jars}, {"spec.sparkConf[spark.jars]", strings.Split(v.Spec.Conf["spark.jars"], ",")},
		{"spec.deps.packages", v.Spec.Packages},
		{"spec.sparkConf[spark.jars.packages]", strings.Split(v.Spec.Conf["spark.jars.packages"], ",")},
	}
	for _, list := range lists {
		for _, value := range list.values {
			if strings.Contains(path.Base(value), name) {
				return given{field: list.field, value: strings.TrimSpace(value)}, true
			}
		}
	}
	return given{}, false
}
