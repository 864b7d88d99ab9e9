package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// kerberos lists what Kerberos and Hadoop's security say.
func kerberos() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "kerberos-realm", Class: cause.Configuration, Certain: true,
			Message: `Cannot (?:find KDC for realm "?(?P<realm>[\w.-]*)|locate (?:default realm|KDC(?: for (?P<realm2>[\w.-]*\w))?))|` +
				`Unable to locate KDC for realm (?P<realm3>[\w.-]*\w)|` +
				`krb5\.conf[^\n]*(?:not found|No such file|does not exist|cannot be loaded|loading failed)`,
			Says: "krb5.conf is missing in the container or does not name the realm[ ${realm}]",
			Next: steps("mount krb5.conf with spark.kubernetes.kerberos.krb5.configMapName in driver and " +
				"executors"),
			Source: "openjdk/jdk25u src/java.security.jgss/share/classes/sun/security/krb5/Config.java@jdk-25.0.3+9",
		},
		{
			ID: "kerberos-clock", Class: cause.Configuration, Certain: true, Message: `Clock skew too great`,
			Says: "Kerberos refuses the ticket: the clocks differ too much", Next: steps("synchronize the " +
				"clocks of nodes and KDC"),
			Source: "openjdk/jdk25u src/java.security.jgss/share/classes/sun/security/krb5/internal/Krb5.java@jdk-25.0.3+9",
		},
		{
			ID: "kerberos-keytab", Class: cause.Credentials, Certain: true,
			Message: `Unable to obtain password from user|Keytab file: (?P<file>\S+) does not exist|` +
				`Login failure for user: (?P<user>\S+) from keytab (?P<file2>\S+)|` +
				`(?:Mechanism level|(?:GeneralSecurity|KrbCrypto|Login)Exception): Checksum failed|` +
				`Client not found in Kerberos database|Pre-?authentication information was invalid`,
			Says: "login with the Kerberos keytab failed[ (${file})]",
			Next: steps("check that the keytab is mounted and holds the principal with its current key: " +
				"klist -kt"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/security/" +
				"UGIExceptionMessages.java@rel/release-3.3.3; " +
				"openjdk/jdk25u src/jdk.security.auth/share/classes/com/sun/security/auth/module/" +
				"Krb5LoginModule.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.security.jgss/share/classes/sun/security/krb5/internal/Krb5.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.security.jgss/share/classes/sun/security/krb5/internal/crypto/dk/" +
				"ArcFourCrypto.java@jdk-25.0.3+9",
		},
		{
			ID: "kerberos-token", Class: cause.Credentials, Certain: true,
			Message: `token \([^)]*HDFS_DELEGATION_TOKEN[^)]*\) (?:can't be found in cache|is expired)|` +
				`InvalidToken\b[^\n]*(?:expired|can't be found)|Delegation Token can be issued only with kerberos`,
			Says: "the Hadoop delegation token has expired or is not known",
			Next: steps("give the driver principal and keytab (spark.kerberos.principal, " +
				"spark.kerberos.keytab), so that Spark renews it"),
			Source: "apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/security/token/delegation/" +
				"AbstractDelegationTokenSecretManager.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/server/namenode/" +
				"FSNamesystem.java@rel/release-3.3.3",
		},
		{
			ID: "kerberos-no-ticket", Class: cause.Credentials, Certain: true,
			Message: `GSS initiate failed|No valid credentials provided|Client cannot authenticate via: ?\[|` +
				`Failed to find any Kerberos tgt|SIMPLE authentication is not enabled`,
			Says: "there is no valid Kerberos ticket",
			Next: steps("set spark.kerberos.principal and spark.kerberos.keytab, and mount " +
				"krb5.conf"),
			Source: "openjdk/jdk25u src/java.security.jgss/share/classes/org/ietf/jgss/GSSException.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/jdk.security.jgss/share/classes/com/sun/security/sasl/gsskerb/" +
				"GssKrb5Client.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.security.jgss/share/classes/sun/security/jgss/krb5/" +
				"Krb5InitCredential.java@jdk-25.0.3+9; " +
				"apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/security/" +
				"SaslRpcClient.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/ipc/Server.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "user-without-name", Class: cause.Image, Certain: true,
			Message: `(?:NullPointerException: )?invalid null input: name|LoginException: [^\n]*UnixPrincipal|` +
				`getpwuid\(\): uid not found: (?P<uid>\d+)`,
			Says: "the user ID of the container has no name in /etc/passwd[ (${uid})]",
			Next: steps("use an image whose entrypoint adds the user, set runAsUser to a user of the image, " +
				"or set HADOOP_USER_NAME"),
			Source: "openjdk/jdk25u src/jdk.security.auth/share/classes/com/sun/security/auth/UnixPrincipal.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/sun/security/util/resources/auth.java@jdk-25.0.3+9",
		},
		{
			ID: "ranger", Class: cause.Credentials, Certain: true,
			Message: `Permission denied: user \[(?P<user>[^\]]+)\] does not have \[(?P<access>[^\]]+)\] privilege on \[(?P` +
				`<what>[^\]]+)\]|HiveAccessControlException`,
			Says: "a policy denies access[: ${access} on ${what}, for user ${user}]", Next: steps("grant the privilege"),
			Source: "apache/kyuubi extensions/spark/kyuubi-spark-authz/src/main/scala/org/apache/kyuubi/plugin/spark/authz/ranger/" +
				"SparkRangerAdminPlugin.scala@v1.9.4",
		},
	}
}
