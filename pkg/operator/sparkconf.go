package operator

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// SparkConfSince is the first release whose webhook refuses settings of spec.sparkConf.
func SparkConfSince() Version { return Since(func(f *Facts) bool { return len(f.DeniedSettings) > 0 }) }

// DeniedSettings lists those that the newest release refuses. One more, spark.kubernetes.namespace, is refused where it names
// another namespace.
func DeniedSettings() []DeniedSetting { return slices.Clone(releases.Of(Newest()).DeniedSettings) }

// NamespaceSetting may only name the namespace of the object that has it.
const NamespaceSetting = "spark.kubernetes.namespace"

// DeniedSparkConf reports whether the webhook of a release refuses a setting of an object in a namespace, and why.
func DeniedSparkConf(v Version, key, value, namespace string) (reason string, denied bool) {
	settings := releases.Of(v).DeniedSettings
	if len(settings) == 0 {
		return "", false
	}
	if key == NamespaceSetting && value != namespace {
		return fmt.Sprintf("it must be the object's own namespace, %q, and is %q", namespace, value), true
	}
	for _, d := range settings {
		if d.Key == key {
			return d.Reason, true
		}
	}
	return "", false
}
