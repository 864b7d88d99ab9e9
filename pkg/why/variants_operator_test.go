package why_test

import "testing"

// TestOperatorsThatDoNotSubmit: what the operator's log says of an application that has no status.
func TestOperatorsThatDoNotSubmit(t *testing.T) {
	answerVariants(t, map[string]variant{
		"it may not": {of: "911", class: "credentials",
			says: []string{"podgroups.scheduling.volcano.sh", "cannot get resource"}},
		"it cannot decode another application": {of: "977", class: "configuration",
			says: []string{"cannot decode one of the applications that it lists", "SD5003"}},
		"it cannot list another kind": {of: "977", logs: []string{"*v1beta2.SparkApplication:", "*v1.Pod:"}, class: "unknown",
			says: []string{"has not written a status"}},
		"it may not list any": {of: "977", logs: []string{`v1beta2.SparkApplicationList.Items: []v1beta2.SparkApplication`,
			`sparkapplications is forbidden: User "system:serviceaccount:spark-operator:x" cannot list`}, class: "credentials"},
		"for another reason":         {of: "911", logs: []string{"is forbidden: User", "is not served to"}, class: "submission"},
		"of one whose name holds it": {of: "911", logs: []string{"spark-volcano-trial-pg", "spark-volcano-trial-2-pg"}, class: "unknown"},
		"a write that came too late": {of: "911", logs: []string{"is forbidden: User", "the object has been modified"}, class: "unknown"},
		"of another application": {of: "911", logs: []string{"spark-volcano-trial-pg", "spark-other-pg"}, class: "unknown",
			says: []string{"has not written a status"}},
	})
}

// TestOperatorsThatWatchElsewhere: an operator that was not seen may watch the namespace, so that this is never certain of files.
func TestOperatorsThatWatchElsewhere(t *testing.T) {
	const flag = "- --namespaces=default\n"
	answerVariants(t, map[string]variant{
		"another namespace": {of: "1071", class: "configuration",
			says: []string{"no operator that was seen watches namespace market-basket", "spark.jobNamespaces={default,market-basket}"}},
		"this one":        {of: "1071", objects: []string{flag, "- --namespaces=default,market-basket\n"}, class: "unknown"},
		"all":             {of: "1071", objects: []string{flag, "- --namespaces=\n"}, class: "unknown"},
		"by their labels": {of: "1071", objects: []string{flag, "- --namespace-selector=spark=yes\n"}, class: "configuration"},
		"by labels of namespaces that were not seen": {of: "1071", objects: []string{flag, "- --namespace-selector=spark=yes\n",
			"kind: Namespace\n", "kind: NotANamespace\n"}, class: "unknown"},
		"it was just created": {of: "1071", objects: []string{"creationTimestamp: '2026-06-09T09:12:41Z'",
			"creationTimestamp: '2026-06-09T09:59:41Z'"}, class: "runningNormally"},
	})
}

// TestOperatorsThatCrash: nothing is submitted while they do; one that runs may just not have got to it.
func TestOperatorsThatCrash(t *testing.T) {
	answerVariants(t, map[string]variant{
		"again and again": {of: "1151", class: "configuration", says: []string{"operator does not run", "CrashLoopBackOff"}},
		"it starts":       {of: "1151", objects: []string{"reason: CrashLoopBackOff", "reason: ContainerCreating"}, class: "unknown"},
	})
}

// TestTemplatesThatDoNotDecode: the application itself tells it; where its template is sound, the operator's log may.
func TestTemplatesThatDoNotDecode(t *testing.T) {
	const nested, sound = "              requests:\n                ephemeral-storage: 5Gi\n", "              ephemeral-storage: 5Gi\n"
	answerVariants(t, map[string]variant{
		"its own": {of: "1093", class: "configuration",
			says: []string{"spec.driver.template.spec.containers[0].resources.requests.requests"}},
		"of another application": {of: "1093", objects: []string{nested, sound}, class: "configuration",
			says: []string{"cannot decode one of the applications", "quantities must match"}},
		"nothing tells": {of: "1093", objects: []string{nested, sound}, logs: []string{"quantities must match", "connection refused"},
			class: "configuration", says: []string{"the operator does not run"}, not: []string{"cannot decode"}},
	})
}

// TestNeighboursThatDoNotDecode: the list of applications fails for one of them.
func TestNeighboursThatDoNotDecode(t *testing.T) {
	const text = "  arguments: local:////opt/jobs/words.txt\n"
	answerVariants(t, map[string]variant{
		"text for a list": {of: "1114", class: "configuration",
			says: []string{"lexicon/lexicon-backfill (spec.arguments is a string"}},
		"mended since": {of: "1114", objects: []string{text, "  arguments: [words.txt]\n"}, class: "configuration",
			says: []string{"cannot decode one of the applications"}},
	})
}

// TestSpecsThatAreNotRunAgain: an operator 1.x says which change it took a run down for.
func TestSpecsThatAreNotRunAgain(t *testing.T) {
	const changed = "SparkApplicationSpecUpdateProcessed"
	answerVariants(t, map[string]variant{
		"twice": {of: "1172", class: "stoppedByUser", says: []string{"the spec was changed while it ran (2 times", "PENDING_RERUN"}},
		"not":   {of: "1172", objects: []string{changed, "SparkApplicationOther"}, class: "unknown", says: []string{"PENDING_RERUN"}},
	})
}

// TestRerunsForAChange: a rerun is for a change of the spec only where one was made lately.
func TestRerunsForAChange(t *testing.T) {
	const wrote = "time: '2026-07-15T10:43:57Z'"
	answerVariants(t, map[string]variant{
		"just now":             {of: "422", class: "stoppedByUser"},
		"its driver goes away": {of: "422", objects: []string{wrote, "time: '2026-07-15T09:05:57Z'"}, class: "stoppedByUser"},
		"long ago": {of: "422", objects: []string{wrote, "time: '2026-07-15T09:05:57Z'", "deletionTimestamp: ", "deletionNoted: "},
			class: "unknown"},
	})
}

// TestScheduleThatIsNotAccepted: it starts no run, however well its last one went. A run that failed is asked about first.
func TestScheduleThatIsNotAccepted(t *testing.T) {
	answerVariants(t, map[string]variant{
		"after a run that went well": {of: "810", class: "configuration", says: []string{"expected exactly 5 fields"}},
		"accepted":                   {of: "810", objects: []string{"FailedValidation", "Scheduled"}, class: "succeeded"},
		"after a run that failed": {of: "810", objects: []string{"state: COMPLETED", "state: FAILED", "exitCode: 0", "exitCode: 137",
			"reason: Completed", "reason: OOMKilled", "phase: Succeeded", "phase: Failed"}, class: "clusterKilled", says: []string{"OOMKilled"}},
	})
}

// TestWebhooksWhoseCertificateExpired: a certificate that was not renewed is why the API server did not trust it, where it is that of the
// webhook and had expired before the pod was made; what keeps it from being renewed comes first.
func TestWebhooksWhoseCertificateExpired(t *testing.T) {
	const missing = `'Referenced "Issuer" not found: issuer.cert-manager.io "platform-internal-ca" not found'`
	answerVariants(t, map[string]variant{
		"without its issuer": {of: "1610", class: "configuration", says: []string{"spark-operator-certificate had expired (2026-11-25)",
			"Issuer platform-internal-ca does not exist", "describe certificate spark-operator-certificate"}},
		"its issuer is there": {of: "1610", objects: []string{missing, "Waiting on certificate issuance from order"}, class: "configuration",
			says: []string{"had expired", "why cert-manager does not renew it"}, not: []string{"does not exist"}},
		"renewed": {of: "1610", objects: []string{"notAfter: '2026-11-25", "notAfter: '2027-11-25"}, class: "configuration",
			says: []string{"bad certificate"}, not: []string{"expired", "Issuer"}},
		"another certificate": {of: "1610", objects: []string{"inject-ca-from: spark-operator/spark-operator-certificate",
			"inject-ca-from: spark-operator/other"}, class: "configuration", says: []string{"bad certificate"}, not: []string{"expired", "Issuer"}},
	})
}
