package snapshot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestKeptValue: beside these, only what names a locale, or how a JVM waits for a debugger, is kept.
func TestKeptValue(t *testing.T) {
	for _, row := range []struct{ variable, value, want string }{
		{"NO_PROXY", "localhost,.svc", "localhost,.svc"},
		{"LC_ALL", "de_DE.UTF-8", "de_DE.UTF-8"},
		{"LANG", "C", "C"},
		{"LC_CTYPE", "hunter2 is my password", ""},
		{"LC_SECRET", "C", ""},
		{"JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.keyStorePassword=hunter2 -agentlib:jdwp=transport=dt_socket,server=y,address=*:5005",
			"-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005"},
		{"SPARK_JAVA_OPT_3", "-Xrunjdwp:server=y", "-Xrunjdwp:server=y"},
		{"JDK_JAVA_OPTIONS", "-Dpassword=hunter2", ""},
		{"PASSWORD", "-agentlib:jdwp=server=y", ""},
	} {
		require.Equal(t, row.want, snapshot.KeptValue(row.variable, row.value), row)
	}
}
