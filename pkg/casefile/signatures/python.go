package signatures

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"

// python lists what Python, PySpark and Py4J say.
func python() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "python-versions-differ", Class: cause.Dependency, Certain: true,
			Message: `(?:\[PYTHON_VERSION_MISMATCH\] )?Python in worker has different version:? (?P<worker>[\d.]+|\S+) (?:than|` +
				`from) that in driver:? (?P<driver>[\d.]+)|PYTHON_VERSION_MISMATCH`,
			Says: "driver and executors run different Python versions (executors ${worker}, driver ${driver})",
			Next: steps("use the same image for both, or set spark.pyspark.python and spark.pyspark.driver.python to the " +
				"same version"),
			Source: "python/pyspark/worker.py, worker_util.py (Spark)",
		},
		{
			ID: "python-not-found", Class: cause.Image, Certain: true,
			Message: `Cannot run program "(?P<program>[^"]*python[^"]*)"|env: '?‘?(?P<program2>python3?)'?’?: No such file`,
			Says:    "there is no Python executable ${program} in the image",
			Next: steps("use an image with Python, or set spark.pyspark.python to the path of its " +
				"executable"), Source: "java.lang.ProcessBuilder (JDK)",
		},
		{
			ID: "python-script-missing", Class: cause.Configuration, Certain: true,
			Message: `can't open file '(?P<file>[^']+)': \[Errno 2\] No such file or directory`,
			Says:    "the Python file ${file} does not exist in the container",
			Next:    steps("correct spec.mainApplicationFile, or put the file into the image"), Source: "Modules/main.c (CPython)",
		},
		{
			ID: "pyspark-shadowed", Class: cause.CodeFailed, Certain: true,
			Exception: `(?:.*\.)?(?:ImportError|AttributeError)`, Message: `partially initialized module '(?P<module>[\w.]+)'`,
			Says: "module ${module} is imported while it is being imported: a file of the application has the name of a library",
			Next: steps("rename the file of the application that is named like the " +
				"library"), Source: "Lib/importlib/_bootstrap.py, Python/ceval.c (CPython)",
		},
		{
			ID: "pyspark-is-not-a-package", Class: cause.CodeFailed, Certain: true,
			Exception: `(?:.*\.)?(?:ModuleNotFoundError|ImportError)`, Message: `No module named ` +
				`'(?P<module>(?P<top>[\w]+)\.[\w.]+)'; '\w+' is not a package`,
			Says: "${module} cannot be imported, because a file named ${top}.py hides the library",
			Next: steps("rename the file ${top}.py of the application"), Source: "Lib/importlib/_bootstrap.py (CPython)",
		},
		{
			ID: "python-distutils", Class: cause.Dependency, Certain: true,
			Exception: `(?:.*\.)?ModuleNotFoundError`, Message: `No module named '(?P<module>distutils|imp|typing\.io)\b`,
			Says: "module ${module} no longer exists in this Python: Spark or a library is older than it",
			Next: steps("use an older Python, or a newer Spark and " +
				"libraries"), Source: "Lib/importlib/_bootstrap.py (CPython); removed in Python 3.12",
		},
		{
			ID: "python-module-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ModuleNotFoundError|ImportError): No module named ['"]?(?P<module>[\w.]+)`,
			Says:    "Python module ${module} is not installed",
			Next: steps("install ${module} in the image of driver and executors, or add it to " +
				"deps.pyFiles or an archive"), Source: "Lib/importlib/_bootstrap.py (CPython)",
		},
		{
			ID: "python-import-name", Class: cause.Dependency, Certain: true,
			Message: `ImportError: cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'`,
			Says:    "module ${module} has no ${name}: its version does not fit its user",
			Next:    steps("pin ${module} to a version that has ${name}"), Source: "Python/ceval.c import_from (CPython)",
		},
		{
			ID: "python-shared-library", Class: cause.Dependency, Certain: true,
			Message: `ImportError: (?P<library>\S+\.so\S*): (?P<why>[^\n]+)`,
			Says:    "a native library of a Python package cannot be loaded: ${library}: ${why}",
			Next: steps("build the package for the Python, C library and architecture of the " +
				"image"), Source: "Python/dynload_shlib.c (CPython)",
		},
		{
			ID: "python-package-version", Class: cause.Dependency, Certain: true,
			Message: `(?P<package>Pandas|PyArrow|pandas|grpcio|` +
				`[A-Za-z-]+) >= (?P<least>[\d.]+) must be installed; however, (?P<found>[^\n]+?)\.?$`,
			Says: "${package} ${least} or newer is not installed: ${found}",
			Next: steps("install ${package} ${least} or newer in the image of driver and " +
				"executors"), Source: "python/pyspark/sql/pandas/utils.py (Spark)",
		},
		{
			ID: "numpy-abi", Class: cause.Dependency, Certain: true,
			Message: `numpy\.dtype size changed, may indicate binary incompatibility|` +
				`A module that was compiled using NumPy 1\.x cannot be run in|` +
				`numpy\.core\.multiarray failed to import`,
			Says: "NumPy's version does not fit the packages that were compiled with it",
			Next: steps("pin numpy<2, or upgrade the packages that use it"), Source: "numpy/core/src, numpy/__init__ (NumPy)",
		},
		{
			ID: "py4j-method", Class: cause.Dependency,
			Message: `Py4JError: (?P<what>(?:org\.apache\.spark|[\w.]+)\.\S+) does not exist in the JVM|` +
				`TypeError: 'JavaPackage' object is not callable`,
			Says: "the JVM does not have what Python calls (${what}): PySpark and Spark differ in version, or a jar is missing",
			Next: steps("install PySpark in exactly the version of the image's Spark, and add the jar of the " +
				"class"), Source: "py4j/java_gateway.py (Py4J)",
		},
		{
			ID: "python-worker-not-back", Class: cause.Dependency,
			Message: `Python worker (?:failed to connect back|did not connect back in time)|` +
				`PySpark worker failed to start|No module named pyspark\.daemon|(?:Bad data|` +
				`Error from python worker).*(?:pyspark\.daemon|standard output)`,
			Says: "the Python worker did not start on the executor",
			Next: steps("check spark.pyspark.python and the Python environment of the " +
				"executors"), Source: "core/src/main/scala/org/apache/spark/api/python/PythonWorkerFactory.scala (Spark)",
		},
		{
			ID: "python-worker-crashed", Class: cause.ClusterKilled,
			Message: `Python worker exited unexpectedly \(crashed\)`,
			Says:    "a Python worker crashed: most often the kernel killed it for memory, or native code failed",
			Next: steps("raise spark.executor.pyspark.memory or executor.memoryOverhead, and set " +
				"spark.python.worker.faulthandler.enabled=true"),
			Source: "core/src/main/scala/org/apache/spark/api/python/PythonRunner.scala (Spark)",
		},
		{
			ID: "python-memory", Class: cause.CodeFailed,
			Exception: `(?:.*\.)?(?:MemoryError|_ArrayMemoryError)`, Message: `(?P<what>[^\n]*)`,
			Says: "Python could not allocate memory: ${what}",
			Next: steps("raise memoryOverhead or spark.executor.pyspark.memory, or process smaller " +
				"batches"), Source: "MemoryError (CPython)",
		},
		{
			ID: "java-not-found", Class: cause.Image, Certain: true,
			Message: `JAVA_HOME is not set|JAVA_GATEWAY_EXITED|Java gateway process exited before sending its port number`,
			Says:    "PySpark could not start a JVM: Java is missing in the image or refused to start",
			Next: steps("use an image with Java and JAVA_HOME set, and read the lines above this " +
				"one"), Source: "python/pyspark/java_gateway.py, bin/spark-class (Spark)",
		},
		{
			ID: "py4j-empty-answer", Class: cause.Unknown, Effect: true,
			Message: `Answer from Java side is empty|Error while sending or receiving|` +
				`An error occurred while trying to connect to the Java server|Py4JNetworkError|Error while receiving`,
			Says: "Python lost its JVM, which ended before",
			Next: steps("find out how the JVM ended: out of memory, killed, or " +
				"stopped"), Source: "py4j/java_gateway.py, clientserver.py (Py4J)",
		},
		{
			ID: "python-syntax", Class: cause.CodeFailed, Certain: true,
			Exception: `(?:.*\.)?(?:SyntaxError|IndentationError|TabError)`, Message: `(?P<what>[^\n]+)`,
			Says: "the Python file cannot be parsed: ${what}", Next: steps("correct the file, or use the " +
				"Python version that it was written for"),
			Source: "Parser (CPython)",
		},
		{
			ID: "pickle-driver-only", Class: cause.CodeFailed, Certain: true,
			Message: `CONTEXT_ONLY_VALID_ON_DRIVER|` +
				`It appears that you are attempting to reference SparkContext from a broadcast variable, action, or t` +
				`ransformation`,
			Says: "code that runs on executors refers to the SparkContext", Next: steps("use the " +
				"SparkContext and DataFrames on the driver only"),
			Source: "python/pyspark/context.py (Spark)",
		},
		{
			ID: "pickle-failed", Class: cause.CodeFailed, Certain: true,
			Message: `(?:PicklingError: (?P<what>[^\n]+)|TypeError: cannot pickle '(?P<what2>[^']+)' object)`,
			Says:    "a Python function refers to what cannot be sent to executors: ${what}",
			Next:    steps("create the object inside the function"), Source: "python/pyspark/serializers.py " +
				"(Spark), Objects/typeobject.c (CPython)",
		},
	}
}
