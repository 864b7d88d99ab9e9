package why_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// TestTokensThatAreNotMounted: a driver without a token cannot verify the API server. With one, or where another server is not trusted, a
// certificate is the matter.
func TestTokensThatAreNotMounted(t *testing.T) {
	const (
		off     = "automountServiceAccountToken: false"
		mounts  = "    - mountPath: /opt/spark/conf\n      name: spark-conf-volume-driver\n"
		warning = "Error reading service account token from"
		kyverno = "policies.kyverno.io/last-applied-patches"
		client  = "io.fabric8.kubernetes.client."
		account = "  serviceAccountName: spark-driver\n  serviceAccount: spark-driver\n"
	)
	mounted := []string{mounts, mounts + "    - mountPath: /var/run/secrets/kubernetes.io/serviceaccount/\n      name: by-hand\n"}
	answerVariants(t, map[string]variant{
		"a policy set it": {of: "1743", class: "configuration", says: []string{"ServiceAccount spark-driver",
			"Kyverno policy disable-automountserviceaccounttoken", "exclude"}},
		"no policy is named": {of: "1743", objects: []string{kyverno, "example.com/note"}, class: "configuration",
			says: []string{"ServiceAccount spark-driver has automountServiceAccountToken: false"}, not: []string{"Kyverno"}},
		"the pod": {of: "1743", objects: []string{off, "automountServiceAccountToken: true", account, account + "  " + off + "\n",
			kyverno, "example.com/note"}, class: "configuration", says: []string{"the pod has automountServiceAccountToken: false"}},
		"neither, by now": {of: "1743", objects: []string{off, "imagePullSecrets: []"}, class: "configuration",
			says: []string{"nothing is mounted at", "when the pod was created"}},
		"neither, and the client does not complain": {of: "1743", objects: []string{off, "imagePullSecrets: []"},
			logs: []string{warning, "Read"}, class: "network", not: []string{"no service account token"}},
		"a token that is mounted by hand": {of: "1743", objects: mounted, class: "network", not: []string{"no service account token"}},
		"its log was not read": {of: "1743", logs: []string{"", ""}, class: "configuration",
			says: []string{"most likely could not log in"}},
		"its log was not read, and it ran for long": {of: "1743", logs: []string{"", ""}, objects: []string{
			"startedAt: '2026-07-21T08:31:12Z'", "startedAt: '2026-07-21T07:31:12Z'"}, class: "unknown", not: []string{"token"}},
		"its log was not read, and it has a token": {of: "1743", logs: []string{"", ""}, objects: mounted, class: "unknown",
			not: []string{"token"}},
		"another server": {of: "1743", logs: []string{client, "net.example.store.", "KubernetesClientException", "StoreException"},
			class: "network", not: []string{"no service account token"}},
		"a token of a setting": {of: "1743", objects: []string{"  restartPolicy:\n    type: Never\n", "  restartPolicy:\n    type: Never\n" +
			"  sparkConf:\n    spark.kubernetes.authenticate.driver.mounted.oauthTokenFile: /opt/token\n"}, class: "network",
			not: []string{"no service account token"}},
		"a certificate that is trusted, and no token": {of: "1743", logs: []string{
			"PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to " +
				"requested target", `pods "var-backtest-driver" is forbidden: User "system:anonymous" cannot get resource "pods" in API group ""`},
			class: "configuration", says: []string{"no service account token"}},
	})
}

// TestJVMsThatWaitForADebugger: one that does not wait prints the same line.
func TestJVMsThatWaitForADebugger(t *testing.T) {
	const (
		option = "suspend=y,address=*:5005"
		line   = "Listening for transport dt_socket at address: 5005\n"
		env    = "    - name: SPARK_USER\n      value: root\n"
		later  = "26/05/27 10:41:41 INFO SparkContext: Running Spark version 3.5.5\n"
	)
	without := []string{"-agentlib:jdwp=transport=dt_socket,server=y," + option, "-Xmx1g"}
	given := func(variable string) []string {
		return append(without[:2:2], env, env+"    - name: "+variable+"\n      value: -agentlib:jdwp=transport=dt_socket,server=y,"+option+"\n")
	}
	answerVariants(t, map[string]variant{
		"by a field": {of: "1748", class: "configuration", says: []string{"suspend=y in spec.driver.javaOptions", "port 5005"}},
		"by default": {of: "1748", objects: []string{option, "address=*:5005"}, class: "configuration",
			says: []string{"jdwp without suspend=n"}},
		"suspend=n":   {of: "1748", objects: []string{option, "suspend=n,address=*:5005"}, class: "unknown", not: []string{"debugger"}},
		"server=n":    {of: "1748", objects: []string{"server=y", "server=n"}, class: "unknown", not: []string{"debugger"}},
		"on an error": {of: "1748", objects: []string{option, option + ",onuncaught=y"}, class: "unknown", not: []string{"debugger"}},
		"it goes on":  {of: "1748", logs: []string{line, line + later}, class: "unknown", not: []string{"debugger"}},
		"nothing says why it listens": {of: "1748", objects: without, class: "configuration", says: []string{"of the image or of the pod"},
			not: []string{"spec.driver.javaOptions"}},
		"by a variable": {of: "1748", objects: given("JAVA_TOOL_OPTIONS"), class: "configuration",
			says: []string{"suspend=y in variable JAVA_TOOL_OPTIONS"}},
		"by a variable, with the output of the JVM read by a script": {of: "1748", objects: given("JDK_JAVA_OPTIONS"), class: "configuration",
			logs: []string{line, "NOTE: Picked up JDK_JAVA_OPTIONS: -agentlib:jdwp=transport=dt_socket,server=y," + option + "\n"},
			says: []string{"suspend=y in variable JDK_JAVA_OPTIONS"}},
		"its log was not read":         {of: "1748", logs: []string{"", ""}, class: "configuration", says: []string{"most likely waits"}},
		"a variable of something else": {of: "1748", objects: given("NOTE"), class: "configuration", not: []string{"NOTE"}},
	})
}

// TestExecutorsThatWaitForADebugger: they run and never register, as those do that cannot reach the driver.
func TestExecutorsThatWaitForADebugger(t *testing.T) {
	for name, one := range map[string]struct {
		log, option string
		class       cause.Class
		says        string
	}{
		"their log says so": {"Listening for transport dt_socket at address: 5005\n", "server=y,suspend=y", cause.Configuration,
			"the JVM of executors waits for a debugger on port 5005"},
		"no log of theirs": {"", "server=y,suspend=y", cause.Configuration, "the JVM of executors most likely waits for a debugger"},
		"suspend=n":        {"", "server=y,suspend=n", cause.Unknown, "executor"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := corpus.ReadCase(os.DirFS(corpusDir), "012")
			require.NoError(t, err)
			c.ObjectsYAML = replaced(t, c.ObjectsYAML, []string{"    cores: 2\n    instances: 2\n",
				"    cores: 2\n    instances: 2\n    javaOptions: -agentlib:jdwp=transport=dt_socket," + one.option + "\n"})
			for _, file := range slices.Collect(maps.Keys(c.Logs)) {
				if of := strings.Replace(file, "-exec-1_", "-exec-3_", 1); of != file {
					delete(c.Logs, file)
					c.Logs[of] = one.log
				}
			}
			v := openCase(t, &c)
			require.Equal(t, one.class, v.Verdict().Class)
			require.Contains(t, v.Verdict().Message, one.says)
		})
	}
}

// TestLocalesThatLackCharacters: without a word of the locale, a name that cannot be written may be broken itself.
func TestLocalesThatLackCharacters(t *testing.T) {
	const (
		warning  = "setlocale: LC_ALL: cannot change locale (de_DE.UTF-8)"
		encoding = "sun.jnu.encoding=ANSI_X3.4-1968"
		variable = "    - name: LC_ALL\n      value: de_DE.UTF-8\n"
		refused  = "java.nio.file.InvalidPathException: Malformed input or input contains unmappable characters: " +
			"/data/eingang/Stra??enverzeichnis_2026.csv"
	)
	silent := []string{warning, "ok", encoding, "user.language=de"}
	answerVariants(t, map[string]variant{
		"the shell says so": {of: "1758", logs: []string{encoding, "user.language=de"}, class: "configuration",
			says: []string{"the image has no locale de_DE.UTF-8", "LC_ALL"}, not: []string{"ASCII"}},
		"the encoding says so": {of: "1758", logs: []string{warning, "ok"}, class: "configuration", says: []string{"ANSI_X3.4-1968"}},
		"nothing says so":      {of: "1758", logs: silent, class: "codeFailed", not: []string{"locale"}},
		"the locale is of UTF-8": {of: "1758", logs: []string{warning, "ok", encoding, "sun.jnu.encoding=UTF-8"}, class: "codeFailed",
			not: []string{"locale"}},
		"no variable": {of: "1758", logs: silent, objects: []string{variable, ""}, class: "configuration",
			says: []string{"pod sets neither LC_ALL nor LANG"}},
		"C": {of: "1758", logs: silent, objects: []string{"value: de_DE.UTF-8", "value: C"}, class: "configuration",
			says: []string{"LC_ALL=C is no UTF-8 locale"}},
		"another failure": {of: "1758", logs: []string{refused, "java.lang.IllegalStateException: Stra??enverzeichnis"}, class: "codeFailed",
			not: []string{"locale"}},
		"a name with question marks": {of: "1758", logs: []string{refused,
			"java.io.FileNotFoundException: /data/eingang/Stra??enverzeichnis_2026.csv (No such file or directory)"}, class: "configuration",
			says: []string{"the image has no locale de_DE.UTF-8"}},
	})
}
