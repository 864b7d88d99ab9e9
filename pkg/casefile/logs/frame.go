package logs

import (
	"path"
	"regexp"
	"strings"
)

// frame is one call of a stack trace.
type frame struct {
	name   string // net.example.LineParser.parse, or the function of Python
	file   string
	line   string // empty: not known
	python bool
	text   string // as it was printed
}

var javaFrame = regexp.MustCompile(`^\s*at ([^\s(][^(]*)\(([^)]*)\)`)

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

// place is where the frame is, in as few words as find it again.
func (f frame) place() string {
	file := f.file
	if f.python {
		file = path.Base(file)
	}
	if f.line == "" {
		return f.name
	}
	return file + ":" + f.line
}

// runtime reports whether the frame is of the language itself, which raises what its caller did wrong.
func (f frame) runtime() bool {
	return !f.python && hasPrefix(f.name, "java.", "javax.", "jdk.", "sun.", "com.sun.", "scala.", "kotlin.")
}

// library reports whether the frame is of code that the authors of the application did not write.
func (f frame) library() bool {
	if f.python {
		return f.file == "" || f.file[0] == '<' || strings.Contains(f.file, "/site-packages/") || strings.Contains(f.file, "/dist-packages/") ||
			strings.Contains(f.file, "/spark/python/") || strings.Contains(f.file, "pyspark.zip/") || strings.Contains(f.file, "/py4j") ||
			pythonLib.MatchString(f.file)
	}
	if strings.HasPrefix(f.name, "org.apache.spark.examples.") {
		return false
	}
	return f.runtime() || !strings.Contains(f.name, ".") || hasPrefix(f.name, libraries()...)
}

var pythonLib = regexp.MustCompile(`/lib(?:64)?/python\d(?:\.\d+)?/`)

// libraries are packages of what Spark and its connectors are made of.
func libraries() []string {
	return []string{
		"org.apache.", "io.netty.", "io.fabric8.", "com.amazonaws.", "software.amazon.", "com.google.", "com.microsoft.", "com.azure.",
		"com.databricks.", "io.delta.", "org.postgresql.", "com.mysql.", "org.mariadb.", "oracle.", "com.oracle.", "com.ibm.", "net.snowflake.",
		"org.mongodb.", "com.mongodb.", "com.datastax.", "org.elasticsearch.", "org.opensearch.", "io.confluent.", "com.clickhouse.",
		"com.fasterxml.", "org.json4s.", "org.codehaus.", "com.esotericsoftware.", "com.zaxxer.", "com.typesafe.", "akka.", "okhttp3.", "okio.",
		"org.eclipse.", "org.jboss.", "org.slf4j.", "ch.qos.", "org.xerial.", "com.github.luben.", "net.jpountz.", "org.sparkproject.",
		"org.spark_project.", "reactor.", "io.grpc.", "io.prestosql.", "io.trino.", "org.rocksdb.", "breeze.", "ml.dmlc.", "py4j.",
	}
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
