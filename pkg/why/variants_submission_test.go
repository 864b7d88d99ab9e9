package why_test

import "testing"

// TestConfigMapOfTheDriver: that spark-submit did not make it is only an effect where the submission failed.
func TestConfigMapOfTheDriver(t *testing.T) {
	const name = "spark-drv-ca2d79bba6fa04d4-conf-map"
	answerVariants(t, map[string]variant{
		"spark-submit failed": {of: "861", class: "submission", says: []string{name,
			"submission failed: java.net.SocketTimeoutException: timeout; it left pod rate-import-driver"}},
		"another ConfigMap is missing": {of: "861", objects: []string{name, "etl-settings", "state: FAILED\n    errorMessage:",
			"state: SUBMITTED\n    warning:", "reason: SparkApplicationSubmissionFailed", "reason: Other", "reason: SparkApplicationFailed",
			"reason: Other"}, class: "configuration", says: []string{"etl-settings"}},
	})
}

// TestDriversThatASubmissionLeft: spark-submit made the pod and ended before it made its ConfigMap.
func TestDriversThatASubmissionLeft(t *testing.T) {
	answerVariants(t, map[string]variant{
		"without its ConfigMap": {of: "1124", class: "submission", says: []string{"SIGKILL", "it left pod feature-refresh-driver",
			"spark-drv-bd346e59b2e3cc7e-conf-map"}},
		"the mount is not told": {of: "1124", objects: []string{"reason: FailedMount", "reason: Other"}, class: "submission",
			not: []string{"it left pod"}},
	})
}
