package mechanism_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestOptionsThatSuspendAJVM: an agent that listens suspends the JVM by default, and does not where it waits for an error.
func TestOptionsThatSuspendAJVM(t *testing.T) {
	for option, suspends := range map[string]bool{
		"-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=*:5005":                     true,
		"-agentlib:jdwp=transport=dt_socket,server=y,address=5005":                                 true,
		"-Xdebug -Xrunjdwp:transport=dt_socket,address=8000,server=y":                              true,
		"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n":                                    false,
		"-agentlib:jdwp=transport=dt_socket,suspend=y,address=host:5005":                           false,
		"-agentlib:jdwp=transport=dt_socket,server=y,onuncaught=y":                                 false,
		"-agentlib:jdwp=transport=dt_socket,server=y,onthrow=java.io.IOException,launch=/bin/true": false,
		"-agentlib:hprof=cpu=samples":                                                              false,
		"":                                                                                         false,
	} {
		require.Equal(t, suspends, mechanism.Suspends(option), option)
	}
}
