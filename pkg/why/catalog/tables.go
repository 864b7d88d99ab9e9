package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// tables lists what Delta Lake, Iceberg and Hudi say.
func tables() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "iceberg-class", Class: cause.Dependency,
			Message: `Cannot initialize (?P<what>FileIO|Catalog)[^\n]*?missing no-arg constructor: (?P<class>[\w.$]*\w)|` +
				`Cannot initialize (?P<what2>Catalog) implementation (?P<class2>[\w.$]*\w): Cannot find constructor`,
			Says: "Iceberg cannot load its ${what} ${class}: it, or a class that it needs, is not on the class path",
			Next: steps("add the bundle of the cloud (iceberg-aws-bundle, iceberg-gcp-bundle, iceberg-azure-bundle) in the version of the " +
				"Iceberg runtime"),
			Source: "apache/iceberg core/src/main/java/org/apache/iceberg/CatalogUtil.java@02f0713",
		},
		{
			ID: "delta-conflict", Class: cause.CodeFailed, Certain: true,
			Message: `(?P<what>ConcurrentAppendException|ConcurrentDeleteReadException|ConcurrentDeleteDeleteException|` +
				`ConcurrentWriteException|ConcurrentTransactionException|MetadataChangedException|` +
				`ProtocolChangedException|DELTA_CONCURRENT_\w+|DELTA_METADATA_CHANGED)`,
			Says: "two writers changed the same Delta table at once (${what})", Next: steps("retry, do not " +
				"let runs overlap, or add a partition predicate to the condition"),
			Source: "delta-io/delta spark/src/main/scala/io/delta/exceptions/DeltaConcurrentExceptions.scala@v3.2.0; " +
				"delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0",
		},
		{
			ID: "delta-protocol", Class: cause.Dependency, Certain: true,
			Message: `InvalidProtocolVersionException|DELTA_INVALID_PROTOCOL_VERSION|` +
				`DELTA_UNSUPPORTED_FEATURES_FOR_(?:READ|WRITE)|Delta protocol version [^\n]*is too new`,
			Says: "the Delta table needs a newer version of Delta " +
				"Lake", Next: steps("upgrade delta-spark"),
			Source: "delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0; " +
				"delta-io/delta spark/src/main/scala/org/apache/spark/sql/delta/DeltaErrors.scala@v3.2.0; " +
				"delta-io/delta core/src/main/scala/org/apache/spark/sql/delta/actions/actions.scala@v1.0.0",
		},
		{
			ID: "delta-not-configured", Class: cause.Configuration, Certain: true,
			Message: `DELTA_CONFIGURE_SPARK_SESSION_WITH_EXTENSION_AND_CATALOG|This Delta operation requires the ` +
				`SparkSession to be configured`,
			Says: "the session is not set up for Delta", Next: steps("set spark.sql.extensions and " +
				"spark.sql.catalog.spark_catalog for " +
				"Delta"),
			Source: "delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0",
		},
		{
			ID: "delta-not-a-table", Class: cause.CodeFailed, Certain: true,
			Message: `DELTA_(?:MISSING_DELTA_TABLE|TABLE_NOT_FOUND|PATH_DOES_NOT_EXIST|TABLE_ONLY_OPERATION)|is not a Delta table`,
			Says:    "what is read as a Delta table is none", Next: steps("correct the path or the " +
				"name"),
			Source: "delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0",
		},
		{
			ID: "delta-schema", Class: cause.CodeFailed, Certain: true,
			Message: `DELTA_(?:FAILED_TO_MERGE_FIELDS|SCHEMA_CHANGED\w*|METADATA_MISMATCH|` +
				`MERGE_INCOMPATIBLE_DATATYPE)|A schema mismatch detected when writing to the Delta table|Failed to ` +
				`merge fields '(?P<field>[^']+)'`,
			Says: "the data do not have the schema of the Delta table[ (${field})]", Next: steps("correct the " +
				"schema, or allow mergeSchema"),
			Source: "delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0; " +
				"delta-io/delta spark/src/main/scala/org/apache/spark/sql/delta/DeltaErrors.scala@v3.2.0; " +
				"delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v4.4.0",
		},
		{
			ID: "delta-files-gone", Class: cause.CodeFailed, Certain: true,
			Message: `DELTA_(?:LOG_FILE_NOT_FOUND|FILE_NOT_FOUND|TRUNCATED_TRANSACTION_LOG)\w*|A file referenced in ` +
				`the transaction log cannot be found`,
			Says: "a file of the Delta table is gone: vacuumed or deleted by " +
				"hand", Next: steps("read a newer version, or FSCK REPAIR the table and keep a longer " +
				"retention"),
			Source: "delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0; " +
				"delta-io/delta core/src/main/scala/org/apache/spark/sql/delta/DeltaErrors.scala@v1.0.0",
		},
		{
			ID: "iceberg-commit", Class: cause.CodeFailed, Certain: true, Exception: `org\.apache\.iceberg\.exception` +
				`s\.(?:CommitFailedException|ValidationException)`,
			Message: `(?P<what>(?:[^\n]*(?:[Cc]onflict|Requirement failed|stale|Cannot commit|branch main has ` +
				`changed)|Found (?:new )?conflict)[^\n]*)`,
			Says: "another writer changed the Iceberg table: ${what}", Next: steps("retry, do not let runs " +
				"overlap, or raise commit.retry.num-retries"),
			Source: "apache/iceberg core/src/main/java/org/apache/iceberg/MergingSnapshotProducer.java@apache-iceberg-1.6.1; " +
				"apache/iceberg core/src/main/java/org/apache/iceberg/UpdateRequirement.java@apache-iceberg-1.6.1; " +
				"apache/iceberg core/src/main/java/org/apache/iceberg/BaseMetastoreTableOperations.java@apache-iceberg-1.6.1",
		},
		{
			ID: "iceberg-commit-unknown", Class: cause.Network, Message: `CommitStateUnknownException`,
			Says: "nothing tells whether the commit to the Iceberg catalog " +
				"succeeded", Next: steps("look into the table's history before running again, and check the " +
				"catalog service"),
			Source: "apache/iceberg api/src/main/java/org/apache/iceberg/exceptions/" +
				"CommitStateUnknownException.java@apache-iceberg-1.6.1",
		},
		{
			ID: "iceberg-no-catalog", Class: cause.Configuration, Certain: true,
			Exception: `(?:.*\.)?RESTException`, Message: `Unable to process: (?:<\?xml|<!DOCTYPE|<html)[^\n]*?(?:<Code>(?P<code>\w+)</Code>|$)`,
			Says: "what answers at the URI of the REST catalog is no Iceberg catalog: it speaks XML or HTML[, ${code}]",
			Next: steps("correct spark.sql.catalog.NAME.uri, with the path below which the catalog is served, and its warehouse or prefix"),
			Source: "apache/iceberg core/src/main/java/org/apache/iceberg/rest/ErrorHandlers.java@apache-iceberg-1.6.1; " +
				"rustfs/rustfs issue 4699",
		},
		{
			ID: "iceberg-no-table", Class: cause.CodeFailed, Certain: true,
			Message: `NoSuch(?:Iceberg)?TableException: (?P<what>[^\n]+)|NoSuchNamespaceException: (?P<what2>[^\n]+)`,
			Says:    "a table or namespace does not exist: ${what}", Next: steps("correct the name and " +
				"the catalog"),
			Source: "apache/iceberg api/src/main/java/org/apache/iceberg/exceptions/NoSuchTableException.java@apache-iceberg-1.6.1; " +
				"apache/iceberg api/src/main/java/org/apache/iceberg/exceptions/" +
				"NoSuchIcebergTableException.java@apache-iceberg-1.6.1; " +
				"apache/iceberg api/src/main/java/org/apache/iceberg/exceptions/" +
				"NoSuchNamespaceException.java@apache-iceberg-1.6.1",
		},
		{
			ID: "iceberg-not-authorized", Class: cause.Credentials, Certain: true,
			Message: `org\.apache\.iceberg\.exceptions\.(?P<what>NotAuthorizedException|ForbiddenException)`,
			Says:    "the Iceberg REST catalog refused the identity (${what})", Next: steps("check credential, " +
				"token and scope of the catalog"),
			Source: "apache/iceberg core/src/main/java/org/apache/iceberg/rest/ErrorHandlers.java@apache-iceberg-1.6.1",
		},
		{
			ID: "hudi-lock", Class: cause.CodeFailed, Certain: true,
			Message: `HoodieLockException: (?P<what>[^\n]+)`,
			Says:    "another writer holds the lock of the Hudi table: ${what}",
			Next:    steps("do not let runs overlap, raise hoodie.write.lock.num_retries, and delete a lock that a dead writer left"),
			Source:  "apache/hudi pull 11347",
		},
		{
			ID: "hudi-conflict", Class: cause.CodeFailed, Certain: true,
			Message: `HoodieWriteConflictException|Cannot resolve conflicts for overlapping writes`,
			Says:    "two writers changed the same Hudi table at once", Next: steps("do not let runs overlap, " +
				"or set up a lock provider"),
			Source: "apache/hudi hudi-client/hudi-client-common/src/main/java/org/apache/hudi/client/transaction/" +
				"SimpleConcurrentFileWritesConflictResolutionStrategy.java@0551247",
		},
	}
}
