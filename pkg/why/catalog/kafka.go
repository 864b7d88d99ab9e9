package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// kafka lists what the Kafka client and structured streaming say.
func kafka() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "kafka-data-loss", Class: cause.CodeFailed, Certain: true,
			// With failOnDataLoss=false the same words are a warning, and the query goes on: only the exception counts.
			Message: `KAFKA_DATA_LOSS|OffsetOutOfRangeException|(?:IllegalStateException|terminated with exception): [\s\S]{0,600}?` +
				`(?:Partition (?P<partition>[^\s']+)(?:'s)? offset was changed from|` +
				`Some data may have been lost because they are not available in Kafka)`,
			Says: "offsets of the checkpoint no longer exist in Kafka[ (${partition})]: retention or compaction " +
				"deleted them, or the topic was re-created",
			Next: steps("set failOnDataLoss=false after checking what was lost, or start with a new " +
				"checkpoint"),
			Source: "apache/spark connector/kafka-0-10-sql/src/main/scala/org/apache/spark/sql/kafka010/" +
				"KafkaSourceProvider.scala@v3.5.3; " +
				"apache/spark connector/kafka-0-10-sql/src/main/resources/error/kafka-error-conditions.json@205e382; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/consumer/OffsetOutOfRangeException.java@3.4.1",
		},
		{
			ID: "kafka-record-too-large", Class: cause.Configuration, Certain: true,
			Message: `The message is (?P<size>\d+) bytes when serialized which is larger than (?:(?P<limit>\d+), which is the value of|` +
				`the (?:maximum request size|total memory buffer) you have configured with) the (?P<setting>[\w.]+) configuration` +
				`|The request included a message larger than the max message size the server will accept`,
			Says: "a record is larger than Kafka takes[: ${size} bytes][, ${setting}][ is ${limit}]",
			Next: steps("write smaller records, or raise max.request.size of the producer (kafka.max.request.size in the options of the sink) " +
				"and max.message.bytes of the topic"),
			Source: "apache/kafka clients/src/main/java/org/apache/kafka/clients/producer/KafkaProducer.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/common/protocol/Errors.java@3.4.1",
		},
		{
			ID: "kafka-topic", Class: cause.Configuration, Certain: true,
			Message: `UnknownTopicOrPartitionException|This server does not host this topic-partition|Topic\(?s?\)? ` +
				`(?P<topic>\S+) (?:not present in metadata|are not available)`,
			Says: "the Kafka topic[ ${topic}] does not exist", Next: steps("create the topic or correct its " +
				"name"),
			Source: "apache/kafka clients/src/main/java/org/apache/kafka/common/protocol/Errors.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/producer/KafkaProducer.java@3.4.1",
		},
		{
			ID: "kafka-authorization", Class: cause.Credentials, Certain: true, Message: `(?:Topic|Group|` +
				`Cluster|TransactionalId)AuthorizationException|Not authorized to access (?P<what>topics?: ?\[[^\]]*\]|group: ?\S+)`,
			Says: "Kafka denies access[ (${what})]", Next: steps("grant the ACLs for topic and " +
				"group"),
			Source: "apache/kafka clients/src/main/java/org/apache/kafka/common/errors/TopicAuthorizationException.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/common/errors/GroupAuthorizationException.java@3.4.1",
		},
		{
			ID: "kafka-authentication", Class: cause.Credentials, Certain: true,
			Message: `SaslAuthenticationException|SslAuthenticationException|Could not find a 'KafkaClient' entry in ` +
				`th(?:e|is) JAAS configuration`,
			Says: "Kafka refused the login", Next: steps("check security.protocol, sasl.jaas.config and the " +
				"truststore"),
			Source: "apache/kafka clients/src/main/java/org/apache/kafka/common/security/JaasContext.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/common/errors/SaslAuthenticationException.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/common/errors/SslAuthenticationException.java@3.4.1",
		},
		{
			ID: "kafka-keystore", Class: cause.Configuration, Certain: true,
			Message: `Failed to load SSL keystore (?P<file>\S+) of type \w+`,
			Says:    "the keystore or truststore ${file} for Kafka cannot be read: it is missing, or its password or type is another",
			Next: steps("mount the store where kafka.ssl.keystore.location and kafka.ssl.truststore.location say, on driver and executors, and " +
				"compare its type and password"),
			Source: "apache/kafka clients/src/main/java/org/apache/kafka/common/security/ssl/DefaultSslEngineFactory.java@3.4.1",
		},
		{
			ID: "kafka-brokers", Class: cause.Network, Message: `No resolvable bootstrap urls given in ` +
				`bootstrap\.servers|Timed out waiting for a node assignment|` +
				`Timeout expired while fetching topic metadata|Bootstrap broker \S+(?: \([^)\n]*\))? disconnected|` +
				`Timeout of \d+ms expired before the position for partition`,
			Says: "the Kafka brokers cannot be reached", Next: steps("check kafka.bootstrap.servers, the " +
				"advertised listeners, and that security.protocol fits the port"),
			Source: "apache/kafka clients/src/main/java/org/apache/kafka/common/Node.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/ClientUtils.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/NetworkClient.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/admin/KafkaAdminClient.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/consumer/KafkaConsumer.java@3.4.1; " +
				"apache/kafka clients/src/main/java/org/apache/kafka/clients/consumer/internals/Fetcher.java@3.4.1",
		},
		{
			ID: "checkpoint-incompatible", Class: cause.CodeFailed, Certain: true,
			Message: `There are \[?\d+\]? sources in the checkpoint offsets and now there are|` +
				`STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE|STATE_STORE_(?:KEY|VALUE)_SCHEMA\w*|` +
				`Provided schema doesn't match to the schema for existing state`,
			Says: "the query no longer fits its checkpoint", Next: steps("use a new checkpoint location, or " +
				"restore the query as it was"),
			Source: "apache/spark sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/OffsetSeq.scala@v3.5.3; " +
				"apache/spark sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/state/" +
				"StateSchemaCompatibilityChecker.scala@v3.5.3; " +
				"apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382",
		},
		{
			ID: "checkpoint-lacks-batch", Class: cause.CodeFailed, Certain: true,
			Exception: `java\.lang\.IllegalStateException`,
			Message:   `(?:\bbatch |/)(?P<batch>\d+(?:\.compact)?) doesn't exist(?: when compacting batch \d+)?`,
			Says:      "batch ${batch} doesn't exist in the checkpoint of the query (its log of offsets), or in the metadata of its sink",
			Next:      steps("restore what was deleted of the checkpoint; else begin with a new checkpoint location, which reads the source again"),
			Source: "apache/spark sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/MicroBatchExecution.scala@v3.5.3; " +
				"apache/spark sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/CompactibleFileStreamLog.scala@v3.5.3",
		},
		{
			ID: "checkpoint-malformed", Class: cause.CodeFailed, Certain: true,
			Message: `Log file was malformed: failed to read correct log version`,
			Says:    "a file of the query's checkpoint, or of its sink's metadata, is empty or damaged",
			Next:    steps("delete the newest file there, if it is empty, or begin with a new checkpoint location"),
			Source:  "apache/spark sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/MetadataVersionUtil.scala@v3.5.3",
		},
		{
			ID: "checkpoint-concurrent", Class: cause.CodeFailed, Certain: true, Message: `Multiple ` +
				`streaming queries are concurrently using|CONCURRENT_STREAM_LOG_UPDATE|Concurrent update to the log`,
			Says: "two streaming queries use the same checkpoint", Next: steps("stop one of them, or give " +
				"each its own checkpoint location"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
	}
}
