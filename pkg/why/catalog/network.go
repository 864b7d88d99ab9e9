package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// network lists what is said when a name does not resolve or a connection fails.
func network() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "driver-service-dns", Class: cause.Network, Message: `(?:UnknownHostException: |` +
				`Failed to connect to |Name or service not known[^\n]*)(?P<host>[\w.-]+-driver-svc[\w.-]*)`,
			Says: "executors cannot reach the driver's service ${host}", Next: steps("check that the driver " +
				"and its headless service still exist, then DNS and NetworkPolicies for ports 7078 and 7079"),
			Source: "apache/spark common/network-common/src/main/java/org/apache/spark/network/client/" +
				"TransportClientFactory.java@v3.5.3; " +
				"apache/spark resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features/" +
				"DriverServiceFeatureStep.scala@v3.5.3",
		},
		{
			ID: "bind-address", Class: cause.Configuration, Certain: true, Message: `Cannot assign requested ` +
				`address|Service '(?P<service>\w+)' could not bind on a random free port`,
			Says: "a service cannot bind its address[ (${service})]: the address is not one of the " +
				"pod", Next: steps("remove spark.driver.bindAddress and spark.driver.host, and SPARK_LOCAL_IP"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36; " +
				"apache/spark core/src/main/scala/org/apache/spark/util/Utils.scala@v3.5.3",
		},
		{
			ID: "bind-in-use", Class: cause.Configuration, Certain: true, Message: `Address already in ` +
				`use(?:[^\n]*Service '(?P<service>\w+)' failed after (?P<count>\d+) retries)`,
			Says: "no port is free for ${service} after ${count} retries", Next: steps("set another port for " +
				"${service}, or do not use the host network"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36; " +
				"apache/spark core/src/main/scala/org/apache/spark/util/Utils.scala@v3.5.3",
		},
		{
			ID: "tls-trust", Class: cause.Network, Certain: true, Message: `PKIX path (?:building|` +
				`validation) failed|unable to find valid certification path|SSLCertVerificationError|` +
				`certificate verify failed|trustAnchors parameter must be non-empty`,
			Says: "a TLS certificate is not trusted", Next: steps("add the certificate authority to the " +
				"truststore of the image, or correct the host " +
				"name"),
			Source: "openjdk/jdk25u src/java.base/share/classes/sun/security/validator/PKIXValidator.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/sun/security/provider/certpath/SunCertPathBuilder.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/java/security/cert/PKIXParameters.java@jdk-25.0.3+9",
		},
		{
			ID: "tls-hostname", Class: cause.Network, Certain: true, Message: `No subject alternative (?:DNS ` +
				`)?names? (?:matching|present)|` +
				`CertificateException: No name matching (?P<host2>\S+) found|Certificate for <(?P<host>[^>]+)> doesn't match|Hostname \S+ not verified`,
			Says: "a TLS certificate is not for the host that was called[ (${host})]", Next: steps("call the " +
				"host by a name of its certificate; for buckets with dots use path " +
				"style"),
			Source: "openjdk/jdk25u src/java.base/share/classes/sun/security/util/HostnameChecker.java@jdk-25.0.3+9",
		},
		{
			ID: "tls-handshake", Class: cause.Network, Message: `Unrecognized SSL message, plaintext ` +
				`connection|Unsupported or unrecognized SSL message|Received fatal alert: (?P<alert>\w+)|` +
				`Remote host (?:closed connection during|terminated the) handshake|(?:NotSslRecordException|not an SSL/TLS record)`,
			Says: "a TLS handshake failed[ (${alert})]", Next: steps("check that both sides use TLS, its " +
				"versions, and client certificates; exclude Spark's ports from the service " +
				"mesh"),
			Source: "openjdk/jdk25u src/java.base/share/classes/sun/security/ssl/SSLSocketInputRecord.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/sun/security/ssl/Alert.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/sun/security/ssl/SSLSocketImpl.java@jdk-25.0.3+9; " +
				"netty/netty handler/src/main/java/io/netty/handler/ssl/SslHandler.java@netty-4.1.96.Final",
		},
		{
			ID: "proxy", Class: cause.Network, Certain: true, Message: `Unable to tunnel through proxy\. ` +
				`Proxy returns "(?P<answer>[^"]+)"|Tunnel connection failed: (?P<answer2>\d{3}[\w ]*)|407 Proxy Authentication Required|ProxyError\(`,
			Says: "the HTTP proxy refused the connection[ (${answer})]", Next: steps("correct the proxy and its " +
				"credentials, or add the host to no_proxy and " +
				"http.nonProxyHosts"),
			Source: "openjdk/jdk25u src/java.base/share/classes/sun/net/www/protocol/http/HttpURLConnection.java@jdk-25.0.3+9",
		},
		{
			// With virtual-hosted style the client puts the bucket before the host of the endpoint, which stores other than AWS rarely serve.
			ID: "s3-host-unknown", Class: cause.Network, Certain: true,
			Message: `s3a?://(?P<bucket>[\w.-]+)[^\n]*Unable to execute HTTP request: (?P<host>[\w.-]+\.[\w-]*[a-z][\w-]*): `,
			Says:    "the host of the S3 endpoint does not resolve: ${host}, for bucket ${bucket}",
			Next: steps("if the host begins with the bucket and the store is none of AWS (MinIO, Ceph), set fs.s3a.path.style.access to true "+
				"(path style)",
				"else correct fs.s3a.endpoint, or check the cluster's DNS"),
			Source: "apache/hadoop hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/troubleshooting_s3a.md@rel/release-3.3.3",
		},
		{
			ID: "host-unknown", Class: cause.Network, Certain: true, Message: `UnknownHostException: ` +
				`(?P<host>[\w.-]+)|UnresolvedAddressException|Temporary failure in name resolution|` +
				`Name or service not known|Failed to resolve '(?P<host2>[\w.-]+)'`,
			Says: "a host name does not resolve[: ${host}]", Next: steps("correct the name, or check " +
				"the cluster's DNS and NetworkPolicies for port 53"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/net/UnknownHostException.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/java/nio/channels/UnresolvedAddressException.java@jdk-25.0.3+9; " +
				"bminor/glibc sysdeps/posix/gai_strerror-strs.h@glibc-2.36",
		},
		{
			ID: "connection-refused", Class: cause.Network, Exception: `(?:.*\.)?(?:ConnectException|` +
				`HttpHostConnectException|ConnectionRefusedError|NewConnectionError|NoRouteToHostException|` +
				`ConnectTimeoutException|SocketTimeoutException|AnnotatedConnectException|` +
				`HttpConnectTimeoutException|ConnectTimeout)`,
			Message: `(?P<what>[^\n]*(?:refused|timed out|No route to host|Network is unreachable|timeout)[^\n]*)`,
			Says:    "a connection failed: ${what}", Next: steps("check that the service runs and its port, " +
				"then NetworkPolicies, firewalls and proxies"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/net/ConnectException.java@jdk-25.0.3+9; " +
				"bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36",
		},
		{
			ID: "connection-reset", Class: cause.Unknown, Effect: true, Message: `Connection reset by peer|` +
				`Broken pipe|ClosedChannelException|Connection reset$|EOFException: Premature EOF`,
			Says: "the other side closed a connection", Next: steps("look at the end of the other " +
				"side"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36; " +
				"openjdk/jdk25u src/java.base/share/classes/sun/nio/ch/NioSocketImpl.java@jdk-25.0.3+9",
		},
	}
}
