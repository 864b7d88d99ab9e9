package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// memory lists what the JVM and Spark say when memory or a limit on it is too small.
func memory() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "heap", Class: cause.Configuration, Certain: true, Message: `OutOfMemoryError: Java heap space`,
			Says: "the Java heap was exhausted", Next: steps("raise driver.memory or executor.memory, or give each task less data"),
			Source: "openjdk/jdk src/hotspot/share/gc/shared/memAllocator.cpp@0106933",
		},
		{
			ID: "gc-overhead", Class: cause.Configuration, Certain: true, Message: `OutOfMemoryError: GC overhead limit exceeded`,
			Says: "the Java heap was nearly exhausted: GC overhead limit exceeded",
			Next: steps("raise driver.memory or executor.memory, or give each task less " +
				"data"),
			Source: "openjdk/jdk17u src/hotspot/share/gc/shared/memAllocator.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "metaspace", Class: cause.Configuration, Certain: true, Message: `OutOfMemoryError: ` +
				`(?:Metaspace|Compressed class space)`,
			Says: "the JVM's Metaspace was exhausted", Next: steps("raise or remove -XX:MaxMetaspaceSize, " +
				"and look for classes generated in a loop"),
			Source: "openjdk/jdk17u src/hotspot/share/memory/metaspace.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "direct-memory", Class: cause.Configuration, Certain: true,
			Message: `OutOfMemoryError: (?:Direct buffer memory|` +
				`Cannot reserve (?P<bytes>\d+) bytes of direct buffer memory)|` +
				`OutOfDirectMemoryError: failed to allocate`,
			Says: "the JVM's direct memory was exhausted",
			Next: steps("raise executor.memoryOverhead and -XX:MaxDirectMemorySize, or lower spark.reducer.maxSizeInFlight"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/nio/Bits.java@jdk-25.0.3+9; " +
				"netty/netty common/src/main/java/io/netty/util/internal/PlatformDependent.java@netty-4.1.96.Final",
		},
		{
			ID: "native-thread", Class: cause.Configuration,
			Message: `unable to create (?:new )?native thread|Failed to start (?:the native )?thread .*(?:pthread_create|` +
				`EAGAIN)|can't start new thread`,
			Says: "no further thread could be started: a limit on processes (pids) or memory of the container or node is reached",
			Next: steps("raise the kubelet's podPidsLimit, or start fewer threads per " +
				"container"),
			Source: "openjdk/jdk17u src/hotspot/share/prims/jvm.cpp@jdk-17.0.15+6 (compiled); " +
				"python/cpython Modules/_threadmodule.c@v3.12.1 (compiled)",
		},
		{
			ID: "array-limit", Class: cause.CodeFailed, Certain: true,
			Message: `Requested array size exceeds VM limit|Cannot grow BufferHolder by size|grow beyond 2\s?GB|` +
				`Can't allocate (?:a )?(?:byte )?array of size|` +
				`Required (?:array (?:length|size)(?: \d+ \+ \d+ is)? too large|length exceeds implementation limit)`,
			Says: "one row or value exceeds the 2 GiB limit of a Java array", Next: steps("split the value, " +
				"or collect fewer elements into one row"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/nio/file/Files.java@jdk-25.0.3+9; " +
				"openjdk/jdk25u src/java.base/share/classes/java/lang/StringUTF16.java@jdk-25.0.3+9; " +
				"apache/spark sql/catalyst/src/main/java/org/apache/spark/sql/catalyst/expressions/codegen/" +
				"BufferHolder.java@v3.5.3; " +
				"openjdk/jdk25u src/java.base/share/classes/jdk/internal/util/ArraysSupport.java@jdk-25.0.3+9",
		},
		{
			ID: "task-memory", Class: cause.Configuration, Certain: true,
			Message: `Unable to acquire (?P<asked>\d+) bytes of memory, got (?P<got>\d+)|UNABLE_TO_ACQUIRE_MEMORY|` +
				`Can'?t acquire memory`,
			Says: "a task got too little execution memory[: asked ${asked} bytes, got ${got}]",
			Next: steps("raise executor.memory, lower executor.cores, or use more partitions"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3; " +
				"apache/spark core/src/main/java/org/apache/spark/memory/TaskMemoryManager.java@v3.5.3",
		},
		{
			ID: "driver-memory-minimum", Class: cause.Configuration, Certain: true,
			Message: `System memory (?P<has>\d+) must be at least (?P<least>\d+)|` +
				`Executor memory (?P<has2>\d+) must be at least (?P<least2>\d+)`,
			Says: "the heap is below Spark's minimum: ${has} bytes, at least ${least}",
			Next: steps("raise driver.memory or " +
				"executor.memory"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/memory/UnifiedMemoryManager.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "heap-not-reserved", Class: cause.Configuration, Certain: true,
			Message: `Could not reserve enough space for (?P<what>[^\n]*heap)|` +
				`There is insufficient memory for the Java Runtime Environment to continue|` +
				`Initial heap size set to a larger value than the maximum heap size|Too small maximum heap|Invalid (?:maximum|` +
				`initial) heap size: (?P<what2>\S+)`,
			Says: "the JVM could not start with its heap size[: ${what}]",
			Next: steps("correct -Xmx or -Xms, or the memory of the " +
				"container"),
			Source: "openjdk/jdk17u src/hotspot/share/runtime/arguments.cpp@jdk-17.0.15+6 (compiled); " +
				"openjdk/jdk17u src/hotspot/share/utilities/vmError.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "jvm-option", Class: cause.Configuration, Certain: true,
			Message: `Unrecognized VM option '(?P<option>[^']+)'|` +
				`^Unrecognized option: (?P<option2>-(?:X|D|agent|java|-(?:add|enable|illegal|limit|module|patch|upgrade))\S*)|` +
				`Conflicting collector combinations in option list|Multiple garbage collectors selected`,
			Says: "the JVM does not know option[ ${option}]", Next: steps("remove it from " +
				"extraJavaOptions, or use a Java that knows it"),
			Source: "openjdk/jdk17u src/hotspot/share/runtime/arguments.cpp@jdk-17.0.15+6 (compiled); " +
				"openjdk/jdk src/hotspot/share/gc/shared/gcConfig.cpp@00bc982",
		},
		{
			ID: "memory-option-in-java-options", Class: cause.Configuration, Certain: true,
			Message: `(?P<key>spark\.\w+\.(?:extra|` +
				`default)JavaOptions) is not allowed to (?:specify max heap memory settings|set Spark options)`,
			Says: "${key} sets the heap size or a Spark option, which it must " +
				"not", Next: steps("set driver.memory or executor.memory instead"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/SparkConf.scala@v3.5.3",
		},
		{
			ID: "result-size", Class: cause.Configuration, Certain: true,
			Message: `Total size of serialized results of (?P<tasks>\d+) tasks \((?P<size>[^)]+)\) is bigger than (?:spark` +
				`\.driver\.maxResultSize|local maxResultSize) \(?(?P<limit>[^)\s]+ ?\w*)\)?`,
			Says:   "${tasks} tasks returned ${size} to the driver, more than spark.driver.maxResultSize (${limit})",
			Next:   steps("write the result instead of collecting it, or raise spark.driver.maxResultSize and driver.memory"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala@v3.5.3",
		},
		{
			ID: "kryo-buffer", Class: cause.Configuration, Certain: true,
			Message: `Kryo serialization failed: Buffer overflow|KRYO_BUFFER_OVERFLOW`,
			Says:    "an object exceeds spark.kryoserializer.buffer.max", Next: steps("raise spark.kryoserializer.buffer.max (64m by " +
				"default, at most 2047m)"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/serializer/KryoSerializer.scala@v3.5.3; " +
				"apache/spark common/utils/src/main/resources/error/error-conditions.json@205e382",
		},
		{
			ID: "rpc-size", Class: cause.Configuration, Certain: true,
			Message: `Serialized task \S+ was (?P<size>\d+) bytes, which exceeds max allowed: spark\.rpc\.message\.maxSize` +
				` \((?P<limit>\d+) bytes\)`,
			Says:   "a task is ${size} bytes, more than spark.rpc.message.maxSize (${limit})",
			Next:   steps("broadcast large values instead of capturing them, or raise spark.rpc.message.maxSize"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/scheduler/cluster/CoarseGrainedSchedulerBackend.scala@v3.5.3",
		},
		{
			ID: "grpc-size", Class: cause.Configuration, Certain: true,
			Message: `gRPC message exceeds maximum size (?P<limit>\d+)|` +
				`Received message larger than max \((?P<size>\d+) vs\. (?P<limit2>\d+)\)`,
			Says: "a gRPC message exceeds the limit of ${limit} " +
				"bytes", Next: steps("raise spark.connect.grpc.maxInboundMessageSize, or send less data inline"),
			Source: "grpc/grpc-java core/src/main/java/io/grpc/internal/MessageDeframer.java@v1.56.0",
		},
		{
			ID: "broadcast-timeout", Class: cause.Configuration, Certain: true,
			Message: `Could not execute broadcast in (?P<seconds>\d+) secs`,
			Says:    "a broadcast join took longer than spark.sql.broadcastTimeout (${seconds} s)",
			Next:    steps("raise spark.sql.broadcastTimeout, or lower spark.sql.autoBroadcastJoinThreshold or set it to -1"),
			Source: "apache/spark sql/catalyst/src/main/scala/org/apache/spark/sql/errors/QueryExecutionErrors.scala@v3.3.2; " +
				"apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "broadcast-too-large", Class: cause.Configuration, Certain: true,
			Message: `Cannot broadcast the table that is larger than (?P<limit>[^\n:;]+)|` +
				`Cannot broadcast the table over (?P<limit2>\d+) rows`,
			Says:   "a table is too large to broadcast: over ${limit}",
			Next:   steps("remove the broadcast hint, or set spark.sql.autoBroadcastJoinThreshold to -1"),
			Source: "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "broadcast-memory", Class: cause.Configuration, Certain: true,
			Message: `Not enough memory to build and broadcast the table to all worker nodes|_LEGACY_ERROR_TEMP_2250\b`,
			Says:    "the driver has too little memory to build a broadcast table",
			Next:    steps("raise driver.memory, or set spark.sql.autoBroadcastJoinThreshold to -1"),
			Source:  "apache/spark common/utils/src/main/resources/error/error-classes.json@v3.5.3",
		},
		{
			ID: "gluten-off-heap", Class: cause.Configuration, Certain: true,
			Message: `Not enough spark off-heap execution memory\. Acquired: (?P<acquired>[^,]+), granted: (?P<granted>[^.]+\.?\d* \w+)`,
			Says:    "off-heap memory is too small for Gluten: it asked for ${acquired} and got ${granted}",
			Next:    steps("raise spark.memory.offHeap.size, and executor.memoryOverhead with it"),
			Source:  "apache/gluten gluten-core/src/main/java/org/apache/gluten/memory/memtarget/ThrowOnOomMemoryTarget.java@v1.2.0",
		},
		{
			ID: "shuffle-block-limit", Class: cause.CodeFailed, Certain: true,
			Message: `Size exceeds Integer\.MAX_VALUE`, Says: "one block of data exceeds 2 GiB", Next: steps("use more partitions"),
			Source: "openjdk/jdk25u src/java.base/share/classes/sun/nio/ch/FileChannelImpl.java@jdk-25.0.3+9",
		},
		{
			ID: "exit-on-oom", Class: cause.Configuration, Certain: true,
			Message: `Terminating due to java\.lang\.OutOfMemoryError|Aborting due to java\.lang\.OutOfMemoryError|` +
				`SparkExitCode\.OOM|UncaughtExceptionHandler.*OutOfMemoryError`,
			Says: "the JVM ended itself because memory ran out", Next: steps("raise driver.memory or " +
				"executor.memory, or give each task less data"),
			Source: "openjdk/jdk src/hotspot/share/utilities/debug.cpp@0106933",
		},
		{
			ID: "gpu-memory-taken", Class: cause.Configuration, Certain: true,
			Message: `The (?:initial|pool) allocation of (?P<got>-?[\d.]+ Mi?B) \((?s:.{1,300}?)was less than (?:the )?minimum allocation of ` +
				`(?P<least>[\d.]+)`,
			Says: "the GPU lacks free memory: ${got} is less than the minimum allocation of ${least} MB for an executor, so another process most " +
				"likely has it",
			Next: steps("see with nvidia-smi on the node what has the memory of the GPU, and give each executor a GPU of its own, or lower " +
				"spark.rapids.memory.gpu.allocFraction and minAllocFraction"),
			Source: "NVIDIA/cudf-spark issue 5299; NVIDIA/cudf-spark pull 11282",
		},
		{
			ID: "gpu-memory-exhausted", Class: cause.Configuration, Certain: true,
			Message: `cudaErrorMemoryAllocation|out_of_memory: CUDA error|CUDA out of memory`,
			Says:    "the memory of the GPU was exhausted",
			Next:    steps("lower spark.rapids.sql.concurrentGpuTasks or the size of batches, and give each executor a GPU of its own"),
			Source:  "NVIDIA/cudf-spark issue 1533; NVIDIA/cudf-spark issue 8837",
		},
		{
			ID: "oom-other", Class: cause.Configuration, Exception: `java\.lang\.OutOfMemoryError|` +
				`.*\.SparkOutOfMemoryError`, Message: `(?P<what>[^\n]*)`,
			Says: "memory ran out: ${what}", Next: steps("raise driver.memory or executor.memory and " +
				"memoryOverhead, or give each task less data"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/lang/OutOfMemoryError.java@jdk-25.0.3+9; " +
				"apache/spark core/src/main/java/org/apache/spark/memory/SparkOutOfMemoryError.java@v3.5.3",
		},
	}
}
