package catalog

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// ivy lists what Ivy says when it resolves deps.packages.
func ivy() []Signature {
	return []Signature{
		{
			ID: "ivy-cache", Class: cause.Configuration, Certain: true,
			Message: `basedir must be absolute: ?(?P<dir>\S*)|` +
				`FileNotFoundException: (?P<dir2>\S*/\.ivy2?\S*) \((?:No such file or directory|Permission denied)\)`,
			Says:   "Ivy cannot write its cache: ${dir}",
			Next:   steps("set spark.jars.ivy to a directory that the user can write, such as /tmp/.ivy2"),
			Source: "apache/ant-ivy src/java/org/apache/ivy/util/Checks.java@rel/2.5.1",
		},
		{
			ID: "ivy-unresolved", Class: cause.Dependency,
			Message: `\[?unresolved dependency: (?P<artifact>[\w.-]+#[\w.-]+;[\w.$-]+): (?P<why>not found|` +
				`configuration not found\S*)`,
			Says: "a dependency was not found in any repository: ${artifact}",
			Next: steps("check the coordinates and Scala suffix, and whether the repositories can be reached from the pod " +
				"that resolves them"),
			Source: "apache/ant-ivy src/java/org/apache/ivy/core/report/ResolveReport.java@rel/2.5.1; " +
				"apache/spark core/src/main/scala/org/apache/spark/deploy/SparkSubmit.scala@v3.5.3",
		},
		{
			ID: "ivy-download-failed", Class: cause.Dependency,
			Message: `\[?download failed: (?P<artifact>[\w.-]+#[\w.-]+;[\w.$-]+![\w.$-]+)`,
			Says:    "a dependency was found but not downloaded: ${artifact}",
			Next:    steps("check spark.jars.repositories and the network of the pod, or build the jar into the image"),
			Source:  "apache/ant-ivy src/java/org/apache/ivy/core/report/ResolveReport.java@rel/2.5.1",
		},
		{
			ID: "ivy-checksum", Class: cause.Dependency, Certain: true,
			Message: `invalid (?:sha1|md5|sha256): expected=\S+ computed=\S+`,
			Says:    "a downloaded jar has the wrong checksum",
			Next:    steps("delete it from the Ivy cache, and check proxies and mirrors of the repository"),
			Source:  "apache/ant-ivy src/java/org/apache/ivy/util/ChecksumHelper.java@rel/2.5.1",
		},
		{
			ID: "maven-unreachable", Class: cause.Dependency,
			Message: `Server access error at url (?P<url>\S+)|` +
				`Could not transfer artifact .* from/to \S+ \((?P<url2>\S+)\)|` +
				`Host (?P<host>\S+) not found\. url=(?P<url3>\S+)`,
			Says:   "the repository cannot be reached: ${url}",
			Next:   steps("allow egress to it or name a mirror in spark.jars.repositories, or build the jars into the image"),
			Source: "apache/ant-ivy src/java/org/apache/ivy/util/url/BasicURLHandler.java@rel/2.5.1",
		},
	}
}
