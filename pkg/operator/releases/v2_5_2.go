package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v2_5_2 is of 2026-07-31. Its webhook refuses settings of sparkConf.
func v2_5_2() release.Release {
	return release.Release{
		Version: version(2, 5, 2), Compared: "v2.5.1", Hop: true,
		Set: func(f *release.Facts) {
			f.Chart.Spark = "4.0.4"
			f.DeniedSettings = deniedSettings()
		},
		Grants: []release.Grant{grant(release.ToWebhook, release.InReleaseNamespace, "", "events", "", eventVerbs)}, // #3027
		Notes: []release.Note{{
			Clients: true, When: release.Before, Do: "check the sparkConf that clients write (Airflow, CI, manifest repositories)",
			Why: "rejects settings that name images, accounts, tokens, the master or another namespace; " +
				"clients outside the cluster cannot be checked from here",
			Command: "kubectl sparkdoctor gate --from {from} --to {to} -f manifests/ -R",
			Source:  "internal/webhook/sparkconf_validator.go@v2.5.2, #3043",
		}},
	}
}

// deniedSettings are refused at creation, and when the spec is changed; what is stored stays, and so do updates that leave the spec
// alone (internal/webhook/sparkconf_validator.go and sparkapplication_validator.go@v2.5.2, #3043). The template of a schedule and
// SparkConnect servers are judged alike. A schedule that was there before stays Scheduled, with a next run in the past: its runs are
// refused, and neither status nor events say so, only the controller's log, "Failed to start next run" (seen with 2.5.2,
// TestUpgradeFacts in test/e2e).
func deniedSettings() []release.DeniedSetting {
	const (
		account = "the service account is taken from the role's serviceAccount"
		token   = "the operator's own credentials are used"
		master  = "the operator sets the master"
		image   = "the image is taken from the field image"
	)
	return []release.DeniedSetting{
		{Key: "spark.master", Reason: master},
		{Key: "spark.kubernetes.driver.master", Reason: master},
		{Key: "spark.kubernetes.container.image", Reason: image},
		{Key: "spark.kubernetes.driver.container.image", Reason: image},
		{Key: "spark.kubernetes.executor.container.image", Reason: image},
		{Key: "spark.kubernetes.authenticate.driver.serviceAccountName", Reason: account},
		{Key: "spark.kubernetes.authenticate.executor.serviceAccountName", Reason: account},
		{Key: "spark.kubernetes.authenticate.oauthToken", Reason: token},
		{Key: "spark.kubernetes.authenticate.oauthTokenFile", Reason: token},
		{Key: "spark.kubernetes.authenticate.driver.oauthToken", Reason: token},
		{Key: "spark.kubernetes.authenticate.driver.oauthTokenFile", Reason: token},
		{Key: "spark.kubernetes.authenticate.executor.oauthToken", Reason: token},
		{Key: "spark.kubernetes.authenticate.executor.oauthTokenFile", Reason: token},
	}
}
