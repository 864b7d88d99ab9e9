package operator

import "fmt"

// SparkConfSince is the first release whose webhook refuses settings of spec.sparkConf: at creation, and when the spec is
// changed; what is stored stays, and so do updates that leave the spec alone (internal/webhook/sparkconf_validator.go and
// sparkapplication_validator.go@v2.5.2, #3043). The template of a schedule and SparkConnect servers are judged alike. A schedule
// that was there before stays Scheduled, with a next run in the past: its runs are refused, and neither status nor events say so,
// only the controller's log, "Failed to start next run" (seen with 2.5.2, TestUpgradeFacts in test/e2e).
func SparkConfSince() Version { return Version{2, 5, 2} }

// DeniedSetting is a setting of sparkConf that the webhook refuses whatever its value.
type DeniedSetting struct{ Key, Reason string }

// DeniedSettings lists them. One more, spark.kubernetes.namespace, is refused where it names another namespace.
func DeniedSettings() []DeniedSetting {
	const (
		account = "the service account is taken from the role's serviceAccount"
		token   = "the operator's own credentials are used"
		master  = "the operator sets the master"
		image   = "the image is taken from the field image"
	)
	return []DeniedSetting{
		{"spark.master", master},
		{"spark.kubernetes.driver.master", master},
		{"spark.kubernetes.container.image", image},
		{"spark.kubernetes.driver.container.image", image},
		{"spark.kubernetes.executor.container.image", image},
		{"spark.kubernetes.authenticate.driver.serviceAccountName", account},
		{"spark.kubernetes.authenticate.executor.serviceAccountName", account},
		{"spark.kubernetes.authenticate.oauthToken", token},
		{"spark.kubernetes.authenticate.oauthTokenFile", token},
		{"spark.kubernetes.authenticate.driver.oauthToken", token},
		{"spark.kubernetes.authenticate.driver.oauthTokenFile", token},
		{"spark.kubernetes.authenticate.executor.oauthToken", token},
		{"spark.kubernetes.authenticate.executor.oauthTokenFile", token},
	}
}

// NamespaceSetting may only name the namespace of the object that has it.
const NamespaceSetting = "spark.kubernetes.namespace"

// DeniedSparkConf reports whether the webhook of a release refuses a setting of an object in a namespace, and why.
func DeniedSparkConf(v Version, key, value, namespace string) (reason string, denied bool) {
	if v.Compare(SparkConfSince()) < 0 {
		return "", false
	}
	if key == NamespaceSetting && value != namespace {
		return fmt.Sprintf("it must be the object's own namespace, %q, and is %q", namespace, value), true
	}
	for _, d := range DeniedSettings() {
		if d.Key == key {
			return d.Reason, true
		}
	}
	return "", false
}
