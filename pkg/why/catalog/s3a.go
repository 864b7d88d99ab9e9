package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// s3a lists what S3A and the SDKs of AWS say.
func s3a() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "s3a-class-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ClassNotFoundException: Class|NoClassDefFoundError:) org[./]apache[./]hadoop[./]fs[./]s3a[./]\w+`,
			Says:    "hadoop-aws is not on the class path, so s3a:// cannot be used",
			Next:    steps("add hadoop-aws in the version of the image's Hadoop, and the AWS SDK bundle that it was built with"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/conf/Configuration.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "s3a-sdk-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ClassNotFoundException: |NoClassDefFoundError: )(?P<class>(?:com[./]amazonaws|` +
				`software[./]amazon[./]awssdk)[./][\w./$]+)`,
			Says: "the AWS SDK is missing or of the wrong major version: class ${class} is not on the class path",
			Next: steps("add the AWS SDK that hadoop-aws was built with: aws-java-sdk-bundle 1.x to Hadoop 3.3, " +
				"software.amazon.awssdk:bundle 2.x from 3.4"),
			Source: "apache/hadoop hadoop-project/pom.xml@rel/release-3.3.3; " +
				"apache/hadoop hadoop-project/pom.xml@d93e0b0",
		},
		{
			ID: "s3-no-filesystem", Class: cause.Configuration, Certain: true,
			Message: `No FileSystem for scheme:? "?s3n?"?`,
			Says:    "no file system is registered for s3:// and s3n:// in Hadoop 3",
			Next:    steps("write the path as s3a://, or set spark.hadoop.fs.s3.impl to org.apache.hadoop.fs.s3a.S3AFileSystem"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/fs/FileSystem.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "no-filesystem", Class: cause.Dependency, Certain: true,
			Message: `No FileSystem for scheme:? "?(?P<scheme>[\w+-]+)"?`,
			Says:    "no file system is registered for ${scheme}://, because its connector is not on the class path",
			Next:    steps("add the Hadoop connector of ${scheme}:// to the image or to deps.packages"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/fs/FileSystem.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "irsa-denied", Class: cause.Credentials, Certain: true,
			Message: `[Nn]ot authorized to perform:? ?sts:AssumeRoleWithWebIdentity`,
			Says:    "AWS refused sts:AssumeRoleWithWebIdentity: the trust policy of the role does not accept this service account",
			Next:    steps("compare the trust policy's sub and aud with the namespace and service account of the pod"),
			Source:  "kubeflow/spark-operator issue 1129",
		},
		{
			ID: "irsa-no-provider", Class: cause.Credentials, Certain: true,
			Message: `No OpenIDConnect provider found in your account for (?P<issuer>\S+)`,
			Says:    "the AWS account has no OpenID Connect provider for the cluster's issuer ${issuer}",
			Next:    steps("create the IAM OIDC provider of this cluster in the account of the role"),
			Source:  "kubernetes-sigs/aws-load-balancer-controller issue 2315",
		},
		{
			ID: "irsa-token", Class: cause.Credentials, Certain: true,
			Message: `(?:InvalidIdentityToken|ExpiredTokenException: .*[Ww]eb identity|Web [Ii]dentity [Tt]oken.*(?:expired|` +
				`invalid)|IDPRejectedClaim)`,
			Says:   "AWS STS rejected the web identity token of the service account",
			Next:   steps("check the audience and expiry of the projected token, and the cluster's OIDC issuer"),
			Source: "aws/amazon-eks-pod-identity-webhook issue 232",
		},
		{
			ID: "irsa-role-denied", Class: cause.Credentials, Certain: true,
			Message: `not authorized to perform: ?(?P<action>sts:AssumeRole)\b`,
			Says:    "AWS refused ${action}: the role cannot be assumed by this identity",
			Next:    steps("allow the identity in the trust policy of the role, and sts:AssumeRole in its own policy"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3",
		},
		{
			ID: "s3-action-denied", Class: cause.Credentials, Certain: true,
			Message: `is not authorized to perform: ?(?P<action>[a-z0-9-]+:[A-Za-z]+)(?: on resource: "?(?P<resource>[^\s"]+))?`,
			Says:    "an AWS policy denies ${action}[ on ${resource}]",
			Next:    steps("allow ${action} in the policy of the role that the pod uses"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3",
		},
		{
			ID: "s3-no-region", Class: cause.Configuration, Certain: true,
			Message: `Unable to (?:find a region via the region provider chain|load region from any of the providers)`,
			Says:    "no AWS region is configured",
			Next:    steps("set AWS_REGION in driver and executors, or fs.s3a.endpoint.region"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3; " +
				"aws/aws-sdk-java-v2 core/regions/src/main/java/software/amazon/awssdk/regions/providers/" +
				"AwsRegionProviderChain.java@6eabc85",
		},
		{
			ID: "imds-unreachable", Class: cause.Credentials,
			Message: `(?:Failed to connect to service endpoint|Unable to contact EC2 metadata service|` +
				`Failed to load credentials from IMDS|` +
				`Cannot fetch credentials from container)`,
			Says:   "no AWS credentials: the instance metadata service does not answer the pod",
			Next:   steps("use IRSA or EKS Pod Identity, or raise the hop limit of the node's metadata service to 2"),
			Source: "aws/aws-sdk-java aws-java-sdk-core/src/main/java/com/amazonaws/internal/EC2ResourceFetcher.java@06a2180",
		},
		{
			ID: "aws-no-credentials", Class: cause.Credentials, Certain: true,
			Message: `(?:No AWS Credentials provided by|NoAwsCredentialsException|No AWS Credential Providers|` +
				`Unable to load (?:AWS )?credentials from any (?:of the )?provider)`,
			Says: "no AWS credentials: none of the credential providers returned any",
			Next: steps("give the pod's service account an IAM role (IRSA or Pod Identity), and set " +
				"fs.s3a.aws.credentials.provider to a provider that reads it"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/AWSCredentialProviderList.java@rel/" +
				"release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/auth/" +
				"NoAwsCredentialsException.java@rel/release-3.3.3; " +
				"aws/aws-sdk-java-v2 core/auth/src/main/java/software/amazon/awssdk/auth/credentials/" +
				"AwsCredentialsProviderChain.java@07ca27c",
		},
		{
			ID: "s3-signature", Class: cause.Credentials, Certain: true,
			Message: `(?:SignatureDoesNotMatch|[Tt]he request signature we calculated does not match)`,
			Says:    "S3 rejected the signature: the secret key does not belong to the access key, or a proxy changes the request",
			Next:    steps("check fs.s3a.secret.key for truncation and line breaks, and fs.s3a.endpoint and region"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3",
		},
		{
			ID: "s3-access-key", Class: cause.Credentials, Certain: true,
			Message: `(?:InvalidAccessKeyId|InvalidClientTokenId|AWS Access Key Id you provided does not exist|` +
				`security token included in the request is invalid)`,
			Says: "AWS does not know the access key",
			Next: steps("replace the access key; with temporary keys set the session token and TemporaryAWSCredentialsProvider"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/assumed_roles.md@rel/release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3",
		},
		{
			ID: "s3-expired-token", Class: cause.Credentials, Certain: true,
			Message: `(?:(?:Error Code|ErrorCode)[:=] ?ExpiredToken|[Tt]he (?:provided|security) token (?:has|` +
				`included in the request is) expired)`,
			Says:   "the AWS session token has expired",
			Next:   steps("use a provider that renews credentials, such as IRSA, instead of a token in the configuration"),
			Source: "snowflakedb/spark-snowflake issue 21",
		},
		{
			ID: "s3-clock", Class: cause.Configuration, Certain: true,
			Message: `RequestTimeTooSkewed|difference between the request time and the (?:current|server's) time is too large`,
			Says:    "S3 rejected the request: the clock of the node differs by more than 15 min",
			Next:    steps("synchronize the clock of the node"),
			Source: "aws/aws-sdk-java-v2 issue 4122; " +
				"aws/aws-sdk-php issue 612",
		},
		{
			ID: "s3a-pool-exhausted", Class: cause.Configuration, Certain: true,
			Message: `Timeout waiting for connection from pool`,
			Says:    "all HTTP connections of the client are in use, such as those of S3A (fs.s3a.connection.maximum)",
			Next: steps("raise fs.s3a.connection.maximum (spark.hadoop.fs.s3a.connection.maximum) above the threads that read at once, and close " +
				"streams that are not read to their end"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/release-3.3.3",
		},
		{
			ID: "s3-no-bucket", Class: cause.Configuration, Certain: true,
			Message: `NoSuchBucket|UnknownStoreException: .*[Bb]ucket (?P<bucket>\S+) does not exist|` +
				`[Bb]ucket does not exist(?:: (?P<bucket2>[\w.-]*\w))?|` +
				`[Tt]he specified bucket does not exist`,
			Says: "the S3 bucket[ ${bucket}] does not exist at this endpoint",
			Next: steps("check the bucket's name, fs.s3a.endpoint and the region"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/UnknownStoreException.java@rel/" +
				"release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3",
		},
		{
			ID: "aws-region-name", Class: cause.Configuration, Certain: true,
			Message: `Cannot create enum from (?P<region>[a-z]{2}(?:-[a-z]+)+-\d\w*) value!`,
			Says:    "${region} is no AWS region that the SDK knows",
			Next:    steps("correct the region (an availability zone is none), or use an AWS SDK that is new enough to know it"),
			Source:  "aws/aws-sdk-java aws-java-sdk-core/src/main/java/com/amazonaws/regions/Regions.java@1.12.262",
		},
		{
			ID: "s3-region", Class: cause.Configuration, Certain: true,
			Message: `(?:PermanentRedirect|[Bb]ucket is in this region: (?P<region>[\w-]+)|` +
				`authorization header is malformed; the region '[^']*' is wrong; expecting '(?P<region2>[\w-]+)'|` +
				`AuthorizationHeaderMalformed|` +
				`[Tt]he bucket you are attempting to access must be addressed using the specified endpoint|` +
				`Received permanent redirect response(?: to region (?P<region3>[\w-]+))?)`,
			Says: "the S3 bucket is in another region than the client uses[ (${region})]",
			Next: steps("set fs.s3a.endpoint.region to the region of the bucket"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/S3AUtils.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/" +
				"release-3.3.3",
		},
		{
			ID: "s3-throttled", Class: cause.Network,
			Message: `(?:AWSServiceThrottledException|[Ss]low ?[Dd]own[;,)]|Please reduce your request rate)`,
			Says:    "S3 throttles requests (503 Slow Down)",
			Next:    steps("write fewer, larger files or spread prefixes, and raise fs.s3a.retry.throttle.limit"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/" +
				"AWSServiceThrottledException.java@rel/release-3.3.3; " +
				"locationtech/geotrellis issue 2574; " +
				"opensearch-project/opensearch-spark issue 607",
		},
		{
			ID: "s3-changed", Class: cause.CodeFailed, Certain: true,
			Message: `RemoteFileChangedException|Change reported by S3 (?:during|on) |(?:ETag|VersionId) change detected on `,
			Says:    "a file in S3 changed while it was read",
			Next:    steps("do not overwrite files that a running job reads; write to a new path"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/" +
				"RemoteFileChangedException.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/impl/ChangeTracker.java@rel/" +
				"release-3.3.3; " +
				"apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/impl/" +
				"ChangeDetectionPolicy.java@rel/release-3.3.3",
		},
		{
			ID: "s3-committer-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ClassNotFoundException: |NoClassDefFoundError: )org[./]apache[./]spark[./]internal[./]io[./]cloud[./]`,
			Says:    "spark-hadoop-cloud is not on the class path, so the S3A committers cannot be used",
			Next:    steps("add spark-hadoop-cloud in the version of Spark, or unset spark.sql.sources.commitProtocolClass"),
			Source: "apache/spark hadoop-cloud/src/main/scala/org/apache/spark/internal/io/cloud/" +
				"PathOutputCommitProtocol.scala@v3.5.3",
		},
		{
			ID: "s3-forbidden", Class: cause.Credentials, Certain: true,
			Exception: `(?:java\.nio\.file\.AccessDeniedException|.*\.(?:AmazonS3Exception|S3Exception))`,
			Message: `(?:Status Code: 403|\b403 Forbidden|Error Code: (?:AccessDenied|403)|S3, Status Code: 403|: AccessDenied|` +
				`Access Denied)`,
			Says: "S3 refused access (403)",
			Next: steps("allow the identity of the pod s3:ListBucket on the bucket and s3:GetObject, s3:PutObject and " +
				"s3:DeleteObject in it, and its KMS key"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/S3AUtils.java@rel/release-3.3.3",
		},
		{
			ID: "s3-bad-request", Class: cause.Configuration,
			Exception: `.*\.(?:AWSBadRequestException|AmazonS3Exception|S3Exception)`, Message: `(?:Status ` +
				`Code: 400|400 Bad Request|Bad Request)`,
			Says:   "S3 answered 400 Bad Request: usually the wrong region, or an invalid or expired session token",
			Next:   steps("check fs.s3a.endpoint, the region and the session token"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/main/java/org/apache/hadoop/fs/s3a/S3AUtils.java@rel/release-3.3.3",
		},
		{
			ID: "s3a-duration-suffix", Class: cause.Dependency, Certain: true,
			Exception: `java\.lang\.NumberFormatException`, Message: `^For input string: "(?P<value>60s|24h|5m|30s|200s)"$`,
			Says:   "hadoop-common is newer than hadoop-aws: its default ${value} has a unit that the older hadoop-aws cannot read",
			Next:   steps("use one version of all Hadoop jars"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/resources/core-default.xml@d93e0b0",
		},
	}
}
