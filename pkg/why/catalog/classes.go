package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// classes lists what a JVM says of classes that are missing or do not fit.
func classes() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "main-class-missing", Class: cause.Configuration, Certain: true,
			Message: `Failed to load class (?P<class>[\w.$-]+?)\.?$|Error: Could not find or load main class (?P<class2>\S+)`,
			Says:    "the main class ${class} is not in the application's jar",
			Next:    steps("correct spec.mainClass, or rebuild the jar and check it with jar tf"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.3; " +
				"openjdk/jdk src/java.base/share/classes/sun/launcher/resources/launcher.properties@0265b59",
		},
		{
			ID: "main-class-not-set", Class: cause.Configuration, Certain: true,
			Message: `No main class set in JAR; please specify one with --class|Cannot load main class from JAR (?P<jar>\S+)`,
			Says:    "no main class is set for the jar[ ${jar}]",
			Next:    steps("set spec.mainClass"),
			Source:  "apache/spark core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.3",
		},
		{
			ID: "main-method", Class: cause.CodeFailed, Certain: true,
			Exception: `java\.lang\.(?:NoSuchMethodException|IllegalStateException)`,
			Message:   `(?P<class>[\w.$]+)\.main\(\[Ljava\.lang\.String;\)|The main method in the given main class must be static`,
			Says:      "class[ ${class}] has no static method main", Next: steps("correct spec.mainClass, or make " +
				"its main a method of an object"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/SparkApplication.scala@v3.5.3; " +
				"openjdk/jdk25u src/java.base/share/classes/java/lang/Class.java@jdk-25.0.3+9",
		},
		{
			ID: "jar-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:Local jar|Jar) (?P<jar>\S+) does not exist|` +
				`DependencyUtils: Local jar (?P<jar2>\S+) does not exist|` +
				`java\.io\.FileNotFoundException: Jar (?P<jar3>\S+) not found`,
			Says: "the jar ${jar} does not exist in the container",
			Next: steps("correct the local:// path, or put the jar into the image"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/util/DependencyUtils.scala@v3.5.3; " +
				"apache/spark core/src/main/scala/org/apache/spark/SparkContext.scala@v3.5.3",
		},
		{
			ID: "java-agent-missing", Class: cause.Dependency, Certain: true,
			Message: `Error opening zip file or JAR manifest missing ?: (?P<jar>\S+)`,
			Says:    "the Java agent ${jar} is not in the image, so the JVM does not start",
			Next:    steps("put the jar there, or correct its path in spec.monitoring.prometheus.jmxExporterJar or in javaOptions (-javaagent)"),
			Source:  "openjdk/jdk17u src/java.instrument/share/native/libinstrument/InvocationAdapter.c@jdk-17.0.15+6",
		},
		{
			ID: "java-version", Class: cause.Dependency, Certain: true,
			Message: `UnsupportedClassVersionError: (?P<class>\S+) has been compiled by a more recent version of the Java ` +
				`Runtime \(class file version (?P<version>[\d.]+)\)`,
			Says: "class ${class} was compiled for a newer Java (class file ${version}) than the image has",
			Next: steps("use an image with that Java, or compile for the Java of the image (55 is Java 11, 61 is Java 17, 65 " +
				"is Java 21)"),
			Source: "openjdk/jdk17u src/hotspot/share/classfile/classFileParser.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "java-modules", Class: cause.Configuration, Certain: true,
			Message: `InaccessibleObjectException: |` +
				`cannot access class (?P<class>\S+) \(in module java\.base\) because module java\.base does not expor` +
				`t`,
			Says: "Java 17 denies access to its internals: the --add-opens options of Spark are missing, or Spark is " +
				"too old for this Java",
			Next: steps("keep Spark's default extraJavaOptions with --add-opens, or use Spark 3.3 or newer for Java 17"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/lang/reflect/AccessibleObject.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/jdk/internal/reflect/Reflection.java@jdk-25.0.3+9; " +
				"apache/spark launcher/src/main/java/org/apache/spark/launcher/JavaModuleOptions.java@v3.5.3",
		},
		{
			ID: "arrow-direct-buffers", Class: cause.Dependency, Certain: true,
			Message: `sun\.misc\.Unsafe or java\.nio\.DirectByteBuffer\.<init>\(long, int\) not available`,
			Says: "Arrow cannot make direct buffers on this Java (UnsupportedOperationException: DirectByteBuffer not available): it is too old " +
				"for Java 21, or --add-opens=java.base/java.nio is missing",
			Next: steps("use an image with Java 17, or a Spark with Arrow 15 or newer for Java 21",
				"keep --add-opens=java.base/java.nio=ALL-UNNAMED in extraJavaOptions"),
			Source: "apache/arrow issue 40287; apache/arrow issue 36994",
		},
		{
			ID: "scala-version", Class: cause.Dependency, Certain: true,
			Message: `(?:NoClassDefFoundError|ClassNotFoundException): ?(?P<what>scala[./][\w./$]+)`,
			Says:    "a jar was built for another Scala version than the image's Spark: ${what} does not fit",
			Next:    steps("use jars whose suffix (_2.12 or _2.13) is the Scala version of the image's Spark"),
			Source:  "openjdk/jdk17u src/hotspot/share/classfile/systemDictionary.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "scala-product", Class: cause.Dependency, Certain: true,
			Message: `NoSuchMethodError: '?(?:[\w.$\[\]]+ )?(?P<what>scala\.[\w.$]+)\(`,
			Says:    "a jar was built for another Scala version than the image's Spark: ${what} does not fit",
			Next: steps("use jars whose suffix (_2.12 or _2.13) is the Scala version of the image's " +
				"Spark"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
		{
			ID: "guava-clash", Class: cause.Dependency, Certain: true,
			Message: `(?:NoSuchMethodError|NoSuchFieldError|IllegalAccessError|` +
				`NoClassDefFoundError): .*com[./]google[./](?:common[./]|thirdparty)`,
			Says: "Guava is missing or of another version than its user needs",
			Next: steps("shade Guava in the application's jar, or replace the older guava jar in the " +
				"image"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
		{
			ID: "jackson-clash", Class: cause.Dependency, Certain: true,
			Message: `Scala module (?P<scala>[\w.-]+) requires Jackson Databind version|(?:NoSuchMethodError|` +
				`NoSuchFieldError|NoClassDefFoundError): .*com[./]fasterxml[./]jackson|` +
				`Incompatible Jackson version: (?P<old>\S+)`,
			Says: "Jackson is missing or of another version than its user needs",
			Next: steps("shade Jackson in the application's jar, or use the version that Spark ships"),
			Source: "FasterXML/jackson-module-scala src/main/scala/com/fasterxml/jackson/module/scala/JacksonModule.scala@v2.15.2; " +
				"FasterXML/jackson-module-scala src/main/scala/com/fasterxml/jackson/module/scala/" +
				"JacksonModule.scala@jackson-module-scala-2.6.0-1",
		},
		{
			ID: "protobuf-clash", Class: cause.Dependency, Certain: true,
			Message: `(?:NoSuchMethodError|NoClassDefFoundError|IncompatibleClassChangeError|` +
				`VerifyError): .*com[./]google[./]protobuf`,
			Says: "protobuf is missing or of another version than its user " +
				"needs", Next: steps("shade protobuf in the application's jar"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
		{
			ID: "hadoop-clash", Class: cause.Dependency,
			Message: `(?:NoSuchMethodError|NoSuchFieldError|NoClassDefFoundError|IllegalAccessError|` +
				`AbstractMethodError): .*org[./]apache[./]hadoop[./]`,
			Says: "a Hadoop jar is missing or of another version than its user needs",
			Next: steps("use hadoop-aws, hadoop-azure and the like in exactly the version of the image's " +
				"hadoop-client"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
		{
			ID: "table-runtime-clash", Class: cause.Dependency,
			Message: `(?:NoSuchMethodError|NoClassDefFoundError|IncompatibleClassChangeError|AbstractMethodError|` +
				`NoSuchFieldError): .*(?:org[./]apache[./](?:iceberg|hudi)|io[./]delta|` +
				`org[./]apache[./]spark[./]sql[./]delta)[./]`,
			Says: "the table format's runtime (Iceberg, Delta or Hudi) does not fit the version of Spark",
			Next: steps("use the runtime built for this minor version of Spark and its Scala " +
				"version"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
		{
			ID: "spark-clash", Class: cause.Dependency,
			Message: `(?:NoSuchMethodError|NoSuchFieldError|NoClassDefFoundError|IncompatibleClassChangeError|` +
				`AbstractMethodError|IllegalAccessError): .*org[./]apache[./]spark[./]`,
			Says: "a module of Spark is missing or of another version than its user needs",
			Next: steps("build against the Spark version of the image, with Spark's own jars as " +
				"provided"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
		{
			ID: "serial-version", Class: cause.Dependency, Certain: true,
			Message: `InvalidClassException: (?P<class>[\w.$]+); local class incompatible`,
			Says:    "driver and executors run different versions of ${class}",
			Next:    steps("use the same image and jars for driver and executors"),
			Source:  "openjdk/jdk25u src/java.base/share/classes/java/io/ObjectStreamClass.java@jdk-25.0.3+9",
		},
		{
			ID: "lambda-cast", Class: cause.Dependency,
			Message: `cannot assign instance of (?P<class>[\w.$]+) to field`,
			Says:    "executors cannot load the application's classes, or load them by another class loader (${class})",
			Next: steps("put the application's jar on the class path of driver and executors " +
				"alike"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/io/ObjectStreamClass.java@jdk-25.0.3+9",
		},
		{
			ID: "data-source-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:\[DATA_SOURCE_NOT_FOUND\] )?Failed to find(?: the)? data source: ` + "`?" + `(?P<source>[\w.-]*\w)`,
			Says:    "the data source ${source} is not on the class path",
			Next:    steps("add the package of ${source} for this version of Spark and Scala to the image or to deps.packages"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/errors/QueryExecutionErrors.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "catalog-plugin-missing", Class: cause.Dependency, Certain: true,
			Message: `Cannot find catalog plugin class for catalog ` +
				`'?` + "`?" + `(?P<catalog>[\w-]+)'?` + "`?" + `: (?P<class>[\w.$]*\w)`,
			Says:   "class ${class} of the catalog ${catalog} is not on the class path",
			Next:   steps("add the runtime of the table format for this version of Spark and Scala"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "extension-missing", Class: cause.Dependency, Certain: true,
			Message: `Cannot use (?P<class>[\w.$]+) to configure session extensions`,
			Says:    "class ${class} of spark.sql.extensions cannot be loaded",
			Next:    steps("add its jar for this version of Spark and Scala, or remove it from spark.sql.extensions"),
			Source:  "apache/spark sql/core/src/main/scala/org/apache/spark/sql/SparkSession.scala@v3.5.3",
		},
		{
			ID: "spark-class-missing", Class: cause.Dependency, Certain: true,
			Exception: `java\.lang\.ClassNotFoundException`,
			Message: `^(?P<class>org\.apache\.spark\.(?:sql\.(?:catalyst|execution|connector|internal|types)|internal|util|rdd|scheduler)\.` +
				`[\w$.]+)\s*$`,
			Says: "class ${class} is not in this version of Spark: a jar was built for another",
			Next: steps("use the jar, or the runtime of the table format (Iceberg, Delta, Hudi), that was built for the image's minor version of " +
				"Spark"), Source: "apache/iceberg issue 12371",
		},
		{
			ID: "class-missing", Class: cause.Dependency, Certain: true,
			Exception: `java\.lang\.ClassNotFoundException`, Message: `^(?:Class )?(?P<class>[\w.$/-]+)(?: not found)?\s*$`,
			Says: "class ${class} is not on the class path",
			Next: steps("add the jar that holds ${class} to the image, deps.jars or " +
				"deps.packages"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/net/URLClassLoader.java@jdk-25.0.3+9; " +
				"apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/conf/Configuration.java@rel/" +
				"release-3.3.3",
		},
		{
			// Hive hands on what its loader of classes said, as text of an exception of its own.
			ID: "hive-class-missing", Class: cause.Dependency, Certain: true,
			Exception: `(?:.*\.)?(?:MetaException|SerDeException|HiveException)`,
			Message:   `ClassNotFoundException:? (?:Class )?(?P<class>[\w.$]+) not found`,
			Says:      "class ${class}, which the table names as its SerDe or format, is not on the class path",
			Next:      steps("add the jar that holds ${class} to the image, deps.jars or deps.packages"),
			Source: "apache/hive metastore/src/java/org/apache/hadoop/hive/metastore/MetaStoreUtils.java@rel/release-2.3.9; " +
				"apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/conf/Configuration.java@rel/" +
				"release-3.3.3",
		},
		{
			ID: "class-missing-later", Class: cause.Dependency,
			Exception: `java\.lang\.NoClassDefFoundError`, Message: `^(?P<class>[\w.$/-]+)\s*$`,
			Says: "class ${class} was there at build time and is not on the class path",
			Next: steps("add the jar that holds ${class}, in the version that its user was built " +
				"with"),
			Source: "openjdk/jdk17u src/hotspot/share/classfile/systemDictionary.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "class-init-failed", Class: cause.Dependency, Effect: true,
			Exception: `java\.lang\.NoClassDefFoundError`, Message: `^Could not initialize class (?P<class>\S+)`,
			Says:   "class ${class} could not be initialized; the first failure, earlier in the log, says why",
			Next:   steps("find the first ExceptionInInitializerError in the log"),
			Source: "openjdk/jdk17u src/hotspot/share/oops/instanceKlass.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "linkage", Class: cause.Dependency, Certain: true,
			Exception: `java\.lang\.(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|` +
				`IncompatibleClassChangeError|IllegalAccessError|VerifyError)`, Message: `^(?P<what>[^\n]+)`,
			Says: "two jars do not fit together: ${what}",
			Next: steps("find the jars that hold this class, and keep the version that the caller was built " +
				"with"),
			Source: "openjdk/jdk src/hotspot/share/interpreter/linkResolver.cpp@02b33c7",
		},
	}
}
