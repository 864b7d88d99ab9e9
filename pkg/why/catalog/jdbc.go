package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// jdbc lists what JDBC drivers say.
func jdbc() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "jdbc-no-driver", Class: cause.Dependency, Certain: true, Message: `No suitable driver`,
			Says: "there is no JDBC driver for the URL", Next: steps("add the driver's jar to deps.jars or " +
				"the image, and set the option driver"),
			Source: "openjdk/jdk25u src/java.sql/share/classes/java/sql/DriverManager.java@jdk-25.0.3+9",
		},
		{
			ID: "jdbc-login", Class: cause.Credentials, Certain: true, Message: `password authentication ` +
				`failed for user "?(?P<user>[^"\s]+)|Access denied for user '(?P<user2>[^']+)'|` +
				`Login failed for user '?(?P<user3>[^'\s]+)|ORA-01017|no pg_hba\.conf entry for host|pg_hba\.conf rejects connection for host|` +
				`Incorrect username or password was specified`,
			Says: "the database refused the login[ (${user})]", Next: steps("check user and " +
				"password, and whether the database accepts this network"),
			Source: "postgres/postgres src/backend/libpq/auth.c@006a829; " +
				"mysql/mysql-connector-j src/main/core-api/java/com/mysql/cj/exceptions/MysqlErrorNumbers.java@8.4.0",
		},
		{
			ID: "jdbc-public-key", Class: cause.Configuration, Certain: true, Message: `Public Key Retrieval is not allowed`,
			Says:   "MySQL's driver may not fetch the key with which it would send the password: without TLS, caching_sha2_password needs it",
			Next:   steps("use TLS (sslMode=REQUIRED), or set allowPublicKeyRetrieval=true in the URL"),
			Source: "mysql/mysql-connector-j src/main/resources/com/mysql/cj/LocalizedErrorMessages.properties@8.4.0",
		},
		{
			ID: "jdbc-connections", Class: cause.Configuration, Certain: true, Message: `too many (?:clients ` +
				`already|connections)|Too many connections|remaining connection slots are reserved|ORA-0002[08]`,
			Says: "the database has no connection left", Next: steps("lower numPartitions of JDBC reads and " +
				"writes, or raise the database's limit"),
			Source: "mysql/mysql-connector-j src/main/core-api/java/com/mysql/cj/exceptions/MysqlErrorNumbers.java@8.4.0",
		},
		{
			ID: "jdbc-unreachable", Class: cause.Network, Message: `Communications link failure|` +
				`The Network Adapter could not establish the connection|` +
				`The TCP/IP connection to the host (?P<host>\S+),|Connection to (?P<host2>[\w.-]+:\d+) refused|` +
				`The connection attempt failed`,
			Says: "the database cannot be reached[ (${host})]", Next: steps("check host and port, then " +
				"NetworkPolicies and firewalls"),
			Source: "mysql/mysql-connector-j src/main/resources/com/mysql/cj/LocalizedErrorMessages.properties@8.4.0; " +
				"microsoft/mssql-jdbc src/main/java/com/microsoft/sqlserver/jdbc/SQLServerResource.java@v12.4.2; " +
				"pgjdbc/pgjdbc pgjdbc/src/main/java/org/postgresql/core/v3/ConnectionFactoryImpl.java@REL42.7.3",
		},
		{
			ID: "jdbc-relation", Class: cause.CodeFailed, Certain: true, Message: `relation ` +
				`"(?P<table>[^"]+)" does not exist|Table '(?P<table2>[^']+)' doesn't exist|` +
				`Invalid object name '(?P<table3>[^']+)'|ORA-00942`,
			Says: "the table[ ${table}] does not exist in the " +
				"database", Next: steps("correct the name and the schema"),
			Source: "mysql/mysql-connector-j src/main/core-api/java/com/mysql/cj/exceptions/MysqlErrorNumbers.java@8.4.0",
		},
		{
			ID: "jdbc-encoding", Class: cause.CodeFailed, Certain: true,
			Message: `invalid byte sequence for encoding "(?P<encoding>[^"]+)": (?P<bytes>0x[0-9a-f]{2}(?: 0x[0-9a-f]{2})*)`,
			Says:    "the database takes no text with the bytes ${bytes} (encoding ${encoding})",
			Next:    steps("clean the text before it is written: PostgreSQL stores no zero byte in any text"),
			Source:  "postgres/postgres src/backend/utils/mb/mbutils.c@REL_16_3",
		},
		{
			ID: "jdbc-duplicate", Class: cause.CodeFailed, Certain: true, Leftover: true, Message: `duplicate key value ` +
				`violates unique constraint "(?P<key>[^"]+)"|Duplicate entry '[^']*' for key '(?P<key2>[^']+)'|` +
				`Violation of (?:PRIMARY|UNIQUE) KEY constraint '(?P<key3>[^']+)'|ORA-00001`,
			Says: "rows violate the unique key[ ${key}]", Next: steps("remove duplicates, or " +
				"write with an upsert; a retried task may have written before"),
			Source: "mysql/mysql-connector-j src/main/core-api/java/com/mysql/cj/exceptions/MysqlErrorNumbers.java@8.4.0",
		},
		{
			ID: "elasticsearch-mapping", Class: cause.CodeFailed, Certain: true,
			Message: `(?:mapper_parsing_exception|document_parsing_exception): [^\n]*?failed to parse field \[(?P<field>[^\]]+)\] of type ` +
				`\[(?P<type>[^\]]+)\](?P<rest>[^\n;]*)`,
			Says:   "Elasticsearch rejects documents: failed to parse field ${field} of type ${type}${rest}",
			Next:   steps("write values of the mapped type, or change the mapping of the index"),
			Source: "elastic/elasticsearch server/src/main/java/org/elasticsearch/index/mapper/FieldMapper.java@v7.17.0",
		},
		{
			ID: "jdbc-deadlock", Class: cause.CodeFailed, Certain: true, Message: `deadlock detected|` +
				`Deadlock found when trying to get lock|was deadlocked on lock resources|Lock wait timeout exceeded`,
			Says: "the database ended a transaction because of a lock", Next: steps("write with fewer " +
				"partitions at once, and retry"),
			Source: "mysql/mysql-connector-j src/main/core-api/java/com/mysql/cj/exceptions/MysqlErrorNumbers.java@8.4.0",
		},
	}
}
