package signatures

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"

// network lists what is said when a name does not resolve or a connection fails.
func network() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "driver-service-dns", Class: cause.Network, Message: `(?:UnknownHostException: |` +
				`Failed to connect to |Name or service not known[^\n]*)(?P<host>[\w.-]+-driver-svc[\w.-]*)`,
			Says: "executors cannot reach the driver's service ${host}", Next: steps("check that the driver " +
				"and its headless service still exist, then DNS and NetworkPolicies for ports 7078 and 7079"),
			Source: "java.net.UnknownHostException (JDK), TransportClientFactory.java (Spark)",
		},
		{
			ID: "bind-address", Class: cause.Configuration, Certain: true, Message: `Cannot assign requested ` +
				`address|Service '(?P<service>\w+)' could not bind on a random free port`,
			Says: "a service cannot bind its address (${service}): the address is not one of the " +
				"pod", Next: steps("remove spark.driver.bindAddress and spark.driver.host, and SPARK_LOCAL_IP"),
			Source: "strerror(EADDRNOTAVAIL) (glibc); core/src/main/scala/org/apache/spark/util/Utils.scala (Spark)",
		},
		{
			ID: "bind-in-use", Class: cause.Configuration, Certain: true, Message: `Address already in ` +
				`use(?:[^\n]*Service '(?P<service>\w+)' failed after (?P<count>\d+) retries)`,
			Says: "no port is free for ${service} after ${count} retries", Next: steps("set another port for " +
				"${service}, or do not use the host network"),
			Source: "core/src/main/scala/org/apache/spark/util/Utils.scala (Spark)",
		},
		{
			ID: "tls-trust", Class: cause.Network, Certain: true, Message: `PKIX path (?:building|` +
				`validation) failed|unable to find valid certification path|SSLCertVerificationError|` +
				`certificate verify failed|trustAnchors parameter must be non-empty`,
			Says: "a TLS certificate is not trusted", Next: steps("add the certificate authority to the " +
				"truststore of the image, or correct the host " +
				"name"), Source: "sun.security.validator.PKIXValidator (JDK), ssl.SSLCertVerificationError (CPython)",
		},
		{
			ID: "tls-hostname", Class: cause.Network, Certain: true, Message: `No subject alternative (?:DNS ` +
				`)?names? (?:matching|present)|Certificate for <(?P<host>[^>]+)> doesn't match|Hostname \S+ not verified`,
			Says: "a TLS certificate is not for the host that was called (${host})", Next: steps("call the " +
				"host by a name of its certificate; for buckets with dots use path " +
				"style"), Source: "sun.security.util.HostnameChecker (JDK), httpclient DefaultHostnameVerifier (Apache)",
		},
		{
			ID: "tls-handshake", Class: cause.Network, Message: `Unrecognized SSL message, plaintext ` +
				`connection|Unsupported or unrecognized SSL message|Received fatal alert: (?P<alert>\w+)|` +
				`Remote host (?:closed connection during|terminated the) handshake|(?:NotSslRecordException|not an SSL/TLS record)`,
			Says: "a TLS handshake failed (${alert})", Next: steps("check that both sides use TLS, its " +
				"versions, and client certificates; exclude Spark's ports from the service " +
				"mesh"), Source: "sun.security.ssl (JDK), io.netty.handler.ssl (Netty)",
		},
		{
			ID: "proxy", Class: cause.Network, Certain: true, Message: `Unable to tunnel through proxy\. ` +
				`Proxy returns "(?P<answer>[^"]+)"|407 Proxy Authentication Required|ProxyError\(`,
			Says: "the HTTP proxy refused the connection (${answer})", Next: steps("correct the proxy and its " +
				"credentials, or add the host to no_proxy and " +
				"http.nonProxyHosts"), Source: "sun.net.www.protocol.http.HttpURLConnection (JDK)",
		},
		{
			ID: "host-unknown", Class: cause.Network, Certain: true, Message: `UnknownHostException: ` +
				`(?P<host>[\w.-]+)|UnresolvedAddressException|Temporary failure in name resolution|` +
				`Name or service not known|Failed to resolve '(?P<host2>[\w.-]+)'`,
			Says: "a host name does not resolve: ${host}", Next: steps("correct the name, or check " +
				"the cluster's DNS and NetworkPolicies for port 53"), Source: "java.net.UnknownHostException " +
				"(JDK), gai_strerror (glibc)",
		},
		{
			ID: "connection-refused", Class: cause.Network, Exception: `(?:.*\.)?(?:ConnectException|` +
				`HttpHostConnectException|ConnectionRefusedError|NewConnectionError|NoRouteToHostException|` +
				`ConnectTimeoutException|SocketTimeoutException|AnnotatedConnectException|` +
				`HttpConnectTimeoutException|ConnectTimeout)`,
			Message: `(?P<what>[^\n]*(?:refused|timed out|No route to host|Network is unreachable|timeout)[^\n]*)`,
			Says:    "a connection failed: ${what}", Next: steps("check that the service runs and its port, " +
				"then NetworkPolicies, firewalls and proxies"), Source: "java.net.ConnectException (JDK)",
		},
		{
			ID: "connection-reset", Class: cause.Unknown, Effect: true, Message: `Connection reset by peer|` +
				`Broken pipe|ClosedChannelException|Connection reset$|EOFException: Premature EOF`,
			Says: "the other side closed a connection", Next: steps("look at the end of the other " +
				"side"), Source: "strerror(ECONNRESET), strerror(EPIPE) (glibc)",
		},
	}
}
