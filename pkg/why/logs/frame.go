package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// frame is one call of a stack trace.
type frame struct {
	name   string // net.example.LineParser.parse, or the function of Python
	file   string
	line   string // empty: not known
	python bool
	text   string // as it was printed
}

var javaFrame = lazyregexp.New(`^\s*at ([^\s(][^(\p{Cc}]*)\(([^)\p{Cc}]*)\)`)

func parseJavaFrame(line string) (frame, bool) {
	m := javaFrame.FindStringSubmatch(line)
	if m == nil {
		return frame{}, false
	}
	name := m[1]
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:] // the class loader and the module: "app//", "java.base/"
	}
	file, number, _ := strings.Cut(m[2], ":")
	return frame{name: name, file: file, line: number, text: strings.TrimSpace(line)}, true
}

// runtime reports whether the frame is of the language itself, which raises what its caller did wrong.
func (f frame) runtime() bool {
	if f.python {
		return pythonLib.MatchString(f.file) && !strings.Contains(f.file, "-packages/") && !strings.Contains(f.file, "pyspark")
	}
	return hasPrefix(f.name, "java.", "javax.", "jdk.", "sun.", "com.sun.", "scala.", "kotlin.")
}

// remote reports whether the frame is of the language's own clients of other machines: what they raise is not for their caller to answer.
func (f frame) remote() bool {
	if f.python {
		return pythonNet.MatchString(f.file)
	}
	return hasPrefix(f.name, "sun.net.", "java.net.", "jdk.internal.net.", "sun.security.", "javax.net.", "sun.nio.ch.Net", "java.sql.")
}

var pythonNet = lazyregexp.New(`/lib(?:64)?/python\d(?:\.\d+)?/(?:http|urllib|socket|ssl|ftplib|smtplib|imaplib|xmlrpc)\b`)

// own reports whether the frame is of the application's code: below the package of its main class, where a log names one. No Java frame is,
// where the application is a Python script.
func (f frame) own(home string) bool {
	switch {
	case f.library():
		return false
	case f.python || home == "" || strings.HasPrefix(f.name, "org.apache.spark.examples."):
		return true
	default:
		return strings.HasPrefix(f.name, home+".")
	}
}

// library reports whether the frame is of code that the authors of the application did not write.
func (f frame) library() bool {
	if f.python {
		return f.file == "" || f.file[0] == '<' || strings.Contains(f.file, "/site-packages/") || strings.Contains(f.file, "/dist-packages/") ||
			strings.Contains(f.file, "/spark/python/") || strings.Contains(f.file, "pyspark.zip/") || strings.Contains(f.file, "/py4j") ||
			pythonLib.MatchString(f.file) || strings.HasSuffix(f.file, ".pxi") || strings.HasSuffix(f.file, ".pyx")
	}
	if strings.HasPrefix(f.name, "org.apache.spark.examples.") {
		return false
	}
	return f.runtime() || !strings.Contains(f.name, ".") || hasPrefix(f.name, libraries()...)
}

var pythonLib = lazyregexp.New(`/lib(?:64)?/python\d(?:\.\d+)?/`)

// libraries are packages of what Spark and its connectors are made of.
func libraries() []string {
	return []string{
		"org.apache.", "io.netty.", "io.fabric8.", "com.amazonaws.", "software.amazon.", "com.google.", "com.microsoft.", "com.azure.",
		"com.databricks.", "io.delta.", "org.postgresql.", "com.mysql.", "org.mariadb.", "oracle.", "com.oracle.", "com.ibm.", "net.snowflake.",
		"org.mongodb.", "com.mongodb.", "com.datastax.", "org.elasticsearch.", "org.opensearch.", "io.confluent.", "com.clickhouse.",
		"com.fasterxml.", "org.json4s.", "org.codehaus.", "com.esotericsoftware.", "com.zaxxer.", "com.typesafe.", "akka.", "okhttp3.", "okio.",
		"org.eclipse.", "org.jboss.", "org.slf4j.", "ch.qos.", "org.xerial.", "com.github.luben.", "net.jpountz.", "org.sparkproject.",
		"org.spark_project.", "reactor.", "io.grpc.", "io.prestosql.", "io.trino.", "org.rocksdb.", "breeze.", "ml.dmlc.", "py4j.",
		"com.nvidia.", "ai.rapids.", "io.openlineage.", "com.johnsnowlabs.", "org.graphframes.", "io.minio.", "io.projectnessie.",
	}
}

func hasSuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(end string) bool { return strings.HasSuffix(s, end) })
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

var (
	mainFrame = lazyregexp.New(`^\s+at ([\w.]+?)\$?\.main\(`)
	mainClass = lazyregexp.New(` --class ([\w.$]+) `)
)

// scripted is the home of a Python script: no package of Java has this name.
const scripted = "python"

// home finds the package of the application: the first two parts of that of its main class.
func home(entries []entry) string {
	python := false
	for i := range entries {
		e := &entries[i]
		if m := mainClass.FindStringSubmatch(e.message); m != nil && !(frame{name: m[1]}).library() {
			return packageOf(m[1])
		}
		python = python || e.python()
		for _, line := range e.extra {
			if !strings.HasPrefix(line, "\tat ") {
				continue
			}
			python = python || strings.HasPrefix(line, "\tat py4j.")
			if m := mainFrame.FindStringSubmatch(line); m != nil && !(frame{name: m[1] + ".main"}).library() {
				return packageOf(m[1])
			}
		}
	}
	if python {
		return scripted
	}
	return ""
}

// packageOf is empty for a class without a package of two parts: then nothing tells its code from that of others.
func packageOf(class string) string {
	parts := strings.Split(class, ".")
	if len(parts) < 3 {
		return ""
	}
	return parts[0] + "." + parts[1]
}

// chain is that of an entry, read as of this application.
func (s *story) chain(at int) []link {
	links := chain(&s.entries[at])
	for i := range links {
		links[i].home = s.home
	}
	return links
}
