package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// disk lists what is said when a disk is full or a path cannot be written.
func disk() []Signature { //nolint:funlen // a table
	return []Signature{
		{
			ID: "disk-full", Class: cause.Storage, Certain: true, Message: `No space left on device`,
			Says: "a disk is full: no space left on device",
			Next: steps("give spark.local.dir a larger volume (a claim named spark-local-dir-*), raise ephemeral-storage, or " +
				"use more executors"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36",
		},
		{
			// Spark wraps the error of the disk in one of memory.
			ID: "spill-failed", Class: cause.Storage, Certain: true,
			Message: `[Ee]rror while calling spill\(\) on \S+ : (?P<what>[^\n]+)`,
			Says:    "a task could not spill to its local disk: ${what}",
			Next:    steps("give spark.local.dir a volume that works and is large enough (a claim named spark-local-dir-*)"),
			Source:  "apache/spark core/src/main/java/org/apache/spark/memory/TaskMemoryManager.java@v3.5.3",
		},
		{
			ID: "celeborn-data-lost", Class: cause.Network,
			Message: `Shuffle data lost for shuffle (?P<shuffle>\d+)`,
			Says:    "Celeborn lost data of shuffle ${shuffle}: a worker that held it did not answer, and no other had a copy",
			Next: steps("look at the Celeborn workers at that time; spark.celeborn.client.push.replicate.enabled=true keeps a second copy " +
				"of what executors push"),
			Source: "apache/celeborn client/src/main/scala/org/apache/celeborn/client/commit/CommitHandler.scala@v0.5.4; apache/celeborn issue 3496",
		},
		{
			// The workers of the shuffle service, not the executors.
			ID: "celeborn-no-dirs", Class: cause.Storage, Certain: true,
			Message: `Failed to reserve buffers for shuffleId \d+ from worker (?:Host:)?(?P<host>[\w.-]+?):[^\n]*` +
				`Local storage has no available dirs`,
			Says: "Celeborn worker ${host} has no usable disk: Local storage has no available dirs",
			Next: steps("look at the disks of the Celeborn workers: a directory that is full or fails is left out until it is healthy again"),
			Source: "apache/celeborn worker/src/main/scala/org/apache/celeborn/service/deploy/worker/Controller.scala@v0.5.4; " +
				"apache/celeborn client/src/main/scala/org/apache/celeborn/client/LifecycleManager.scala@v0.5.4",
		},
		{
			ID: "disk-quota", Class: cause.Storage, Certain: true, Message: `Disk quota exceeded|` +
				`DSQuotaExceededException|NSQuotaExceededException`,
			Says: "a quota of the file system is used up", Next: steps("raise the quota or delete " +
				"data"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36; " +
				"apache/hadoop hadoop-hdfs-project/hadoop-hdfs-client/src/main/java/org/apache/hadoop/hdfs/protocol/" +
				"DSQuotaExceededException.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-hdfs-project/hadoop-hdfs-client/src/main/java/org/apache/hadoop/hdfs/protocol/" +
				"NSQuotaExceededException.java@rel/release-3.3.3",
		},
		{
			ID: "disk-read-only", Class: cause.Storage, Certain: true, Message: `Read-only file system`,
			Says: "the file system is read-only", Next: steps("mount a writable volume at the path, such as " +
				"an emptyDir at /tmp and at spark.local.dir"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36",
		},
		{
			ID: "disk-io", Class: cause.Storage, Certain: true, Message: `Input/output error|` +
				`Stale file handle|Transport endpoint is not connected`,
			Says: "a volume fails: it cannot be read or written", Next: steps("check the volume and its " +
				"node, and remount it"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36",
		},
		{
			ID: "local-dir", Class: cause.Storage, Certain: true,
			Message: `Failed to create local dir in (?P<dir>\S+?)\.?(?: |$)|Failed to create any local dir|` +
				`Failed to create a temp directory \(under (?P<dir2>[^)]+)\)`,
			Says: "Spark cannot create its local directory[ ${dir}]", Next: steps("mount a volume there that the user " +
				"of the container may write to, such as an emptyDir (securityContext.fsGroup)"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/storage/DiskBlockManager.scala@v3.5.3; " +
				"apache/spark common/utils/src/main/java/org/apache/spark/network/util/JavaUtils.java@v3.5.3",
		},
		{
			ID: "event-log-missing", Class: cause.Configuration, Certain: true,
			Exception: `java\.io\.FileNotFoundException`, Message: `File (?P<dir>file:/tmp/spark-events|` +
				`\S*(?:spark-events|event-?logs?|` +
				`spark-?history)\S*) does not exist`,
			Says: "the directory for event logs ${dir} does not exist", Next: steps("create ${dir}, correct " +
				"spark.eventLog.dir, or set spark.eventLog.enabled=false"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/history/EventLogFileWriters.scala@v3.5.3; " +
				"apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/fs/" +
				"RawLocalFileSystem.java@rel/release-3.3.3",
		},
		{
			ID: "event-log-not-dir", Class: cause.Configuration, Certain: true, Message: `Log directory ` +
				`(?P<dir>\S+) is not a directory`,
			Says: "spark.eventLog.dir is not a directory: ${dir}", Next: steps("correct spark.eventLog.dir"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/deploy/history/EventLogFileWriters.scala@v3.5.3",
		},
		{
			ID: "hdfs-no-host", Class: cause.Configuration, Certain: true,
			Message: `Incomplete HDFS URI, no host: (?P<uri>\S+)`,
			Says:    "the path ${uri} names no name node, and the Hadoop configuration of the process has no fs.defaultFS of HDFS",
			Next: steps("write the host into the path (hdfs://HOST:8020/…), or give driver and executors the Hadoop configuration " +
				"(spec.hadoopConfigMap)"),
			Source: "apache/hadoop hadoop-hdfs-project/hadoop-hdfs-client/src/main/java/org/apache/hadoop/hdfs/" +
				"DistributedFileSystem.java@rel/release-3.3.4",
		},
		{
			ID: "hdfs-permission", Class: cause.Credentials, Certain: true,
			Message: `Permission denied: user=(?P<user>[^,]+), access=(?P<access>\w+), inode="(?P<path>[^"]+)"`,
			Says:    "HDFS denies user ${user} ${access} on ${path}", Next: steps("grant ${user} the access, " +
				"or set HADOOP_USER_NAME or a Kerberos principal that has it"),
			Source: "apache/hadoop hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/server/namenode/" +
				"FSPermissionChecker.java@rel/release-3.3.3",
		},
		{
			ID: "file-permission", Class: cause.Configuration,
			Message: `(?:FileNotFoundException|AccessDeniedException|PermissionError|IOException|` +
				`FileSystemException)[^\n]*?(?P<file>/[\w./-]+)[^\n]*[Pp]ermission denied|` +
				`PermissionError: \[Errno 13\] Permission denied: '(?P<file2>[^']+)'|` +
				`AccessDeniedException: (?P<file3>/\S+)$|Mkdirs failed to create (?P<file4>\S+)`,
			Says: "the user of the container has no permission for ${file}",
			Next: steps("set securityContext.fsGroup or runAsUser, or write to another " +
				"directory"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36; " +
				"openjdk/jdk25u src/java.base/share/classes/java/nio/file/AccessDeniedException.java@jdk-25.0.3+9; " +
				"apache/hadoop hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/fs/" +
				"ChecksumFileSystem.java@rel/release-3.3.3",
		},
		{
			// The entry point of an image keeps its options in a file before it starts the JVM. A shell says the same of a file that it may not
			// write and of a program that it may not start.
			ID: "entrypoint-permission", Class: cause.Configuration, Certain: true,
			Message: `entrypoint\.sh: line \d+: (?P<file>[\w./-]+): Permission denied`,
			Says:    "the user of the container has no permission for ${file}, which the entry point of its image uses (Permission denied)",
			Next: steps("mount no volume over its directory that only another user may write to (a hostPath is root's), or set " +
				"securityContext.fsGroup or runAsUser; if it is a program, make it executable"),
			Source: "apache/spark resource-managers/kubernetes/docker/src/main/dockerfiles/spark/entrypoint.sh@v3.5.5; " +
				"kubeflow/spark-operator issue 1078",
		},
		{
			ID: "hdfs-standby", Class: cause.Configuration, // not certain: clients ask the other name node then
			Message: `Operation category \w+ is not supported in state (?P<state>standby|observer)`,
			Says:    "the HDFS name node that was asked is in state ${state}",
			Next: steps("name the nameservice of the cluster instead of one name node, with the hdfs-site.xml that lists both; if it does, see " +
				"why none is active"),
			Source: "apache/hadoop hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/server/namenode/ha/" +
				"StandbyState.java@rel/release-3.3.3",
		},
		{
			ID: "safe-mode", Class: cause.Storage, Certain: true, Message: `Name node is in safe mode`,
			Says: "HDFS is in safe mode and accepts no writes", Next: steps("wait until enough data nodes " +
				"have reported, or repair HDFS"),
			Source: "apache/hadoop hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/server/namenode/" +
				"FSNamesystem.java@rel/release-3.3.3",
		},
		{
			// A client excludes the data nodes that it could not connect to (DataStreamer.java, nextBlockOutputStream).
			ID: "hdfs-excluded", Class: cause.Network, Certain: true,
			Message: `could only be (?:written|replicated) to 0 .{0,80}There are (?P<all>[1-9]\d*) datanode\(s\) running and ` +
				`(?P<out>[1-9]\d*) node\(s\) are excluded`,
			Says: "HDFS clients cannot connect to the data nodes: ${all} of them run, and ${out} were excluded because no " +
				"connection to them came about",
			Next: steps("let pods reach the data nodes: addresses that they can route to (dfs.client.use.datanode.hostname), NetworkPolicies and " +
				"firewalls for port 9866"),
			Source: "apache/hadoop hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/server/blockmanagement/" +
				"BlockManager.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-hdfs-project/hadoop-hdfs-client/src/main/java/org/apache/hadoop/hdfs/DataStreamer.java@rel/release-3.3.3",
		},
		{
			ID: "hdfs-blocks", Class: cause.Storage, Certain: true, Message: `could only be (?:written|` +
				`replicated) to \d+ (?:nodes )?(?:of the \d+ (?:minReplication nodes|required nodes for)|instead of minReplication)|` +
				`BlockMissingException: Could not obtain block`,
			Says: "HDFS has no data node that can take or give a block", Next: steps("check the data nodes, " +
				"their disks, and that pods reach their ports"),
			Source: "apache/hadoop hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/server/blockmanagement/" +
				"BlockManager.java@rel/release-3.3.3; " +
				"apache/hadoop hadoop-hdfs-project/hadoop-hdfs-client/src/main/java/org/apache/hadoop/hdfs/" +
				"DFSInputStream.java@rel/release-3.3.3",
		},
		{
			ID: "too-many-files", Class: cause.Configuration, Certain: true, Message: `Too many open files`,
			Says: "the limit of open files is reached", Next: steps("raise the limit of the container " +
				"runtime, or use fewer shuffle partitions"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36",
		},
	}
}
