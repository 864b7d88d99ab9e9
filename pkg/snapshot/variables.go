package snapshot

import "strings"

// KeptValue is what is kept of the value of an environment variable: where proxies are, the locale of a process, and how its JVM waits for
// a debugger. Empty: it is another variable, whose value may be a secret, or holds nothing of these.
func KeptValue(variable, value string) string {
	switch {
	case IsLocale(variable):
		return localeIn(value)
	case takesJavaOptions(variable):
		return debugOptions(value)
	default:
		return ProxyHosts(variable, value)
	}
}

// IsLocale reports whether the C library takes the encoding of file names from a variable (setlocale(3): LC_ALL counts before LC_CTYPE, and
// that before LANG).
func IsLocale(variable string) bool {
	return variable == "LC_ALL" || variable == "LC_CTYPE" || variable == "LANG"
}

// localeIn is a value that is the name of a locale, "de_DE.UTF-8", "C" or "en_US.utf8@euro"; empty: it is none.
func localeIn(value string) string {
	rest, _, _ := strings.Cut(value, "@")
	name, _, _ := strings.Cut(rest, ".")
	language, country, _ := strings.Cut(name, "_")
	const longest = 24
	strange := strings.Trim(value, letters+"0123456789_.@-") != "" || strings.Trim(language, letters) != ""
	if strange || len(value) > longest || len(language) > len("POSIX") || len(country) > len("419") {
		return ""
	}
	return value
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// debugOptions are the options that load the debugger's agent, in their two spellings, as far as they hold no command.
func debugOptions(value string) string {
	var out []string
	for _, one := range strings.Fields(value) {
		agent := strings.HasPrefix(one, "-agentlib:jdwp=") || strings.HasPrefix(one, "-Xrunjdwp:")
		if agent && strings.Trim(one, letters+"0123456789_.:*=,-") == "" {
			out = append(out, one)
		}
	}
	return strings.Join(out, " ")
}

// takesJavaOptions reports whether a JVM, or a script of Spark that starts one, reads options from a variable (src/hotspot/share/runtime/
// arguments.cpp and src/java.base/share/native/libjli/args.c of openjdk/jdk17u, bin/spark-class@v3.5.5). Spark numbers those of executors
// (BasicExecutorFeatureStep.scala in resource-managers/kubernetes/core@v3.5.5, ENV_JAVA_OPT_PREFIX).
func takesJavaOptions(variable string) bool {
	switch variable {
	case "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "SPARK_SUBMIT_OPTS":
		return true
	default:
		return strings.HasPrefix(variable, "SPARK_JAVA_OPT_")
	}
}
