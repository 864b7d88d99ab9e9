package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// abfs lists what ABFS and Azure say.
func abfs() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "abfs-class-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ClassNotFoundException: Class|` +
				`NoClassDefFoundError:) org[./]apache[./]hadoop[./]fs[./]azure(?:bfs)?[./]\w+`,
			Says: "hadoop-azure is not on the class path, so abfs:// and wasb:// cannot be used",
			Next: steps("add hadoop-azure in the version of the image's Hadoop"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/conf/Configuration.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "abfs-permission", Class: cause.Credentials, Certain: true,
			Message: `AuthorizationPermissionMismatch|` +
				`This request is not authorized to perform this operation using this permission`,
			Says: "Azure Storage refused the identity (403 AuthorizationPermissionMismatch): it has no data role on the container",
			Next: steps("assign Storage Blob Data Contributor on the storage account to the identity of the pod"),
			Source: "MicrosoftDocs/azure-docs issue 66927; " +
				"MicrosoftDocs/azure-docs issue 24686",
		},
		{
			ID: "abfs-firewall", Class: cause.Network, Certain: true,
			Message: `AuthorizationFailure\b.*This request is not authorized to perform this operation\.|` +
				`"?AuthorizationFailure"?, "This request is not authorized|` +
				`Operation failed: "This request is not authorized to perform this operation\.", 403, HEAD`,
			Says: "Azure Storage refused the request (403 AuthorizationFailure): the firewall of the storage account " +
				"does not allow this network",
			Next: steps("allow the subnet of the nodes in the storage account's network rules, or use a private endpoint"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/contracts/exceptions/" +
				"AbfsRestOperationException.java@rel/release-3.3.3; " +
				"Azure/azure-cli issue 10190; " +
				"microsoft/AzureStorageExplorer issue 8183",
		},
		{
			ID: "abfs-account-key", Class: cause.Credentials, Certain: true,
			Message: `Failure to initialize configuration for (?:storage account )?(?P<account>[\w-]+)[\w.-]*(?: key ="[^"\n]*")? ?: ` +
				`Invalid .*fs\.azure\.account\.key|Invalid configuration value detected for fs\.azure\.account\.key[\w.-]*|` +
				`Configuration property (?:(?P<account2>[\w-]+)\.(?:dfs|blob)\.core\.[\w.]+|fs\.azure\.account\.key\S*) not found`,
			Says: "the key of the Azure storage account[ ${account}] is not configured or not base64",
			Next: steps("set fs.azure.account.key.ACCOUNT.dfs.core.windows.net, or OAuth with fs.azure.account.auth.type"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/services/" +
				"SimpleKeyProvider.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/contracts/exceptions/" +
				"InvalidConfigurationValueException.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/contracts/exceptions/" +
				"ConfigurationPropertyNotFoundException.java@rel/release-3.3.3",
		},
		{
			ID: "abfs-oauth-setting", Class: cause.Configuration, Certain: true,
			Message: `Configuration property (?P<key>fs\.azure\.account\.(?:oauth|auth)[\w.-]*?)\.? not found`,
			Says:    "the setting ${key} of the Azure storage account is missing",
			Next:    steps("set ${key}, or correct fs.azure.account.auth.type"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/AbfsConfiguration.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "abfs-oauth-provider", Class: cause.Configuration, Certain: true,
			Message: `Unable to load OAuth token provider class\.? ?(?P<why>[^\n]*)`,
			Says:    "the OAuth token provider of the Azure storage account cannot be made[: ${why}]",
			Next: steps("set all keys that this provider reads: for ClientCredsTokenProvider fs.azure.account.oauth2.client.endpoint, " +
				"client.id and client.secret, plain or with the account's name at their end"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/AbfsConfiguration.java@rel/" +
				"release-3.3.1; apache/hadoop issue 3041",
		},
		{
			ID: "abfs-auth-failed", Class: cause.Credentials, Certain: true,
			Message: `AuthenticationFailed\b.*Server failed to authenticate the request|Server failed to authenticate the request`,
			Says: "Azure Storage could not authenticate the request (403 AuthenticationFailed): the account key or " +
				"SAS is wrong or expired",
			Next:   steps("replace the account key or SAS, or use workload identity"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/site/markdown/abfs.md@rel/release-3.3.3",
		},
		{
			ID: "azure-federation", Class: cause.Credentials, Certain: true,
			Message: `AADSTS(?P<code>70021|700211|700212|700213|7002138|700016|7000215|7000222|90002|500011|50034)\b`,
			Says:    "Microsoft Entra ID refused the identity (AADSTS${code})",
			Next: steps("compare the federated credential's issuer, subject and audience, the client ID and the tenant with " +
				"those of the service account"),
			Source: "Azure/azure-workload-identity issue 1200; " +
				"Azure/login issue 517",
		},
		{
			ID: "azure-token", Class: cause.Credentials,
			Message: `AADToken: HTTP connection (?:to \S+ )?failed|AzureADAuthenticator\$HttpException|Failed to acquire token|` +
				`HTTP Error (?P<code>\d+);.*(?:IMDS|login\.microsoftonline|identity/oauth2/token)`,
			Says: "no Azure token: the identity endpoint refused or did not answer[ (${code})]",
			Next: steps("check fs.azure.account.oauth.provider.type, the client ID and the pod's workload identity label"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/oauth2/" +
				"AzureADAuthenticator.java@rel/release-3.3.3",
		},
		{
			// Where webhooks of the clouds mount the token of a service account for their own identities.
			ID: "identity-token-missing", Class: cause.Credentials, Certain: true,
			Message: `(?:NoSuchFile|FileNotFound)(?:Exception|Error): ?(?:\[Errno 2\] [\w ]+: )?'?(?P<file>/var/run/secrets/(?:azure/(?:tokens|wi)|` +
				`eks\.amazonaws\.com|tokens)/[\w./-]+)`,
			Says: "the pod has no token for its cloud identity: ${file} does not exist",
			Next: steps("give the pods what makes the webhook of the cloud mount the token: for Azure the label " +
				"azure.workload.identity/use: \"true\" on driver and executors and the annotation of the service account, for EKS the " +
				"annotation eks.amazonaws.com/role-arn; then restart"),
			Source: "Azure/azure-workload-identity pkg/webhook/consts.go@v1.4.1; " +
				"Azure/azure-workload-identity pkg/webhook/consts.go@2135097; aws/amazon-eks-pod-identity-webhook main.go@0048675",
		},
		{
			ID: "abfs-no-filesystem", Class: cause.Configuration, Certain: true,
			Message: `FilesystemNotFound|The specified filesystem does not exist|ContainerNotFound|` +
				`The specified container does not exist`,
			Says: "the Azure container does not exist in the storage account",
			Next: steps("check the container and account in the abfss:// path"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/contracts/services/" +
				"AzureServiceErrorCode.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-azure/src/test/java/org/apache/hadoop/fs/azurebfs/" +
				"ITestGetNameSpaceEnabled.java@rel/release-3.3.3",
		},
		{
			ID: "abfs-authority", Class: cause.Configuration, Certain: true,
			Message: `(?P<uri>(?:abfs|wasb)s?://\S+) has invalid authority`,
			Says:    "the path ${uri} names no container, so the driver for Azure refuses it",
			Next:    steps("write the path as abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azurebfs/contracts/exceptions/" +
				"InvalidUriAuthorityException.java@rel/release-3.3.4",
		},
		{
			ID: "wasb-credentials", Class: cause.Credentials, Certain: true,
			Message: `No credentials found for account (?P<account>[\w.-]+) in the configuration, and its container ` +
				`(?P<container>[\w$-]+) is not accessible using anonymous credentials`,
			Says: "no credentials for storage account ${account} are in the Hadoop configuration, and its container ${container} is not public",
			Next: steps("set the account key or a SAS token as spark.hadoop.fs.azure.… in spec.sparkConf or spec.hadoopConf: readers of the " +
				"RDD API do not see what is set on the session alone"),
			Source: "apache/hadoop hadoop-tools/hadoop-azure/src/main/java/org/apache/hadoop/fs/azure/AzureNativeFileSystemStore.java" +
				"@rel/release-3.3.4; databricks/spark-xml issue 466",
		},
		{
			ID: "abfs-host", Class: cause.Network,
			Message: `UnknownHostException: (?P<host>[\w.-]+\.(?:dfs|blob)\.core\.windows\.net)`,
			Says:    "storage account host ${host} does not resolve",
			Next:    steps("check the account's name in the path, and the private DNS zone of its private endpoint"),
			Source:  "openjdk/jdk25u src/java.base/share/classes/java/net/UnknownHostException.java@jdk-25.0.3+9",
		},
	}
}
