package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// WorkerCrashed is the signature of a Python worker that is gone, which leaves open why.
const WorkerCrashed = "python-worker-crashed"

// python lists what Python, PySpark and Py4J say.
func python() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "python-versions-differ", Class: cause.Dependency, Certain: true,
			Message: `(?:\[PYTHON_VERSION_MISMATCH\] )?Python in worker has different version:? (?P<worker>[\d.]+|\([\d, ]+\)|\S+) (?:than|` +
				`from) that in driver:? (?P<driver>[\d.]+)|PYTHON_VERSION_MISMATCH`,
			Says: "driver and executors run different Python versions[ (executors ${worker}, driver ${driver})]",
			Next: steps("use the same image for both, or set spark.pyspark.python and spark.pyspark.driver.python to the " +
				"same version"),
			Source: "apache/spark python/pyspark/worker.py@v3.3.2; " +
				"apache/spark python/pyspark/errors/error_classes.py@v3.5.3",
		},
		{
			ID: "python-not-found", Class: cause.Image, Certain: true,
			Message: `Cannot run program "(?P<program>[^"]*python[^"]*)"|env: '?‘?(?P<program2>python3?)'?’?: No such file`,
			Says:    "there is no Python executable ${program} in the image",
			Next: steps("use an image with Python, or set spark.pyspark.python to the path of its " +
				"executable"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/lang/ProcessBuilder.java@jdk-25.0.3+9",
		},
		{
			ID: "python-script-missing", Class: cause.Configuration, Certain: true,
			Message: `can't open file '(?P<file>[^']+)': \[Errno 2\] No such file or directory`,
			Says:    "the Python file ${file} does not exist in the container",
			Next:    steps("correct spec.mainApplicationFile, or put the file into the image"),
			Source:  "python/cpython Modules/main.c@v3.12.1 (compiled)",
		},
		{
			ID: "python-script-unreadable", Class: cause.Configuration, Certain: true,
			Message: `can't open file '(?P<file>[^']+)': \[Errno 13\] Permission denied`,
			Says:    "the user of the container may not read the Python file ${file}",
			Next: steps("make the file readable for the user of the container (185 in the images of Spark), or correct " +
				"spec.driver.securityContext"),
			Source: "python/cpython Modules/main.c@v3.12.1 (compiled)",
		},
		{
			ID: "pyspark-shadowed", Class: cause.CodeFailed, Certain: true,
			Exception: `(?:.*\.)?(?:ImportError|AttributeError)`, Message: `partially initialized module '(?P<module>[\w.]+)'|` +
				`^module '(?P<module2>[\w.]+)' has no attribute '\w+' \(consider renaming '`,
			Says: "module ${module} is imported while it is being imported: a file of the application has the name of a library",
			Next: steps("rename the file of the application that is named like the " +
				"library"),
			Source: "python/cpython Python/ceval.c@v3.12.1 (compiled); " +
				"python/cpython Objects/moduleobject.c@v3.13.0 (compiled)",
		},
		{
			ID: "pyspark-is-not-a-package", Class: cause.CodeFailed, Certain: true,
			Exception: `(?:.*\.)?(?:ModuleNotFoundError|ImportError)`, Message: `No module named ` +
				`'(?P<module>(?P<top>[\w]+)\.[\w.]+)'; '\w+' is not a package`,
			Says:   "${module} cannot be imported, because a file named ${top}.py hides the library",
			Next:   steps("rename the file ${top}.py of the application"),
			Source: "python/cpython Lib/importlib/_bootstrap.py@v3.12.1",
		},
		{
			ID: "r-package-missing", Class: cause.Dependency, Certain: true,
			Message: `there is no package called [‘'"](?P<package>[\w.]+)[’'"]`,
			Says:    "the R package ‘${package}’ is not installed where it is loaded",
			Next:    steps("install the package in the image of driver and executors"),
			Source:  "wch/r-source src/library/base/R/library.R@R-4-3-3",
		},
		{
			ID: "python-distutils", Class: cause.Dependency, Certain: true,
			Exception: `(?:.*\.)?ModuleNotFoundError`, Message: `No module named '(?P<module>distutils|imp|typing\.io)\b`,
			Says: "module ${module} no longer exists in this Python: Spark or a library is older than it",
			Next: steps("use an older Python, or a newer Spark and " +
				"libraries"),
			Source: "python/cpython Lib/importlib/_bootstrap.py@v3.12.1",
		},
		{
			ID: "python-module-missing", Class: cause.Dependency, Certain: true,
			Message: `(?:ModuleNotFoundError|ImportError): No module named ['"]?(?P<module>[\w.]+)`,
			Says:    "Python module ${module} is not installed",
			Next: steps("install ${module} in the image of driver and executors, or add it to " +
				"deps.pyFiles or an archive"),
			Source: "python/cpython Lib/importlib/_bootstrap.py@v3.12.1",
		},
		{
			ID: "python-import-name", Class: cause.Dependency, Certain: true,
			Message: `ImportError: cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'`,
			Says:    "module ${module} has no ${name}: its version does not fit its user",
			Next:    steps("pin ${module} to a version that has ${name}"),
			Source:  "python/cpython Python/ceval.c@v3.12.1 (compiled)",
		},
		{
			ID: "python-shared-library", Class: cause.Dependency, Certain: true,
			Message: `ImportError: (?P<library>\S+\.so\S*): (?P<why>[^\n]+)`,
			Says:    "a native library of a Python package cannot be loaded: ${library}: ${why}",
			Next: steps("build the package for the Python, C library and architecture of the " +
				"image"),
			Source: "bminor/glibc elf/dl-load.c@glibc-2.36; " +
				"python/cpython Python/dynload_shlib.c@v3.12.1 (compiled)",
		},
		{
			ID: "python-package-version", Class: cause.Dependency, Certain: true,
			Message: `(?P<package>Pandas|PyArrow|pandas|grpcio|` +
				`[A-Za-z-]+) >= (?P<least>[\d.]+) must be installed; however, (?P<found>[^\n]+?)\.?$`,
			Says: "${package} ${least} or newer is not installed: ${found}",
			Next: steps("install ${package} ${least} or newer in the image of driver and " +
				"executors"),
			Source: "apache/spark python/pyspark/sql/pandas/utils.py@v3.5.3; " +
				"apache/spark python/pyspark/sql/connect/utils.py@v3.5.3",
		},
		{
			ID: "numpy-abi", Class: cause.Dependency, Certain: true,
			Message: `ValueError: numpy\.\w+ size changed, may indicate binary incompatibility|` +
				`A module that was compiled using NumPy 1\.x cannot be run in|` +
				`ImportError: numpy\._?core\.multiarray failed to import`,
			Says: "NumPy's version does not fit the packages that were compiled with it",
			Next: steps("pin numpy<2, or upgrade the packages that use it"),
			Source: "cython/cython Cython/Utility/ImportExport.c@3.0.10; " +
				"numpy/numpy numpy/core/_multiarray_umath.py@v2.0.0; " +
				"numpy/numpy numpy/__init__.pxd@v1.26.4; " +
				"numpy/numpy numpy/__init__.pxd@v2.0.0",
		},
		{
			// PySpark before 3.4 asks for what pandas 2.0 no longer has (apache/spark pull 37947).
			ID: "pandas-2", Class: cause.Dependency,
			Message: `AttributeError: '(?P<type>DataFrame|Series)' object has no attribute 'iteritems'`,
			Says:    "pandas 2.0 or newer has no ${type}.iteritems: the version of pandas is too new for what calls it, as for PySpark before 3.4",
			Next:    steps("install pandas below 2.0 in the image of driver and executors, or use Spark 3.4 or newer"),
			Source:  "apache/spark pull 37947; microsoft/hummingbird issue 694",
		},
		{
			ID: "numpy-aliases", Class: cause.Dependency, Certain: true,
			Message: `AttributeError: module 'numpy' has no attribute '(?P<name>bool|int|float|complex|object|str|typeDict)'`,
			Says:    "NumPy 1.24 or newer has no numpy.${name}: the version of NumPy is too new for what calls it",
			Next:    steps("install NumPy below 1.24 in the image of driver and executors, or newer versions of the packages that use it"),
			Source:  "numpy/numpy numpy/__init__.py@v1.24.0",
		},
		{
			ID: "py4j-method", Class: cause.Dependency,
			Message: `Py4JError: (?P<what>(?:org\.apache\.spark|[\w.]+)\.\S+) does not exist in the JVM|` +
				`TypeError: 'JavaPackage' object is not callable`,
			Says: "the JVM does not have what Python calls[ (${what})]: PySpark and Spark differ in version, or a jar is missing",
			Next: steps("install PySpark in exactly the version of the image's Spark, and add the jar of the " +
				"class"),
			Source: "py4j/py4j py4j-python/src/py4j/java_gateway.py@0.10.9.7",
		},
		{
			ID: "python-worker-not-back", Class: cause.Dependency,
			Message: `Python worker (?:failed to connect back|did not connect back in time)|` +
				`No module named pyspark\.daemon|(?:Bad data|` +
				`Error from python worker).*(?:pyspark\.daemon|standard output)`,
			Says: "the Python worker did not start on the executor",
			Next: steps("check spark.pyspark.python and the Python environment of the " +
				"executors"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/api/python/PythonWorkerFactory.scala@v2.2.0; " +
				"apache/spark core/src/main/scala/org/apache/spark/api/python/PythonWorkerFactory.scala@v3.5.3",
		},
		{
			ID: "python-worker-fault", Class: cause.CodeFailed, Certain: true,
			Message: `Fatal Python error: (?P<what>Segmentation fault|Bus error|Aborted|Illegal instruction|Floating[- ]point exception)` +
				`(?:[\s\S]{0,400}?File (?P<place>"[^"]+", line \d+ in \w+))?`,
			Says: "native code crashed in a Python process (${what})[ ${place}]",
			Next: steps("use versions of pyarrow, pandas, numpy and other native packages that fit each other and the image",
				"find the row that crashes it, with the function on a sample"),
			Source: "apache/arrow-java issue 93",
		},
		{
			ID: "python-app-killed", Class: cause.ClusterKilled,
			Message: `User application exited with 137\b`,
			Says:    "the Python process of the driver was killed (SIGKILL, 137), most often because memory use exceeded the container's limit",
			Next: steps("raise driver.memoryOverhead, which Python shares with the JVM's own needs, or bring less data to the driver " +
				"(toPandas, collect)"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/PythonRunner.scala@v3.3.2",
		},
		{
			ID: "python-app-crashed", Class: cause.CodeFailed,
			Message: `User application exited with (?P<code>132|134|135|136|139)\b`,
			Says:    "native code crashed in the Python process of the driver (exit code ${code})",
			Next:    steps("set PYTHONFAULTHANDLER=1, which prints the Python frame, and check versions of native packages"),
			Source:  "apache/spark core/src/main/scala/org/apache/spark/deploy/PythonRunner.scala@v3.3.2",
		},
		{
			// Spark sees that the worker is gone, and not why: the case file asks the events of the nodes.
			ID: WorkerCrashed, Class: cause.Unknown,
			Message: `Python worker exited unexpectedly \(crashed\)`,
			Says:    "a Python worker crashed, killed by the kernel for memory or by a fault in native code",
			Next: steps("look for OOM kills in the kernel's log of the node; if there are any, raise spark.executor.pyspark.memory or "+
				"executor.memoryOverhead", "else set spark.python.worker.faulthandler.enabled=true, which prints the frame that crashed"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/api/python/PythonRunner.scala@v3.5.3",
		},
		{
			ID: "python-memory", Class: cause.CodeFailed,
			Exception: `(?:.*\.)?(?:MemoryError|_ArrayMemoryError)`, Message: `(?P<what>[^\n]*)`,
			Says: "Python could not allocate memory: ${what}",
			Next: steps("raise memoryOverhead or spark.executor.pyspark.memory, or process smaller " +
				"batches"),
			Source: "numpy/numpy numpy/core/_exceptions.py@v1.26.4",
		},
		{
			ID: "java-not-found", Class: cause.Image, Certain: true,
			Message: `JAVA_HOME is not set|JAVA_GATEWAY_EXITED|Java gateway process exited before sending its port number`,
			Says:    "PySpark could not start a JVM: Java is missing in the image or refused to start",
			Next: steps("use an image with Java and JAVA_HOME set, and read the lines above this " +
				"one"),
			Source: "apache/spark python/pyspark/errors/error_classes.py@v3.5.3; " +
				"apache/spark bin/spark-class@v3.5.3",
		},
		{
			ID: "py4j-empty-answer", Class: cause.Unknown, Effect: true,
			Message: `Answer from Java side is empty|Error while sending or receiving|` +
				`An error occurred while trying to connect to the Java server|Py4JNetworkError|Error while receiving`,
			Says: "Python lost its JVM, which ended before",
			Next: steps("find out how the JVM ended: out of memory, killed, or " +
				"stopped"),
			Source: "py4j/py4j py4j-python/src/py4j/java_gateway.py@0.10.9.7; " +
				"py4j/py4j py4j-python/src/py4j/clientserver.py@0.10.9.7",
		},
		{
			ID: "python-syntax", Class: cause.CodeFailed, Certain: true,
			Exception: `(?:.*\.)?(?:SyntaxError|IndentationError|TabError)`, Message: `(?P<what>[^\n]+)`,
			Says: "the Python file cannot be parsed: ${what}", Next: steps("correct the file, or use the " +
				"Python version that it was written for"),
			Source: "python/cpython Parser/pegen_errors.c@01760a7",
		},
		{
			ID: "pickle-driver-only", Class: cause.CodeFailed, Certain: true,
			Message: `CONTEXT_ONLY_VALID_ON_DRIVER|` +
				`It appears that you are attempting to reference SparkContext from a broadcast variable, action, or t` +
				`ransformation`,
			Says: "code that runs on executors refers to the SparkContext", Next: steps("use the " +
				"SparkContext and DataFrames on the driver only"),
			Source: "apache/spark python/pyspark/errors/error_classes.py@v3.5.3",
		},
		{
			ID: "pickle-failed", Class: cause.CodeFailed, Certain: true,
			Message: `(?:PicklingError: (?P<what>[^\n]+)|TypeError: cannot pickle '(?P<what2>[^']+)' (?:object|instances))`,
			Says:    "a Python function refers to what cannot be sent to executors: ${what}",
			Next:    steps("create the object inside the function"),
			Source: "apache/spark python/pyspark/serializers.py@v3.5.3; " +
				"python/cpython Objects/typeobject.c@v3.12.1 (compiled)",
		},
	}
}
