package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// sql lists what Spark SQL says of queries and data.
func sql() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "column-missing", Class: cause.CodeFailed, Certain: true,
			Message: "\\[UNRESOLVED_COLUMN[^\\]]*\\] A (?:column, variable, or function parameter|column or " +
				"function parameter|column|variable)[^`\\n]*with name (?P<column>`[^\\n]+?`) cannot be|cannot " +
				"resolve '(?P<column2>[^'\\n]+)' given input columns|Column '(?P<column3>[^'\\n]+)' does not exist\\. Did you mean|" +
				"UNRESOLVED_(?:COLUMN|FIELD|USING_COLUMN)\\w*",
			Says: "column[ ${column}] does not exist in the data", Next: steps("compare the query " +
				"with the schema of its input"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/catalyst/analysis/CheckAnalysis.scala@v3.1.3; " +
				"apache/spark core/src/main/resources/error/error-classes.json@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382",
		},
		{
			ID: "table-missing", Class: cause.CodeFailed, Certain: true, Leftover: true,
			Message: "\\[TABLE_OR_VIEW_NOT_FOUND\\][^`]*(?P<table>`[^\\n]+?`) cannot be found|Table or view not found: " +
				"?(?P<table5>[\\w.`]+)|AnalysisException: (?:Table|View|Namespace) not found: (?P<table6>[\\w.`]+)|" +
				"Table or view '?(?P<table2>[\\w.`]+)'? not found|\\[SCHEMA_NOT_FOUND\\][^`]*(?P<table3>`[^\\n]+?`) cannot be found|" +
				"Database '(?P<table4>[^']+)' not found",
			Says: "${table} does not exist in the catalog", Next: steps("correct the name, or the catalog and metastore of the " +
				"session"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/catalyst/analysis/CheckAnalysis.scala@v3.3.2; " +
				"apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/catalyst/analysis/" +
				"NoSuchItemException.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "path-missing", Class: cause.CodeFailed, Certain: true, Leftover: true, Message: `\[PATH_NOT_FOUND\] Path ` +
				`does not exist: (?P<path>\S+?)\.?(?:\s|$)|Path does not exist: (?P<path2>\S+?)[;.]?(?:\s|$)|` +
				`Input path does not exist: (?P<path3>\S+)`,
			Says: "the input ${path} does not exist", Next: steps("check the path, and " +
				"whether the job that writes it has run"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/hadoop hadoop-mapreduce-project/hadoop-mapreduce-client/hadoop-mapreduce-client-core/src/main/java/org/" +
				"apache/hadoop/mapred/FileInputFormat.java@rel/release-3.3.3",
		},
		{
			ID: "path-exists", Class: cause.CodeFailed, Certain: true, Leftover: true, Message: `\[PATH_ALREADY_EXISTS\] ` +
				`Path (?P<path>\S+) already exists|path (?P<path2>\S+) already exists|` +
				`Output directory (?P<path3>\S+) already exists|\[TABLE_OR_VIEW_ALREADY_EXISTS\]|\[LOCATION_ALREADY_EXISTS\]`,
			Says: "the output[ ${path}] already exists", Next: steps("write with mode " +
				"overwrite or append, or delete it"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/errors/QueryCompilationErrors.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/hadoop hadoop-mapreduce-project/hadoop-mapreduce-client/hadoop-mapreduce-client-core/src/main/java/org/" +
				"apache/hadoop/mapred/FileOutputFormat.java@rel/release-3.3.3",
		},
		{
			ID: "no-schema", Class: cause.CodeFailed, Certain: true,
			Message: `(?:\[UNABLE_TO_INFER_SCHEMA\] )?Unable to infer schema for (?P<format>[^\n.]+)\. It must be specified manually|` +
				`UNABLE_TO_INFER_SCHEMA`,
			Says: "no schema can be inferred for[ ${format}]: the input is empty", Next: steps("check that the " +
				"input has files, or give the schema"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/errors/QueryCompilationErrors.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "divide-by-zero", Class: cause.CodeFailed, Certain: true, Message: `\[DIVIDE_BY_ZERO\]|` +
				`\[REMAINDER_BY_ZERO\]|SparkArithmeticException: (?:Division|divide) by zero`,
			Says: "a query divides by zero", Next: steps("use try_divide, or filter " +
				"zeros"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/datafusion issue 23897",
		},
		{
			ID: "cast", Class: cause.CodeFailed, Certain: true, Message: `\[(?P<what>CAST_INVALID_INPUT|` +
				`CAST_OVERFLOW\w*|NUMERIC_VALUE_OUT_OF_RANGE[\w.]*|ARITHMETIC_OVERFLOW|INVALID_ARRAY_INDEX\w*|` +
				`CANNOT_PARSE_TIMESTAMP|NUMERIC_OUT_OF_SUPPORTED_RANGE|INVALID_INPUT_SYNTAX[\w.]*)\] (?P<text>[^\n]{0,160})`,
			Says: "a value does not fit its type (${what}): ${text}", Next: steps("correct the data, or use " +
				"try_cast and the like"),
			Source: "apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "malformed-record", Class: cause.CodeFailed, Certain: true,
			Message: `MALFORMED_RECORD_IN_PARSING|Malformed (?:CSV )?record|Malformed records are detected in ` +
				`(?:record|schema) (?:parsing|inference)`,
			Says: "a record cannot be parsed in mode FAILFAST", Next: steps("find the record with mode " +
				"PERMISSIVE and columnNameOfCorruptRecord"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "not-parquet", Class: cause.CodeFailed, Certain: true, Message: `(?P<file>\S+) is not a ` +
				`Parquet file\.? ?(?:[Ee]xpected magic number)?|(?P<file2>\S+) is not a [Pp]arquet file|` +
				`Malformed ORC file|Not an? (?:valid )?Avro data file`,
			Says: "a file is not in the format it is read as[: ${file}]", Next: steps("find out what " +
				"wrote it; an interrupted write leaves such files"),
			Source: "apache/parquet-java parquet-hadoop/src/main/java/org/apache/parquet/hadoop/" +
				"ParquetFileReader.java@apache-parquet-1.13.1",
		},
		{
			ID: "parquet-column", Class: cause.CodeFailed, Certain: true, Message: `(?:Parquet column cannot ` +
				`be converted|PARQUET_COLUMN_DATA_TYPE_MISMATCH|` +
				`SchemaColumnConvertNotSupportedException)(?:[^\n]*Column: \[(?P<column>[^\]]+)\], Expected: ` +
				`(?P<expected>[^,]+), (?:Found|Actual): (?P<found>\w+)|[^\n]*Parquet column (?P<column2>[^\n]+?)\. ` +
				`Expected Spark type (?P<expected2>[^\n]+?), actual Parquet type (?P<found2>[^\n]+?)\.)?`,
			Says: "a Parquet column has another type than the table" +
				"[: ${column}][ (expected ${expected}, found ${found})]", Next: steps("rewrite the files with one " +
				"schema"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382; " +
				"apache/spark sql/core/src/main/java/org/apache/spark/sql/execution/datasources/" +
				"SchemaColumnConvertNotSupportedException.java@v3.5.3",
		},
		{
			ID: "date-rebase", Class: cause.CodeFailed, Certain: true,
			Message: `INCONSISTENT_BEHAVIOR_CROSS_VERSION[\w.]*|SparkUpgradeException`,
			Says:    "old dates or their pattern mean something else since Spark 3", Next: steps("set the " +
				"option that the message names (datetimeRebaseMode or timeParserPolicy)"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/spark common/utils/src/main/scala/org/apache/spark/SparkException.scala@v3.5.3",
		},
		{
			ID: "files-changed", Class: cause.CodeFailed, Message: `It is possible the underlying files have ` +
				`been updated|FAILED_READ_FILE\.FILE_NOT_EXIST`,
			Says: "a file was deleted or replaced while it was read", Next: steps("do not overwrite what is " +
				"being read, and REFRESH TABLE"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382",
		},
		{
			ID: "parse-error", Class: cause.CodeFailed, Certain: true,
			Message: `\[PARSE_SYNTAX_ERROR\] (?P<what>[^\n]+)|` +
				`(?:^|(?:org\.apache\.(?:spark|hadoop\.hive)|pyspark)[\w.]*\.)(?:Iceberg|Delta)?ParseException: (?P<what2>[^\n]+)`,
			Says: "a SQL statement cannot be parsed: " +
				"${what}", Next: steps("correct the statement"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/spark sql/api/src/main/scala/org/apache/spark/sql/catalyst/parser/parsers.scala@v3.5.3",
		},
		{
			ID: "ambiguous-column", Class: cause.CodeFailed, Certain: true,
			Message: `\[(?P<what>AMBIGUOUS_REFERENCE|COLUMN_ALREADY_EXISTS|AMBIGUOUS_COLUMN\w*)\] ` +
				`(?P<text>[^\n]{0,160})|Reference '(?P<text2>[^']+)' is ambiguous|Found duplicate column\(s\)`,
			Says: "a column name is used twice[: ${text}]", Next: steps("rename or drop one of the " +
				"columns"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/catalyst/expressions/package.scala@v3.3.2; " +
				"apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/util/SchemaUtils.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "udf-failed", Class: cause.CodeFailed, Message: `\[FAILED_EXECUTE_UDF\]|Failed to execute user defined function`,
			Says: "a user-defined function failed", Next: steps("read the cause below this " +
				"line"),
			Source: "apache/spark core/src/main/resources/error/error-classes.json@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "duplicate-merge", Class: cause.CodeFailed, Certain: true,
			Message: `MERGE_CARDINALITY_VIOLATION|DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE|multiple ` +
				`source rows matched`,
			Says: "MERGE found several source rows for one target row", Next: steps("remove duplicates from " +
				"the source by the merge key"),
			Source: "apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382; " +
				"delta-io/delta spark/src/main/resources/error/delta-error-classes.json@v3.2.0",
		},
		{
			ID: "codegen-limit", Class: cause.CodeFailed, Certain: true, Message: `Detected implicit ` +
				`cartesian product|STAGE_MATERIALIZATION_MULTIPLE_FAILURES|\[(?P<what>DATATYPE_MISMATCH[\w.]*|` +
				`NUM_COLUMNS_MISMATCH|UNRESOLVED_ROUTINE|MISSING_AGGREGATION|INSERT_COLUMN_ARITY_MISMATCH[\w.]*|` +
				`INCOMPATIBLE_DATA_FOR_TABLE[\w.]*)\] (?P<text>[^\n]{0,160})`,
			Says: "a query is not valid[ (${what})][: ${text}]", Next: steps("correct the query"),
			Source: "apache/spark common/utils/src/main/resources/error/error-conditions.json@e242bcf; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
	}
}
