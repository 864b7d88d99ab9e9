package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// gcs lists what the connector of Google Cloud Storage says.
func gcs() []Signature {
	return []Signature{
		{
			ID: "gcs-class-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ClassNotFoundException: Class|NoClassDefFoundError:) com[./]google[./]cloud[./]hadoop[./]\w+[./]?\S*`,
			Says:    "the Cloud Storage connector is not on the class path, so gs:// cannot be used",
			Next:    steps("add the shaded gcs-connector for Hadoop 3 to the image"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/conf/Configuration.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "gcs-anonymous", Class: cause.Credentials, Certain: true,
			Message: `Anonymous caller does not have|[Aa]pplication [Dd]efault [Cc]redentials (?:are not available|` +
				`were not found)|Your default credentials were not found`,
			Says: "no Google credentials were found: requests go out anonymously or not at all",
			Next: steps("bind the Kubernetes service account to a Google one (workload identity), or mount a key and set " +
				"GOOGLE_APPLICATION_CREDENTIALS"),
			Source: "googleapis/google-auth-library-java oauth2_http/java/com/google/auth/oauth2/" +
				"DefaultCredentialsProvider.java@v1.16.0; " +
				"googleapis/google-auth-library-java oauth2_http/java/com/google/auth/oauth2/" +
				"DefaultCredentialsProvider.java@v1.23.0; " +
				"fsspec/gcsfs issue 546",
		},
		{
			ID: "gcs-denied", Class: cause.Credentials, Certain: true,
			Message: `(?:(?P<account>[\w.@-]+) )?does not have (?P<permission>(?:storage|bigquery|serviceusage|` +
				`pubsub)\.[\w.]+)(?: access| permission)?`,
			Says:   "Google Cloud denies[ ${account}] the permission ${permission}",
			Next:   steps("grant a role with ${permission} to the account"),
			Source: "apache/pinot pull 11655",
		},
		{
			ID: "gcs-metadata", Class: cause.Credentials,
			Message: `(?:Error (?:code \d+ trying to get security access token|` +
				`getting access token) from (?:Compute Engine )?metadata|` +
				`ComputeEngineCredentials cannot find the metadata server|Failed to retrieve a? ?token from metadata)`,
			Says: "no Google token: the metadata server refused or did not answer",
			Next: steps("check workload identity of the node pool and the annotation iam.gke.io/gcp-service-account"),
			Source: "googleapis/google-auth-library-java oauth2_http/java/com/google/auth/oauth2/" +
				"ComputeEngineCredentials.java@v1.23.0; " +
				"GoogleCloudDataproc/hadoop-connectors util/src/main/java/com/google/cloud/hadoop/util/" +
				"CredentialFactory.java@v2.2.14",
		},
		{
			ID: "gcs-impersonation", Class: cause.Credentials, Certain: true,
			Message: `(?:iam\.serviceAccounts\.getAccessToken|Permission '?iam\.serviceAccounts\.\w+'? denied)`,
			Says:    "Google Cloud does not let this identity act as the service account (iam.serviceAccounts.getAccessToken)",
			Next:    steps("grant roles/iam.workloadIdentityUser on the Google service account to the Kubernetes one"),
			Source:  "google-github-actions/auth issue 340",
		},
		{
			ID: "gcs-no-bucket", Class: cause.Configuration, Certain: true,
			Message: `The specified bucket does not exist\.|Bucket not found: (?P<bucket>\S+)`,
			Says:    "the Cloud Storage bucket[ ${bucket}] does not exist",
			Next:    steps("check the bucket's name in the gs:// path"),
			Source: "GoogleCloudDataproc/hadoop-connectors gcsio/src/main/java/com/google/cloud/hadoop/gcsio/" +
				"GoogleCloudStorageImpl.java@v2.2.14",
		},
	}
}
