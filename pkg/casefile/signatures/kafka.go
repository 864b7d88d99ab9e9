package signatures

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"

// kafka lists what the Kafka client and structured streaming say.
func kafka() []Signature {
	return []Signature{
		{
			ID: "kafka-data-loss", Class: cause.CodeFailed, Certain: true,
			Message: `Some data may have been lost because they are not available in Kafka|KAFKA_DATA_LOSS|` +
				`OffsetOutOfRangeException|Partition (?P<partition>\S+)'s offset was changed from`,
			Says: "offsets of the checkpoint no longer exist in Kafka (${partition}): retention deleted them, or the " +
				"topic was re-created",
			Next: steps("set failOnDataLoss=false after checking what was lost, or start with a new " +
				"checkpoint"), Source: "KafkaSourceProvider.scala, KafkaExceptions (Spark)",
		},
		{
			ID: "kafka-topic", Class: cause.Configuration, Certain: true,
			Message: `UnknownTopicOrPartitionException|This server does not host this topic-partition|Topic\(?s?\)? ` +
				`(?P<topic>\S+) (?:not present in metadata|are not available)`,
			Says: "the Kafka topic ${topic} does not exist", Next: steps("create the topic or correct its " +
				"name"), Source: "org.apache.kafka.common.protocol.Errors (Kafka)",
		},
		{
			ID: "kafka-authorization", Class: cause.Credentials, Certain: true, Message: `(?:Topic|Group|` +
				`Cluster|TransactionalId)AuthorizationException|Not authorized to access (?P<what>topics?: ?\[[^\]]*\]|group: ?\S+)`,
			Says: "Kafka denies access (${what})", Next: steps("grant the ACLs for topic and " +
				"group"), Source: "org.apache.kafka.common.errors (Kafka)",
		},
		{
			ID: "kafka-authentication", Class: cause.Credentials, Certain: true,
			Message: `SaslAuthenticationException|SslAuthenticationException|Could not find a 'KafkaClient' entry in ` +
				`the JAAS configuration`,
			Says: "Kafka refused the login", Next: steps("check security.protocol, sasl.jaas.config and the " +
				"truststore"), Source: "org.apache.kafka.common.errors (Kafka)",
		},
		{
			ID: "kafka-brokers", Class: cause.Network, Message: `No resolvable bootstrap urls given in ` +
				`bootstrap\.servers|Timed out waiting for a node assignment|` +
				`Timeout expired while fetching topic metadata|Bootstrap broker \S+ disconnected|` +
				`Timeout of \d+ms expired before the position for partition`,
			Says: "the Kafka brokers cannot be reached", Next: steps("check kafka.bootstrap.servers, the " +
				"advertised listeners, and that security.protocol fits the port"), Source: "ClientUtils.java, " +
				"NetworkClient.java (Kafka)",
		},
		{
			ID: "checkpoint-incompatible", Class: cause.CodeFailed, Certain: true,
			Message: `There are \[?\d+\]? sources in the checkpoint offsets and now there are|` +
				`STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE|STATE_STORE_(?:KEY|VALUE)_SCHEMA\w*|` +
				`Provided schema doesn't match to the schema for existing state|STATE_STORE_PROVIDER_DOES_NOT_MATCH`,
			Says: "the query no longer fits its checkpoint", Next: steps("use a new checkpoint location, or " +
				"restore the query as it was"), Source: "OffsetSeq.scala, StateSchemaCompatibilityChecker.scala (Spark)",
		},
		{
			ID: "checkpoint-concurrent", Class: cause.CodeFailed, Certain: true, Message: `Multiple ` +
				`streaming queries are concurrently using|CONCURRENT_STREAM_LOG_UPDATE|Concurrent update to the log`,
			Says: "two streaming queries use the same checkpoint", Next: steps("stop one of them, or give " +
				"each its own checkpoint location"), Source: "error class CONCURRENT_STREAM_LOG_UPDATE (Spark)",
		},
	}
}
