package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// entrypoints lists what container runtimes, entrypoints and programs say that do not get as far as Spark.
func entrypoints() []Signature {
	return []Signature{
		{
			ID: "exec-format", Class: cause.Image, Certain: true, Message: `[Ee]xec format error`,
			Says: "the image is for another processor architecture than the node's", Next: steps("build the " +
				"image for the node's architecture, or select nodes with kubernetes.io/arch"),
			Source: "bminor/glibc sysdeps/gnu/errlist.h@glibc-2.36",
		},
		{
			ID: "entrypoint", Class: cause.Image, Certain: true, Message: `exec: "?(?P<command>driver|` +
				`executor)"?: (?:not found|executable file not found in \$PATH)|Unsupported.*argument.*"?(?:driver|executor)"?`,
			Says: "the image's entrypoint does not know the argument[ ${command}]: it is not an image for Spark on " +
				"Kubernetes", Next: steps("use an image with Spark's entrypoint /opt/entrypoint.sh, " +
				"such as apache/spark"),
			Source: "bitnami/containers issue 17564; " +
				"bitnami/bitnami-docker-spark issue 56",
		},
		{
			ID: "executable-missing", Class: cause.Image, Certain: true,
			Message: `exec: "(?P<command>[^"]+)": (?:executable file not found in \$PATH|stat [^:]+: no such file or ` +
				`directory|permission denied)|tini \(\d+\)\] exec (?P<command2>\S+) failed: (?P<why>[^\n]+)|` +
				`(?P<command3>\S*(?:tini|spark-submit|spark-class|entrypoint\.sh)): (?:not found|No such file or ` +
				`directory|Permission denied)`,
			Says: "the image lacks ${command}, or it cannot be " +
				"executed", Next: steps("use an image that has it, or correct the command"),
			Source: "krallin/tini src/tini.c@v0.19.0; " +
				"golang/go src/os/exec/lp_unix.go@go1.26.8",
		},
		{
			ID: "entrypoint-missing", Class: cause.Image, Certain: true,
			Message: `exec (?:user process caused|/\S+): no such file or directory$`,
			Says:    "the image lacks the program that its entrypoint starts, or the interpreter that this names in its first line",
			Next:    steps("correct the entrypoint of the image: its path, its first line (#!), and that lines end as Unix ends them"),
			Source:  "opencontainers/runc libcontainer/standard_init_linux.go@v1.1.12; golang/go src/syscall/zerrors_linux_amd64.go@go1.26.8",
		},
		{
			ID: "arguments", Class: cause.Configuration, Certain: true,
			Message: `^(?P<program>\S+\.py): error: (?P<why>the following arguments are required: [^\n]+|unrecognized arguments: [^\n]+|` +
				`argument [^\n]+: (?:invalid|expected) [^\n]+)`,
			Says:   "${program} refuses its arguments: ${why}",
			Next:   steps("correct spec.arguments: one entry for each word, a flag and its value are two"),
			Source: "python/cpython Lib/argparse.py@v3.12.3",
		},
	}
}

// process lists what dying JVMs and signals say.
func process() []Signature {
	return []Signature{
		{
			ID: "jvm-crash", Class: cause.CodeFailed, Message: `A fatal error has been detected by the Java ` +
				`Runtime Environment|^#\s+(?P<signal>SIG(?:SEGV|BUS|ILL|FPE)) \(0x`,
			Says: "the JVM crashed in native code[ (${signal})]", Next: steps("read the problematic frame below: " +
				"it names the library"),
			Source: "openjdk/jdk17u src/hotspot/share/utilities/vmError.cpp@jdk-17.0.15+6 (compiled)",
		},
		{
			ID: "glibc", Class: cause.Image, Certain: true, Message: "version " +
				"`?(?P<version>(?:GLIBC|GLIBCXX)_[\\d.]+)'? not found|Error loading shared library " +
				"(?P<version2>\\S+):|UnsatisfiedLinkError: [^\\n]*ld-linux",
			Says: "a native library needs a C library that the image does not have" +
				"[ (${version})]", Next: steps("use an image with a newer glibc instead of Alpine or an " +
				"older base"),
			Source: "bminor/glibc elf/dl-version.c@glibc-2.36",
		},
		{
			ID: "noexec-volume", Class: cause.Configuration, Certain: true,
			Message: `(?P<file>/[^\s:]+): failed to map segment from shared object`,
			Says:    "the native library ${file} cannot be run from where it was unpacked: the volume there is mounted with noexec",
			Next: steps("mount a volume at /tmp that allows execution (an emptyDir), or name another directory with -Djava.io.tmpdir or " +
				"-Dorg.xerial.snappy.tempdir"),
			Source: "bminor/glibc elf/dl-load.h@glibc-2.36",
		},
		{
			ID: "native-library", Class: cause.Dependency, Certain: true, Message: `UnsatisfiedLinkError: (?P<what>[^\n]+)`,
			Says: "a native library cannot be loaded: ${what}", Next: steps("install the library for the " +
				"architecture of the image"),
			Source: "openjdk/jdk25u src/java.base/share/classes/java/lang/UnsatisfiedLinkError.java@jdk-25.0.3+9",
		},
		{
			ID: "signal-kill", Class: cause.ClusterKilled, Message: `(?:^|\s)Killed\s*$|` +
				`exit(?:ed with)? (?:code|status):? 137\b|signal: killed`,
			Says: "a process was killed (SIGKILL, 137)", Next: steps("look at the container's state and the " +
				"memory limit"),
			Source: "bminor/glibc sysdeps/generic/siglist.h@glibc-2.36",
		},
		{
			ID: "signal-term", Class: cause.Unknown, Effect: true, Message: `RECEIVED SIGNAL (?P<signal>TERM|` +
				`INT|HUP)|exit(?:ed with)? (?:code|status):? 143\b|SIGTERM handler`,
			Says: "the process was asked to stop[ (${signal})]", Next: steps("find out who stopped it: " +
				"deletion, drain, eviction, or the end of the " +
				"work"),
			Source: "apache/spark core/src/main/scala/org/apache/spark/util/SignalUtils.scala@v3.5.3",
		},
	}
}
