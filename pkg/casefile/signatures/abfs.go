package signatures

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"

// abfs lists what ABFS and Azure say.
func abfs() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "abfs-class-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ClassNotFoundException: Class|` +
				`NoClassDefFoundError:) org[./]apache[./]hadoop[./]fs[./]azure(?:bfs)?[./]\w+`,
			Says:   "hadoop-azure is not on the class path, so abfs:// and wasb:// cannot be used",
			Next:   steps("add hadoop-azure in the version of the image's Hadoop"),
			Source: "org.apache.hadoop.conf.Configuration.getClass (Hadoop)",
		},
		{
			ID: "abfs-permission", Class: cause.Credentials, Certain: true,
			Message: `AuthorizationPermissionMismatch|` +
				`This request is not authorized to perform this operation using this permission`,
			Says:   "Azure Storage refused the identity (403 AuthorizationPermissionMismatch): it has no data role on the container",
			Next:   steps("assign Storage Blob Data Contributor on the storage account to the identity of the pod"),
			Source: "Azure Storage REST API, error AuthorizationPermissionMismatch",
		},
		{
			ID: "abfs-firewall", Class: cause.Network, Certain: true,
			Message: `AuthorizationFailure\b.*This request is not authorized to perform this operation\.|` +
				`"?AuthorizationFailure"?, "This request is not authorized`,
			Says: "Azure Storage refused the request (403 AuthorizationFailure): the firewall of the storage account " +
				"does not allow this network",
			Next:   steps("allow the subnet of the nodes in the storage account's network rules, or use a private endpoint"),
			Source: "Azure Storage REST API, error AuthorizationFailure",
		},
		{
			ID: "abfs-account-key", Class: cause.Credentials, Certain: true,
			Message: `Invalid configuration value detected for (?P<key>fs\.azure\.account\.key[\w.-]*)|` +
				`Failure to initialize configuration for storage account \S+ ?: Invalid .*fs\.azure\.account\.key|` +
				`Configuration property \S+ not found`,
			Says:   "the key of the Azure storage account is not configured or not base64",
			Next:   steps("set fs.azure.account.key.ACCOUNT.dfs.core.windows.net, or OAuth with fs.azure.account.auth.type"),
			Source: "hadoop-azure SimpleKeyProvider.java, KeyProviderException (Hadoop)",
		},
		{
			ID: "abfs-auth-failed", Class: cause.Credentials, Certain: true,
			Message: `AuthenticationFailed\b.*Server failed to authenticate the request|Server failed to authenticate the request`,
			Says: "Azure Storage could not authenticate the request (403 AuthenticationFailed): the account key or " +
				"SAS is wrong or expired",
			Next:   steps("replace the account key or SAS, or use workload identity"),
			Source: "Azure Storage REST API, error AuthenticationFailed",
		},
		{
			ID: "azure-federation", Class: cause.Credentials, Certain: true,
			Message: `AADSTS(?P<code>70021|700211|700212|700213|700016|7000215|7000222|90002|500011|50034)\b`,
			Says:    "Microsoft Entra ID refused the identity (AADSTS${code})",
			Next: steps("compare the federated credential's issuer, subject and audience, the client ID and the tenant with " +
				"those of the service account"),
			Source: "Microsoft Entra ID, AADSTS error codes",
		},
		{
			ID: "azure-token", Class: cause.Credentials,
			Message: `AADToken: HTTP connection (?:to \S+ )?failed|AzureADAuthenticator\$HttpException|Failed to acquire token|` +
				`HTTP Error (?P<code>\d+);.*(?:IMDS|login\.microsoftonline|identity/oauth2/token)`,
			Says:   "no Azure token: the identity endpoint refused or did not answer (${code})",
			Next:   steps("check fs.azure.account.oauth.provider.type, the client ID and the pod's workload identity label"),
			Source: "hadoop-azure AzureADAuthenticator.java (Hadoop)",
		},
		{
			ID: "abfs-no-filesystem", Class: cause.Configuration, Certain: true,
			Message: `FilesystemNotFound|The specified filesystem does not exist|ContainerNotFound|` +
				`The specified container does not exist`,
			Says:   "the Azure container does not exist in the storage account",
			Next:   steps("check the container and account in the abfss:// path"),
			Source: "Azure Storage REST API, errors FilesystemNotFound and ContainerNotFound",
		},
		{
			ID: "abfs-host", Class: cause.Network,
			Message: `UnknownHostException: (?P<host>[\w.-]+\.(?:dfs|blob)\.core\.windows\.net)`,
			Says:    "storage account host ${host} does not resolve",
			Next:    steps("check the account's name in the path, and the private DNS zone of its private endpoint"),
			Source:  "java.net.UnknownHostException (JDK)",
		},
	}
}
