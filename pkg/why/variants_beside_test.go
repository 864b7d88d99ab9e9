package why_test

import "testing"

// TestNodesThatAreTakenBack: only what all executors' nodes say, and only where something ended the others from outside.
func TestNodesThatAreTakenBack(t *testing.T) {
	const label, spot = "    cloud.google.com/gke-spot: 'true'\n    cloud.google.com/gke-nodepool: ml-spot\n  name: gke-ml-spot-7bd0-6b86\n",
		"run on spot nodes"
	answerVariants(t, map[string]variant{
		"all": {of: "1605", class: "slowButProgressing", says: []string{"all 4 executors run on spot nodes (cloud.google.com/gke-spot=true)"}},
		"not all": {of: "1605", class: "slowButProgressing", not: []string{spot},
			objects: []string{label, "    cloud.google.com/gke-nodepool: ml\n  name: gke-ml-spot-7bd0-6b86\n"}},
		"one was not seen": {of: "1605", class: "slowButProgressing", not: []string{spot},
			objects: []string{"nodeName: gke-ml-spot-7bd0-6b86", "nodeName: gke-ml-spot-7bd0-0000"}},
		"killed for memory": {of: "1605", class: "slowButProgressing", not: []string{spot},
			logs: []string{"exit code 143(SIGTERM)", "exit code 137(SIGKILL, possible container OOM)", "exit code: 143", "exit code: 137",
				"termination reason: Error", "termination reason: OOMKilled"}},
	})
}

// TestFileSystemsOfTheOperator: a folder that a volume holds, and one of a controller that was not seen at the time, may be written to.
func TestFileSystemsOfTheOperator(t *testing.T) {
	const readOnly, is = "readOnlyRootFilesystem: true", "root filesystem is read-only"
	answerVariants(t, map[string]variant{
		"read-only": {of: "1603", class: "configuration", says: []string{is, "/tmp/.ivy2"}},
		"writable":  {of: "1603", class: "configuration", objects: []string{readOnly, "readOnlyRootFilesystem: false"}, not: []string{is}},
		"not set":   {of: "1603", class: "configuration", objects: []string{readOnly, "runAsUser: 185"}, not: []string{is}},
		"on a volume": {of: "1603", class: "configuration", not: []string{is},
			objects: []string{"mountPath: /tmp\n", "mountPath: /home/spark\n"}},
		"another since": {of: "1603", class: "configuration", not: []string{is},
			objects: []string{"'2026-11-16T14:40:21Z'", "'2026-11-17T06:10:00Z'"}},
	})
}

// TestPoliciesOfWebhooksThatWereNotCalled: one that is Fail by now did not let the pod pass.
func TestPoliciesOfWebhooksThatWereNotCalled(t *testing.T) {
	const ignore, says = "failurePolicy: Ignore", "failurePolicy Ignore"
	answerVariants(t, map[string]variant{
		"ignored":           {of: "1610", class: "configuration", says: []string{says, "had expired"}},
		"it is Fail":        {of: "1610", class: "configuration", objects: []string{ignore, "failurePolicy: Fail"}, not: []string{says}},
		"of another object": {of: "1610", class: "configuration", objects: []string{"    - pods\n", "    - services\n"}, not: []string{says}},
	})
}
