package signatures

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"

// classes lists what a JVM says of classes that are missing or do not fit.
func classes() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "main-class-missing", Class: cause.Configuration, Certain: true,
			Message: `Failed to load class (?P<class>[\w.$-]+?)\.?$|Error: Could not find or load main class (?P<class2>\S+)`,
			Says:    "the main class ${class} is not in the application's jar",
			Next:    steps("correct spec.mainClass, or rebuild the jar and check it with jar tf"),
			Source:  "core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala (Spark); launcher of the JDK",
		},
		{
			ID: "main-class-not-set", Class: cause.Configuration, Certain: true,
			Message: `No main class set in JAR; please specify one with --class|Cannot load main class from JAR (?P<jar>\S+)`,
			Says:    "no main class is set for the jar ${jar}",
			Next:    steps("set spec.mainClass"), Source: "core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala (Spark)",
		},
		{
			ID: "main-method", Class: cause.CodeFailed, Certain: true,
			Exception: `java\.lang\.NoSuchMethodException`, Message: `(?P<class>[\w.$]+)\.main\(\[Ljava\.lang\.String;\)`,
			Says: "class ${class} has no static method main", Next: steps("correct spec.mainClass, or make " +
				"its main a method of an object"),
			Source: "org.apache.spark.deploy.JavaMainApplication (Spark), Class.getMethod (JDK)",
		},
		{
			ID: "jar-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:Local jar|Jar) (?P<jar>\S+) does not exist|` +
				`DependencyUtils: Local jar (?P<jar2>\S+) does not exist|` +
				`java\.io\.FileNotFoundException: Jar (?P<jar3>\S+) not found`,
			Says:   "the jar ${jar} does not exist in the container",
			Next:   steps("correct the local:// path, or put the jar into the image"),
			Source: "core/src/main/scala/org/apache/spark/util/DependencyUtils.scala (Spark)",
		},
		{
			ID: "java-version", Class: cause.Dependency, Certain: true,
			Message: `UnsupportedClassVersionError: (?P<class>\S+) has been compiled by a more recent version of the Java ` +
				`Runtime \(class file version (?P<version>[\d.]+)\)`,
			Says: "class ${class} was compiled for a newer Java (class file ${version}) than the image has",
			Next: steps("use an image with that Java, or compile for the Java of the image (55 is Java 11, 61 is Java 17, 65 " +
				"is Java 21)"),
			Source: "hotspot src/hotspot/share/classfile/classFileParser.cpp (JDK)",
		},
		{
			ID: "java-modules", Class: cause.Configuration, Certain: true,
			Message: `InaccessibleObjectException: |` +
				`cannot access class (?P<class>\S+) \(in module java\.base\) because module java\.base does not expor` +
				`t`,
			Says: "Java 17 denies access to its internals: the --add-opens options of Spark are missing, or Spark is " +
				"too old for this Java",
			Next:   steps("keep Spark's default extraJavaOptions with --add-opens, or use Spark 3.3 or newer for Java 17"),
			Source: "java.lang.reflect.AccessibleObject (JDK); launcher JavaModuleOptions.java (Spark)",
		},
		{
			ID: "scala-version", Class: cause.Dependency, Certain: true,
			Message: `(?:NoClassDefFoundError|ClassNotFoundException): ?(?P<what>scala[./][\w./$]+)`,
			Says:    "a jar was built for another Scala version than the image's Spark: ${what} does not fit",
			Next:    steps("use jars whose suffix (_2.12 or _2.13) is the Scala version of the image's Spark"),
			Source:  "linkage errors of the JVM (JDK)",
		},
		{
			ID: "scala-product", Class: cause.Dependency, Certain: true,
			Message: `NoSuchMethodError: '?(?:[\w.$\[\]]+ )?(?P<what>scala\.[\w.$]+)\(`,
			Says:    "a jar was built for another Scala version than the image's Spark: ${what} does not fit",
			Next: steps("use jars whose suffix (_2.12 or _2.13) is the Scala version of the image's " +
				"Spark"), Source: "linkage errors of the JVM (JDK)",
		},
		{
			ID: "guava-clash", Class: cause.Dependency, Certain: true,
			Message: `(?:NoSuchMethodError|NoSuchFieldError|IllegalAccessError|` +
				`NoClassDefFoundError): .*com[./]google[./](?:common[./]|thirdparty)`,
			Says: "Guava is missing or of another version than its user needs",
			Next: steps("shade Guava in the application's jar, or replace the older guava jar in the " +
				"image"), Source: "linkage errors of the JVM (JDK)",
		},
		{
			ID: "jackson-clash", Class: cause.Dependency, Certain: true,
			Message: `Scala module (?P<scala>[\w.-]+) requires Jackson Databind version|(?:NoSuchMethodError|` +
				`NoSuchFieldError|NoClassDefFoundError): .*com[./]fasterxml[./]jackson|` +
				`Incompatible Jackson version: (?P<old>\S+)`,
			Says:   "Jackson is missing or of another version than its user needs",
			Next:   steps("shade Jackson in the application's jar, or use the version that Spark ships"),
			Source: "JacksonModule.scala (jackson-module-scala); linkage errors of the JVM (JDK)",
		},
		{
			ID: "protobuf-clash", Class: cause.Dependency, Certain: true,
			Message: `(?:NoSuchMethodError|NoClassDefFoundError|IncompatibleClassChangeError|` +
				`VerifyError): .*com[./]google[./]protobuf`,
			Says: "protobuf is missing or of another version than its user " +
				"needs", Next: steps("shade protobuf in the application's jar"),
			Source: "linkage errors of the JVM (JDK)",
		},
		{
			ID: "hadoop-clash", Class: cause.Dependency,
			Message: `(?:NoSuchMethodError|NoSuchFieldError|NoClassDefFoundError|IllegalAccessError|` +
				`AbstractMethodError): .*org[./]apache[./]hadoop[./]`,
			Says: "a Hadoop jar is missing or of another version than its user needs",
			Next: steps("use hadoop-aws, hadoop-azure and the like in exactly the version of the image's " +
				"hadoop-client"), Source: "linkage errors of the JVM (JDK)",
		},
		{
			ID: "table-runtime-clash", Class: cause.Dependency,
			Message: `(?:NoSuchMethodError|NoClassDefFoundError|IncompatibleClassChangeError|AbstractMethodError|` +
				`NoSuchFieldError): .*(?:org[./]apache[./](?:iceberg|hudi)|io[./]delta|` +
				`org[./]apache[./]spark[./]sql[./]delta)[./]`,
			Says: "the table format's runtime (Iceberg, Delta or Hudi) does not fit the version of Spark",
			Next: steps("use the runtime built for this minor version of Spark and its Scala " +
				"version"), Source: "linkage errors of the JVM (JDK)",
		},
		{
			ID: "spark-clash", Class: cause.Dependency,
			Message: `(?:NoSuchMethodError|NoSuchFieldError|NoClassDefFoundError|IncompatibleClassChangeError|` +
				`AbstractMethodError|IllegalAccessError): .*org[./]apache[./]spark[./]`,
			Says: "a module of Spark is missing or of another version than its user needs",
			Next: steps("build against the Spark version of the image, with Spark's own jars as " +
				"provided"), Source: "linkage errors of the JVM (JDK)",
		},
		{
			ID: "serial-version", Class: cause.Dependency, Certain: true,
			Message: `InvalidClassException: (?P<class>[\w.$]+); local class incompatible`,
			Says:    "driver and executors run different versions of ${class}",
			Next:    steps("use the same image and jars for driver and executors"), Source: "java.io.ObjectStreamClass (JDK)",
		},
		{
			ID: "lambda-cast", Class: cause.Dependency,
			Message: `cannot assign instance of (?P<class>[\w.$]+) to field`,
			Says:    "executors cannot load the application's classes, or load them by another class loader (${class})",
			Next: steps("put the application's jar on the class path of driver and executors " +
				"alike"), Source: "java.io.ObjectStreamClass (JDK)",
		},
		{
			ID: "data-source-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:\[DATA_SOURCE_NOT_FOUND\] )?Failed to find(?: the)? data source: ` + "`?" + `(?P<source>[\w.-]*\w)`,
			Says:    "the data source ${source} is not on the class path",
			Next:    steps("add the package of ${source} for this version of Spark and Scala to the image or to deps.packages"),
			Source:  "error class DATA_SOURCE_NOT_FOUND (Spark)",
		},
		{
			ID: "catalog-plugin-missing", Class: cause.Dependency, Certain: true,
			Message: `Cannot find catalog plugin class for catalog ` +
				`'?` + "`?" + `(?P<catalog>[\w-]+)'?` + "`?" + `: (?P<class>[\w.$]+)`,
			Says:   "class ${class} of the catalog ${catalog} is not on the class path",
			Next:   steps("add the runtime of the table format for this version of Spark and Scala"),
			Source: "sql/catalyst/src/main/java/org/apache/spark/sql/connector/catalog/Catalogs.java (Spark)",
		},
		{
			ID: "extension-missing", Class: cause.Dependency, Certain: true,
			Message: `Cannot use (?P<class>[\w.$]+) to configure session extensions`,
			Says:    "class ${class} of spark.sql.extensions cannot be loaded",
			Next:    steps("add its jar for this version of Spark and Scala, or remove it from spark.sql.extensions"),
			Source:  "sql/core/src/main/scala/org/apache/spark/sql/SparkSession.scala applyExtensions (Spark)",
		},
		{
			ID: "class-missing", Class: cause.Dependency, Certain: true,
			Exception: `java\.lang\.ClassNotFoundException`, Message: `^(?:Class )?(?P<class>[\w.$/-]+)(?: not found)?\s*$`,
			Says: "class ${class} is not on the class path",
			Next: steps("add the jar that holds ${class} to the image, deps.jars or " +
				"deps.packages"), Source: "java.net.URLClassLoader (JDK), Configuration.getClassByName (Hadoop)",
		},
		{
			ID: "class-missing-later", Class: cause.Dependency,
			Exception: `java\.lang\.NoClassDefFoundError`, Message: `^(?P<class>[\w.$/-]+)\s*$`,
			Says: "class ${class} was there at build time and is not on the class path",
			Next: steps("add the jar that holds ${class}, in the version that its user was built " +
				"with"), Source: "java.lang.NoClassDefFoundError (JDK)",
		},
		{
			ID: "class-init-failed", Class: cause.Dependency, Effect: true,
			Exception: `java\.lang\.NoClassDefFoundError`, Message: `^Could not initialize class (?P<class>\S+)`,
			Says: "class ${class} could not be initialized; the first failure, earlier in the log, says why",
			Next: steps("find the first ExceptionInInitializerError in the log"), Source: "hotspot instanceKlass.cpp (JDK)",
		},
		{
			ID: "linkage", Class: cause.Dependency, Certain: true,
			Exception: `java\.lang\.(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|` +
				`IncompatibleClassChangeError|IllegalAccessError|VerifyError)`, Message: `^(?P<what>[^\n]+)`,
			Says: "two jars do not fit together: ${what}",
			Next: steps("find the jars that hold this class, and keep the version that the caller was built " +
				"with"), Source: "linkage errors of the JVM (JDK)",
		},
	}
}
