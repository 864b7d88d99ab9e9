package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// metastore lists what the client of a Hive metastore says.
func metastore() []Signature {
	return []Signature{
		{
			ID: "metastore-derby-directory", Class: cause.Configuration, Certain: true,
			Message: `XBM0H: Directory (?P<directory>\S+) cannot be created`,
			Says:    "the embedded Derby metastore cannot make its directory ${directory}: the user of the container may not write there",
			Next:    steps("use a metastore service, or name a directory that may be written (-Dderby.system.home=/tmp/derby)"),
			Source:  "apache/derby java/org.apache.derby.engine/org/apache/derby/loc/messages.xml@4253dcf",
		},
		{
			ID: "metastore-derby-lock", Class: cause.Configuration, Certain: true, Message: `Another ` +
				`instance of Derby may have already booted the database (?P<database>\S+)`,
			Says: "the embedded Derby metastore is used by another process", Next: steps("use a metastore " +
				"service, or the in-memory catalog"),
			Source: "apache/derby java/org.apache.derby.engine/org/apache/derby/loc/messages.xml@4253dcf",
		},
		{
			ID: "metastore-unreachable", Class: cause.Network, Message: `Could not connect to meta store ` +
				`using any of the URIs provided|Failed to connect to the MetaStore Server|` +
				`TTransportException: java\.net\.\w+Exception`,
			Says: "the Hive metastore cannot be reached", Next: steps("check hive.metastore.uris, that the " +
				"metastore runs, and NetworkPolicies for its port (9083)"),
			Source: "TOSIT-IO/tdp-collection issue 402; " +
				"cloudera/clusterdock issue 41",
		},
		{
			ID: "metastore-schema", Class: cause.Configuration, Certain: true, Message: `Hive Schema version ` +
				`\S+ does not match metastore's schema version|` +
				`MetaException(?:\(message:|: )Version information not found in metastore|` +
				`Invalid method name: '(?P<method>\w+)'`,
			Says: "the Hive client does not fit the version of the metastore" +
				"[ (${method})]", Next: steps("set spark.sql.hive.metastore.version and " +
				"spark.sql.hive.metastore.jars"),
			Source: "apache/spark pull 25431; " +
				"apache/spark pull 40211; " +
				"apache/kyuubi docs/deployment/hive_metastore.md@v1.9.4",
		},
		{
			ID: "metastore-driver", Class: cause.Dependency, Certain: true, Message: `The specified ` +
				`datastore driver \("(?P<driver>[^"]+)"\) was not found in the CLASSPATH`,
			Says: "the JDBC driver of the metastore's database ${driver} is not on the class " +
				"path", Next: steps("add the driver's jar, or use a metastore service"),
			Source: "datanucleus/datanucleus-rdbms src/main/resources/org/datanucleus/store/rdbms/" +
				"Localisation.properties@datanucleus-rdbms-4.1.9",
		},
		{
			// A server that answers with TLS is asked as if it spoke SASL: 21 is the first byte of a TLS alert (RFC 5246, 6.2.1).
			ID: "metastore-protocol", Class: cause.Network, Certain: true,
			Message: `TTransportException:? (?:Invalid status (?P<status>-?\d+)|` +
				`Peer indicated failure: Unsupported mechanism type (?P<mechanism>\w+))`,
			Says: "the server of the Hive metastore speaks another protocol than the client asks for (TLS, SASL with Kerberos, or neither)[: " +
				"invalid status ${status}][: ${mechanism}]",
			Next:   steps("set hive.metastore.use.SSL and hive.metastore.sasl.enabled for the client as the server has them"),
			Source: "apache/thrift lib/java/src/org/apache/thrift/transport/TSaslTransport.java@0.9.3",
		},
		{
			ID: "metastore-client", Class: cause.Network, Message: `Unable to instantiate ` +
				`org\.apache\.hadoop\.hive\.(?:ql\.metadata\.SessionHiveMetaStoreClient|metastore\.HiveMetaStoreClient)`,
			Says: "the Hive metastore's client cannot start: most often the metastore cannot be " +
				"reached", Next: steps("check hive.metastore.uris and read the cause below this " +
				"line"),
			Source: "apache/hive standalone-metastore/metastore-common/src/main/java/org/apache/hadoop/hive/metastore/utils/" +
				"JavaUtils.java@164027c",
		},
		{
			ID: "metastore-hive-classes", Class: cause.Dependency, Certain: true, Message: `Unable to ` +
				`instantiate SparkSession with Hive support because Hive classes are not found`,
			Says: "the image's Spark has no Hive classes", Next: steps("use a build of Spark with Hive, or " +
				"drop enableHiveSupport"),
			Source: "apache/spark sql/core/src/main/scala/org/apache/spark/sql/SparkSession.scala@v3.5.3",
		},
	}
}
